/** How people and programs write numbers and dates, as patterns that match exactly one plain number or one date. */

export interface LocaleFormat {
  readonly decimal: string;
  /** Between groups of digits. */
  readonly group: string;
  /** The ten digits, from 0 to 9. */
  readonly digits: string;
  /** Its groups: sign, digits before the decimal separator, digits after it, exponent, percent sign. */
  readonly number: RegExp;
  readonly date: DateFormat;
}

interface DateFormat {
  /** Its groups are named year, month and day. */
  readonly pattern: RegExp;
  /** Excel's code. */
  readonly code: string;
}

/** The person's system settings. The language is undefined for the system's own. */
export function systemFormat(language?: string): LocaleFormat {
  const written = new Intl.NumberFormat(language, { useGrouping: "always" }).formatToParts(1_234_567_890.5);
  const valueOf = (kind: string) => written.find(({ type }) => type === kind)?.value;
  const sizes = written.filter(({ type }) => type === "integer").map(({ value }) => value.length);
  const digits = new Intl.NumberFormat(language, { useGrouping: false }).format(9_876_543_210);
  return {
    ...formatOf({ decimal: valueOf("decimal") ?? ".", group: valueOf("group") ?? ",", sizes }),
    digits: Array.from(digits).reverse().join(""),
    date: dateFormat(language),
  };
}

/**
 * The format of copied cells. Excel's may differ from the browser's, for example under an English browser on a German
 * system. Excel states its separators in the HTML of a copy: `mso-displayed-decimal-separator:"\,"`. It doesn't state the order
 * of its dates; where the decimal separator is a comma, the day comes first.
 */
export function copiedFormat(html: string): LocaleFormat {
  const system = systemFormat();
  const separator = (name: string) => {
    const stated = `mso-displayed-${name}-separator:"?\\\\?(?:([0-9a-f]{4})|([^";}]))`;
    const [, hex, mark] = new RegExp(stated, "i").exec(html) ?? [];
    return hex === undefined ? mark : String.fromCharCode(parseInt(hex, 16));
  };
  const [decimal, group] = [separator("decimal"), separator("thousand")];
  if (decimal === undefined || group === undefined) return system;
  if (decimal === system.decimal && group === system.group) return system;
  const date = decimal === "," ? dayFirst : system.date;
  return { ...system, ...formatOf({ decimal, group, sizes: [3, 3] }), date };
}

function formatOf(separators: {
  readonly decimal: string;
  readonly group: string;
  /** Digits in each group. */
  readonly sizes: readonly number[];
}): Pick<LocaleFormat, "decimal" | "group" | "number"> {
  const { decimal, group, sizes } = separators;
  const [last, others] = [sizes.at(-1) ?? 3, sizes.at(-2) ?? 3];
  const [mark, point] = [anyOf(group), anyOf(decimal)];
  const grouped = (first: number, rest: number) =>
    `[1-9]\\d{0,${rest - 1}}(?:${mark}\\d{${rest}})*${mark}\\d{${first}}`;
  // Number formats make groups of three in every language.
  const whole = `${grouped(last, others)}|${grouped(3, 3)}|[1-9]\\d*|0`;
  const digits = `(?=\\d|${point}\\d)(${whole})?(?:${point}(\\d+))?`;
  const number = new RegExp(`^(-?)${digits}(?:E([+-]?\\d+))?(\\s?[%٪])?$`, "i");
  return { decimal, group, number };
}

/** A person types the space or the apostrophe of their keyboard. */
function anyOf(separator: string): string {
  if (/\s/.test(separator)) return "[ \\u00a0\\u202f]";
  return /['’]/.test(separator) ? "['’]" : `\\${separator}`;
}

const dayFirst: DateFormat = {
  pattern: /^(?<day>\d{1,2})[./-](?<month>\d{1,2})[./-](?<year>\d{4})$/,
  code: "dd.mm.yyyy",
};

function dateFormat(language: string | undefined): DateFormat {
  const options: Intl.DateTimeFormatOptions = {
    calendar: "gregory",
    numberingSystem: "latn",
    timeZone: "UTC",
  };
  const parts = new Intl.DateTimeFormat(language, options).formatToParts(Date.UTC(2026, 0, 2));
  const separator = parts.find(({ type }) => type === "literal")?.value.trim() ?? "/";
  const fields = parts.flatMap(({ type, value }) =>
    type === "year" || type === "month" || type === "day" ? [{ type, width: value.length }] : [],
  );
  const groups = fields.map(({ type }) => `(?<${type}>\\d{${type === "year" ? "4" : "1,2"}})`);
  const mark = `\\${separator}`;
  return {
    pattern: new RegExp(`^${groups.join(`${mark}\\s?`)}${mark}?$`),
    code: fields.map(({ type, width }) => type.charAt(0).repeat(width)).join(separator),
  };
}
