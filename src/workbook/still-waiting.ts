/**
 * Detects cells that still wait for a value. A refresh names them at its end, and a copy is refused while its sheets have some.
 */
import { InvError } from "../domain/errors";
import { isError } from "./cell-content";
import type { CellContent } from "./port";

/** Errors that hosts show until a function returns. */
const pendingErrors: ReadonlySet<string> = new Set(["#BUSY!", "#GETTING_DATA"]);

export function isPending(content: CellContent): boolean {
  return isError(content) && pendingErrors.has(content.error);
}

/** Has no number: cells that need no answers wait too, and the pane doesn't count them. */
export function stillWaiting(): InvError {
  return new InvError(
    "not-possible",
    "Some cells still wait for a value. Wait until all have one, or cancel, then copy again.",
  );
}
