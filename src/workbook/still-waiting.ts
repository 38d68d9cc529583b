/**
 * Values that are still on their way must not be taken for values: freezing, mailing and copies wait for them. What
 * hosts show meanwhile is known here, and the one sentence that says what to do.
 */
import { InvError } from "../domain/errors";
import { isError } from "./cell-content";
import type { CellContent } from "./port";

/** What hosts show while a function has not answered. */
const pendingErrors: ReadonlySet<string> = new Set(["#BUSY!", "#GETTING_DATA"]);

/** How many of the cells. */
export function pendingIn(cells: readonly (readonly CellContent[])[]): number {
  return cells.flat().filter(isPending).length;
}

export function isPending(content: CellContent): boolean {
  return isError(content) && pendingErrors.has(content.error);
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
