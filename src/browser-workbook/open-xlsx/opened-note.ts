/**
 * The message after a file was opened: its name, and what the page doesn't show of it. The page reloads in between,
 * so the message is a setting of the workbook until the person closes it.
 */

import { parsedJson } from "../../domain/json";
import { field } from "../json-fields";

export const openedSetting = "inv.opened";

export interface OpenedNote {
  readonly name: string;
  readonly left: readonly string[];
}

/** Null if there is no message or it can't be read. */
export function readOpenedNote(saved: string | null): OpenedNote | null {
  const read = parsedJson(saved);
  const [name, left] = [field(read, "name"), field(read, "left")];
  if (typeof name !== "string" || !Array.isArray(left)) return null;
  return { name, left: left.filter((each) => typeof each === "string") };
}
