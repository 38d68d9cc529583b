/**
 * What is told once a file was opened: its name, and what of it is not shown. It stands in the workbook's own data
 * until the person closes it, because the page is loaded anew in between.
 */

export const openedSetting = "inv.opened";

export interface OpenedNote {
  readonly name: string;
  readonly left: readonly string[];
}

/** Null where nothing is to be told, and for what cannot be read. */
export function readOpenedNote(saved: string | null): OpenedNote | null {
  try {
    const read: unknown = JSON.parse(saved ?? "null");
    if (typeof read !== "object" || read === null) return null;
    const { name, left } = read as Partial<Record<keyof OpenedNote, unknown>>;
    if (typeof name !== "string" || !Array.isArray(left)) return null;
    return { name, left: left.filter((each) => typeof each === "string") };
  } catch {
    return null;
  }
}
