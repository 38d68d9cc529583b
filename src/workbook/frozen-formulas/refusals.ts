/** Why the ledger cannot be kept or read, in words a planner can act on. */
import { InvError } from "../../domain/errors";

export function notKept(): InvError {
  return new InvError(
    "internal",
    "The workbook did not keep the formulas INV wrote down, so no cell was changed. Is the workbook read-only? Save a copy and try again.",
  );
}

export function full(mostLines: number): InvError {
  return new InvError(
    "internal",
    `This workbook's ledger is full (${mostLines} formulas). Thaw or delete frozen sheets first.`,
  );
}

export function notOurs(sheet: string): InvError {
  return new InvError(
    "internal",
    `The workbook has a sheet "${sheet}" that is not INV's. Rename that sheet, then try again.`,
  );
}

export function newer(): InvError {
  return new InvError(
    "internal",
    "These formulas were frozen by a newer INV than this one. Reload INV, or ask your administrator for the new version.",
  );
}
