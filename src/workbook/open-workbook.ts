/**
 * The open workbook and the services that INV creates for it. The host opens it some time after the start, or reports that it
 * can't.
 */
import type { InvError } from "../domain/errors";
import type { Workbook } from "./port";
import type { Refresher } from "./refresh/refresh";

/** `none` means a plain browser page without a workbook. */
export type OpenWorkbook =
  | { readonly kind: "starting" }
  | { readonly kind: "none" }
  | { readonly kind: "failed"; readonly error: InvError }
  | ({ readonly kind: "open" } & OpenOne);

export interface OpenOne {
  readonly workbook: Workbook;
  readonly refresher: Refresher;
}
