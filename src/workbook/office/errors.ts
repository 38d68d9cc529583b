/**
 * Translates Excel's errors for planners. Office's errors have a `code` (documented in Excel.ErrorCodes) and come from another
 * JavaScript realm, so INV compares the code, never the class.
 */
import { InvError, isInvError } from "../../domain/errors";

const advice: Readonly<Record<string, string>> = {
  InvalidOperationInCellEditMode: "a cell is being edited. Finish it with Enter or Esc, then try again.",
  AccessDenied: "the sheet or the workbook is protected. Unprotect it, then try again.",
  ItemNotFound: "the sheet is no longer there. Try again.",
  ItemAlreadyExists: "somebody added a sheet of that name meanwhile. Try again.",
  InvalidSelection: "no cell is selected. Click a cell, then try again.",
  UndoNotSupported: "it can't undo this as one step. Try again: INV then works in several undo steps.",
  OperationCellsExceedLimit: "there are too many cells for one step. Select fewer, then try again.",
};

export function officeCode(error: unknown): string {
  if (typeof error !== "object" || error === null || isInvError(error)) return "";
  const code: unknown = Reflect.get(error, "code");
  return typeof code === "string" ? code : "";
}

export function fromOfficeError(error: unknown): InvError {
  if (isInvError(error)) return error;
  const code = officeCode(error);
  const reason =
    advice[code] ??
    `${code === "" ? "it gave no reason" : `its reason is ${code.slice(0, 60)}`}. Try again. If it happens again, copy the diagnostics for support.`;
  return new InvError("internal", `Excel did not do what INV asked: ${reason}`, { cause: error });
}

/** Returns whether the answer exceeded the limit of one round trip (limits.ts). */
export function isTooLarge(error: unknown): boolean {
  return /PayloadSizeLimitExceeded|RangeExceedsLimit|OperationCellsExceedLimit/.test(officeCode(error));
}

/** Returns whether Excel may have refused an undo group. The first code is documented, the others were reported. */
export function isGroupRefusal(error: unknown): boolean {
  const code = officeCode(isInvError(error) ? error.cause : error);
  return ["UndoNotSupported", "GeneralException", "InvalidArgument"].includes(code);
}
