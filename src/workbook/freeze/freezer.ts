/**
 * Freeze and thaw as the pane, the ribbon and the mail preparation use them: a scope in, a report out,
 * one at a time. A workbook that was left in the middle says so, and can be finished or taken back. The work
 * itself is a chunk of its own, loaded before a cell is touched.
 */
import type { CellRegister } from "../../cells/cell-register";
import type { Clock } from "../../engine/clock";
import { contains } from "../addresses";
import { isInvFormula } from "../inv-formulas";
import { createLedger, type LedgerState } from "../ledger/ledger";
import type { Area, CellRef, Workbook } from "../port";
import { loaded } from "../loaded";
import { selectedAreas } from "../selected-areas";
import { stillFetching } from "../still-waiting";
import type { FreezeAs, FreezeReport } from "./freeze";

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

export interface Freezer {
  freeze(scope: FreezeScope, as?: FreezeAs): Promise<FreezeReport>;
  thaw(scope: FreezeScope): Promise<FreezeReport>;
  /** What the ledger holds; null for a workbook without frozen cells. */
  frozen(): Promise<FrozenCells | null>;
  /** Completes what was under way. */
  finish(): Promise<FreezeReport>;
  /** Puts back everything that was being frozen, or freezes again what was being thawed. */
  goBack(): Promise<FreezeReport>;
}

export interface FreezerOptions {
  readonly workbook: Workbook;
  readonly register: CellRegister;
  readonly clock: Clock;
  /** INV cells that wait for an answer. */
  waiting(): number;
  environmentId(): string | null;
}

export function createFreezer(options: FreezerOptions): Freezer {
  const { workbook, register, clock, environmentId } = options;
  const ledger = createLedger(workbook);
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other: two of them would read each other's half-done work. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  }

  async function inScope(scope: FreezeScope): Promise<(ref: CellRef) => boolean> {
    if (scope === "workbook") return () => true;
    const areas = await selectedAreas(workbook, clock);
    if (scope === "sheet") return ({ sheet }) => sheet === areas[0].sheet;
    return (ref) => areas.some((area) => contains(area, ref));
  }

  async function freezeThose(isWanted: (ref: CellRef) => boolean, as: FreezeAs): Promise<FreezeReport> {
    if (options.waiting() > 0) throw stillFetching("freeze");
    const found = await workbook.findFormulas(isInvFormula);
    const { freezeCells } = await loaded(import(/* webpackChunkName: "freeze" */ "./freeze"));
    return freezeCells({ workbook, ledger, register, environmentId }, found.filter(isWanted), as);
  }

  async function thawThose(isWanted: (area: Area) => boolean): Promise<FreezeReport> {
    const content = await ledger.read();
    if (content === null) return { cells: 0, left: [] };
    const { thawCells } = await loaded(import(/* webpackChunkName: "freeze" */ "./thaw"));
    return thawCells({ workbook, ledger }, content, isWanted);
  }

  /** Freezes the cells that the ledger knows and that hold their formula (again). */
  async function freezeKnown(): Promise<FreezeReport> {
    const content = await ledger.read();
    const known = new Set(
      content?.lines.map(({ entry }) => `${entry.ref.sheet}\n${entry.ref.row}\n${entry.ref.col}`),
    );
    const report = await freezeThose(
      ({ sheet, row, col }) => known.has(`${sheet}\n${row}\n${col}`),
      "values",
    );
    await ledger.setState("none");
    return report;
  }

  async function underWay(): Promise<LedgerState> {
    return (await ledger.read())?.state ?? "none";
  }

  return {
    freeze: (scope, as = "values") => inTurn(async () => freezeThose(await inScope(scope), as)),
    thaw: (scope) => inTurn(async () => thawThose(await inScope(scope))),
    frozen: () =>
      inTurn(async () => {
        const content = await ledger.read();
        if (content === null || content.lines.length === 0) return null;
        const entries = content.lines.map(({ entry }) => entry);
        const asOf = entries.map((entry) => entry.asOf).filter((each) => each !== "");
        return {
          cells: entries.length,
          environmentIds: [...new Set(entries.map((entry) => entry.environmentId))].filter((id) => id !== ""),
          asOf: asOf.reduce((oldest, each) => (oldest === "" || each < oldest ? each : oldest), ""),
          state: content.state,
        };
      }),
    finish: () =>
      inTurn(async () => ((await underWay()) === "freezing" ? freezeKnown() : thawThose(() => true))),
    goBack: () =>
      inTurn(async () => ((await underWay()) === "freezing" ? thawThose(() => true) : freezeKnown())),
  };
}
