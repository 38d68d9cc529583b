/**
 * Whether a workbook is open, and what INV can do with it when it is. The host opens it some time after the
 * start, or says that it cannot.
 */
import type { InvError } from "../domain/errors";
import type { Freezer } from "./frozen-formulas/freezer-types";
import type { ThawOffer } from "./frozen-formulas/thaw-offer";
import type { Workbook } from "./port";
import type { Refresher } from "./refresh/refresh";

/** The open workbook; `none` in a plain browser page, where there is nothing to refresh. */
export type OpenWorkbook =
  | { readonly kind: "starting" }
  | { readonly kind: "none" }
  | { readonly kind: "failed"; readonly error: InvError }
  | {
      readonly kind: "open";
      readonly workbook: Workbook;
      readonly refresher: Refresher;
      readonly freezer: Freezer;
      readonly offer: ThawOffer;
    };
