/**
 * Detects cells that still wait for a value. A refresh names them at its end, and a copy is refused while its sheets have some.
 */
import { InvError } from "../domain/errors";
import { isError } from "./cell-content";
import type { CellContent } from "./port";

/** Errors that hosts show until a function returns. */
const pendingErrors: ReadonlySet<string> = new Set(["#BUSY!", "#GETTING_DATA"]);

export function pendingIn(cells: readonly (readonly CellContent[])[]): number {
  return cells.flat().filter(isPending).length;
}

export function isPending(content: CellContent): boolean {
  return isError(content) && pendingErrors.has(content.error);
}

export function stillWaiting(cells: number): InvError {
  const who = cells === 1 ? "One cell still waits" : `${cells} cells still wait`;
  return new InvError(
    "bad-argument",
    `${who} for a value. Wait until all have one, or cancel, then copy again.`,
  );
}
