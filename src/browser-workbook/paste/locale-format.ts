/** How people and programs write numbers and dates: separators, and the order of day and month. */

export interface LocaleFormat {
  readonly decimal: string;
  readonly thousands: string;
  /** Whether the day comes before the month in dates with slashes or points. */
  readonly dayFirst: boolean;
  /** A second way to read text that is not a number by the first. */
  readonly otherwise?: LocaleFormat;
}

export const englishFormat: LocaleFormat = { decimal: ".", thousands: ",", dayFirst: false };

/**
 * The person's system settings, by which Excel on that system reads pasted text. If a text is not a number by these,
 * it is read as English.
 * @param language a language tag that replaces the system's language
 */
export function systemFormat(language?: string): LocaleFormat {
  const number = new Intl.NumberFormat(language).formatToParts(1_234_567.5);
  const valueOf = (wanted: string) => number.find(({ type }) => type === wanted)?.value;
  const date = new Intl.DateTimeFormat(language).formatToParts(0).map(({ type }) => type);
  return {
    decimal: valueOf("decimal") ?? englishFormat.decimal,
    thousands: valueOf("group") ?? englishFormat.thousands,
    dayFirst: date.indexOf("day") < date.indexOf("month"),
    otherwise: englishFormat,
  };
}
