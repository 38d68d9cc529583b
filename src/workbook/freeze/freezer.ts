/**
 * Freeze and thaw as the pane, the ribbon and the mail preparation use them: a scope in, a report out,
 * one at a time. A workbook that was left in the middle says so, and can be finished or taken back. The work
 * itself is a chunk of its own, loaded before a cell is touched.
 */
import type { CellRegister } from "../../cells/cell-register";
import type { Clock } from "../../engine/clock";
import { cellKey, contains, parseCellAddress } from "../addresses";
import { forgetGone } from "../formula-search";
import { findInvFormulas } from "../inv-names";
import { areasOf } from "../known-cells";
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
  const ledger = createLedger(workbook, () => clock.random());
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
    const found = await findInvFormulas(workbook);
    const standing = new Set(found.map(cellKey));
    const others = [...register.all()]
      .map(({ address }) => address)
      .filter((address) => {
        const ref = parseCellAddress(address);
        return ref !== null && !standing.has(cellKey(ref));
      });
    const cells = register;
    const hidden = (await forgetGone({ workbook, cells }, () => others, areasOf(others))).filter(isWanted);
    const { freezeCells } = await loaded(import(/* webpackChunkName: "freeze" */ "./freeze"));
    const tools = { workbook, ledger, register, environmentId, nowMs: () => clock.now() };
    const report = await freezeCells(tools, found.filter(isWanted), as);
    return hidden.length === 0 ? report : withLeft(report, hidden);
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
    const known = new Set(content?.lines.flatMap(({ at }) => (at === null ? [] : [cellKey(at)])));
    const report = await freezeThose((ref) => known.has(cellKey(ref)), "values");
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

/** Thawing puts back INV formulas alone, so a formula that cannot be told for one must not be frozen. */
function withLeft(report: FreezeReport, cells: readonly CellRef[]): FreezeReport {
  const reason = "INV answers the formula, but where it names INV cannot be read";
  return { ...report, left: [...report.left, { reason, cells }] };
}
