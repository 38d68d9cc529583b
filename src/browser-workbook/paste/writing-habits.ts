/** How people and programs write numbers and dates: separators, and whether the day comes first. */

export interface WritingHabits {
  readonly decimal: string;
  readonly thousands: string;
  /** Order of day and month in dates with slashes or points. */
  readonly dayFirst: boolean;
  /** Of whoever may have written it instead: these count for what is no number by the others. */
  readonly otherwise?: WritingHabits;
}

export const plainHabits: WritingHabits = { decimal: ".", thousands: ",", dayFirst: false };

/**
 * As the person's system writes, which is how Excel there reads what is pasted; else in English.
 * @param language a language tag in place of the system's own
 */
export function systemHabits(language?: string): WritingHabits {
  const number = new Intl.NumberFormat(language).formatToParts(1_234_567.5);
  const valueOf = (wanted: string) => number.find(({ type }) => type === wanted)?.value;
  const date = new Intl.DateTimeFormat(language).formatToParts(0).map(({ type }) => type);
  return {
    decimal: valueOf("decimal") ?? plainHabits.decimal,
    thousands: valueOf("group") ?? plainHabits.thousands,
    dayFirst: date.indexOf("day") < date.indexOf("month"),
    otherwise: plainHabits,
  };
}
