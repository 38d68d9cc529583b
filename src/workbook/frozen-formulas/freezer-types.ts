/** What freezes and thaws an open workbook, as the pane, the ribbon and the mail preparation use it. */
import type { CellRegister } from "../../cells/cell-register";
import type { Clock } from "../../engine/clock";
import type { LedgerState } from "./ledger-reader";
import type { CellRef, Workbook } from "../port";
import type { FreezeAs } from "./freeze";
import type { FreezeReport } from "./report";

export type FreezeScope = "selection" | "sheet" | "workbook";

export interface FrozenCells {
  readonly cells: number;
  /** Ids of the environments their values came from. */
  readonly environmentIds: readonly string[];
  /** When the oldest value was fetched, ISO 8601 UTC; empty if unknown. */
  readonly asOf: string;
  /** What was under way when the workbook was closed. */
  readonly state: LedgerState;
}

/** One formula of the ledger. */
export interface FrozenLine {
  readonly id: string;
  /** The ledger sheet that contains it. Each freeze has its own. */
  readonly writer: string;
  /** Where its cell is now, or where it was if it was deleted. */
  readonly cell: CellRef;
  /** False if its cell or sheet was deleted. */
  readonly isThere: boolean;
  readonly formula: string;
  /** ISO 8601 UTC. */
  readonly writtenAt: string;
  /** Why a thaw can't put it back now; null if it can. */
  readonly refusal: string | null;
}

export interface Freezer {
  freeze(scope: FreezeScope, as?: FreezeAs): Promise<FreezeReport>;
  thaw(scope: FreezeScope): Promise<FreezeReport>;
  /** Summarizes the ledger; null for a workbook without frozen cells. */
  frozen(): Promise<FrozenCells | null>;
  /** Completes a freeze or thaw that was cut off. */
  finish(): Promise<FreezeReport>;
  /** Thaws what was being frozen, or freezes what was being thawed. */
  goBack(): Promise<FreezeReport>;
  /** Returns every formula of the ledger, and whether a thaw would put it back. Changes nothing. */
  lines(): Promise<readonly FrozenLine[]>;
  /** Removes these formulas for good; their cells keep their values. Resolves with the number of formulas. */
  forget(ids: readonly string[]): Promise<number>;
}

export interface FreezerOptions {
  readonly workbook: Workbook;
  readonly register: CellRegister;
  readonly clock: Clock;
  /** Returns the number of INV cells that wait for an answer. */
  waiting(): number;
  environmentId(): string | null;
}
