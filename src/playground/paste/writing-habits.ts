/** How people and programs write numbers and dates: separators, and whether the day comes first. */

export interface WritingHabits {
  readonly decimal: string;
  readonly thousands: string;
  /** Order of day and month in dates with slashes or points. */
  readonly dayFirst: boolean;
}

export const plainHabits: WritingHabits = { decimal: ".", thousands: ",", dayFirst: false };
