/**
 * Values that are still on their way must not be taken for values: freezing, mailing and copies wait for them. What
 * hosts show meanwhile is known here, and the one sentence that says what to do.
 */
import { InvError } from "../domain/errors";
import type { CellValue } from "./port";

/** What hosts show while a function has not answered. */
const pendingTexts: ReadonlySet<CellValue> = new Set(["#BUSY!", "#GETTING_DATA"]);

/** How many of the cells. */
export function pendingIn(cells: readonly (readonly CellValue[])[]): number {
  return cells.flat().filter((value) => pendingTexts.has(value)).length;
}

/** @param then what to do after the wait: `freeze` */
export function stillFetching(then: string): InvError {
  return new InvError(
    "bad-argument",
    `INV is still fetching values. Wait until all cells have theirs, or cancel, then ${then}.`,
  );
}

/** The same for cells that the host still shows as pending. */
export function stillWaiting(cells: number, then: string): InvError {
  const who = cells === 1 ? "One cell still waits" : `${cells} cells still wait`;
  return new InvError(
    "bad-argument",
    `${who} for a value. Wait until all have one, or cancel, then ${then}.`,
  );
}
