/**
 * What is told once a file was opened: its name, and what of it is not shown. It stands in the workbook's own data
 * until the person closes it, because the page is loaded anew in between.
 */

import { parsedJson } from "../../domain/json";
import { field } from "../json-fields";

export const openedSetting = "inv.opened";

export interface OpenedNote {
  readonly name: string;
  readonly left: readonly string[];
}

/** Null where nothing is to be told, and for what cannot be read. */
export function readOpenedNote(saved: string | null): OpenedNote | null {
  const read = parsedJson(saved);
  const [name, left] = [field(read, "name"), field(read, "left")];
  if (typeof name !== "string" || !Array.isArray(left)) return null;
  return { name, left: left.filter((each) => typeof each === "string") };
}
