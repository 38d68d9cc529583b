/** How people and programs write numbers and dates: separators, and the order of day and month. */

export interface LocaleFormat {
  readonly decimal: string;
  readonly thousands: string;
  /** Whether the day comes before the month in dates with slashes. */
  readonly dayFirst: boolean;
  /** A second way to read text that is not a number by the first. */
  readonly otherwise?: LocaleFormat;
}

export const englishFormat: LocaleFormat = { decimal: ".", thousands: ",", dayFirst: false };

/**
 * The person's system settings, by which Excel on that system reads text. If a text is not a number by these, it is
 * read as English.
 * @param language a language tag that replaces the system's language
 */
export function systemFormat(language?: string): LocaleFormat {
  const number = new Intl.NumberFormat(language).formatToParts(1_234_567.5);
  const valueOf = (kind: string) => number.find(({ type }) => type === kind)?.value;
  const date = new Intl.DateTimeFormat(language).formatToParts(0).map(({ type }) => type);
  return {
    decimal: valueOf("decimal") ?? englishFormat.decimal,
    thousands: valueOf("group") ?? englishFormat.thousands,
    dayFirst: date.indexOf("day") < date.indexOf("month"),
    otherwise: englishFormat,
  };
}

/**
 * The format of copied cells. Excel's may differ from the browser's, for example under an English browser on a German
 * system. Excel states its separators in the HTML of a copy: `mso-displayed-decimal-separator:"\,"`. They are then the
 * only way to read its numbers.
 */
export function copiedFormat(html: string): LocaleFormat {
  const system = systemFormat();
  const separator = (name: string) => {
    const stated = `mso-displayed-${name}-separator:"?\\\\?(?:([0-9a-f]{4})|([^";}]))`;
    const [, hex, mark] = new RegExp(stated, "i").exec(html) ?? [];
    return hex === undefined ? mark : String.fromCharCode(parseInt(hex, 16));
  };
  const [decimal, thousands] = [separator("decimal"), separator("thousand")];
  if (decimal === undefined || thousands === undefined) return system;
  return { decimal, thousands, dayFirst: system.dayFirst || decimal === "," };
}
