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
  /** The oldest value's; empty where none is known. */
  readonly asOf: string;
  /** What was under way when the workbook was left. */
  readonly state: LedgerState;
}

/** One formula of the ledger. */
export interface FrozenLine {
  readonly id: string;
  /** The ledger's sheet that it is in: each session that freezes has one. */
  readonly writer: string;
  /** Where its cell is now, else where it was. */
  readonly cell: CellRef;
  /** Its cell or sheet was not deleted. */
  readonly isThere: boolean;
  readonly formula: string;
  /** ISO 8601 UTC. */
  readonly writtenAt: string;
  /** Why it cannot be put back now; null where it can. */
  readonly refusal: string | null;
}

export interface Freezer {
  freeze(scope: FreezeScope, as?: FreezeAs): Promise<FreezeReport>;
  thaw(scope: FreezeScope): Promise<FreezeReport>;
  /** What the ledger holds; null for a workbook without frozen cells. */
  frozen(): Promise<FrozenCells | null>;
  /** Completes what was under way. */
  finish(): Promise<FreezeReport>;
  /** Puts back everything that was being frozen, or freezes again what was being thawed. */
  goBack(): Promise<FreezeReport>;
  /** Every formula of the ledger, and whether a thaw would put it back; changes nothing. */
  lines(): Promise<readonly FrozenLine[]>;
  /** Drops these formulas for good; their cells keep their values. Resolves with how many there were. */
  forget(ids: readonly string[]): Promise<number>;
}

export interface FreezerOptions {
  readonly workbook: Workbook;
  readonly register: CellRegister;
  readonly clock: Clock;
  /** INV cells that wait for an answer. */
  waiting(): number;
  environmentId(): string | null;
}
