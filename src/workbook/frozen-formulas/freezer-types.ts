/** The interface that freezes and thaws an open workbook, as the pane, the ribbon and the mail preparation use it. */
import type { CellRegister } from "../../cells/cell-register";
import type { Clock } from "../../engine/clock";
import type { LedgerState } from "./ledger-reader";
import type { CellRef, Workbook } from "../port";
import type { FreezeAs } from "./freeze";
import type { FreezeReport } from "./report";

export type FreezeScope = "selection" | "sheet" | "workbook";

export interface FrozenCells {
  readonly cells: number;
  readonly environmentIds: readonly string[];
  /** When the oldest value was fetched, ISO 8601 UTC; empty if unknown. */
  readonly asOf: string;
  readonly state: LedgerState;
}

export interface FrozenLine {
  readonly id: string;
  /** The current cell, or the last known one if it was deleted. */
  readonly cell: CellRef;
  /** False if the cell or its sheet was deleted. */
  readonly isThere: boolean;
  readonly formula: string;
  /** Why a thaw can't restore it now; null if it can. */
  readonly refusal: string | null;
}

export interface Freezer {
  freeze(scope: FreezeScope, as?: FreezeAs): Promise<FreezeReport>;
  thaw(scope: FreezeScope): Promise<FreezeReport>;
  /** Summarizes the ledger; null for a workbook without frozen cells. */
  frozen(): Promise<FrozenCells | null>;
  finish(): Promise<FreezeReport>;
  /** Reverts an interrupted freeze by thawing, or an interrupted thaw by freezing. */
  goBack(): Promise<FreezeReport>;
  /** Returns every formula of the ledger, and whether a thaw would restore it. Changes nothing. */
  lines(): Promise<readonly FrozenLine[]>;
  /** Deletes these formulas permanently; their cells keep their values. Resolves with the number of deleted formulas. */
  forget(ids: readonly string[]): Promise<number>;
}

export interface FreezerOptions {
  readonly workbook: Workbook;
  readonly register: CellRegister;
  readonly clock: Clock;
  waiting(): number;
  environmentId(): string | null;
}
