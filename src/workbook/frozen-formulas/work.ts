/**
 * Freezes, thaws and lists frozen formulas. Each command reads the ledger again; `freezer.ts` runs one at a time.
 * In a chunk of its own, loaded at the first command.
 */
import { cellKey, contains, parseCellAddress } from "../addresses";
import { forgetDeleted, findInvFormulas } from "../formula-search";
import { areasOf } from "../register-cells";
import { isLedgerSheet } from "./ledger-sheets";
import { createLedger } from "./ledger";
import type { LedgerState } from "./ledger-reader";
import type { Area, CellRef } from "../port";
import { selectedAreas } from "../selected-areas";
import { stillFetching } from "../still-waiting";
import { type FreezeAs, freezeCells } from "./freeze";
import type { Freezer, FreezerOptions, FreezeScope } from "./freezer-types";
import { forgetLines, idOf, listLines } from "./frozen-lines";
import type { FreezeReport } from "./report";
import { thawCells } from "./thaw";

export function createFreezeWork(options: FreezerOptions): Freezer {
  const { workbook, register, clock, environmentId } = options;
  const ledger = createLedger(workbook, () => clock.random());

  async function inScope(scope: FreezeScope): Promise<(ref: CellRef) => boolean> {
    if (scope === "workbook") return () => true;
    const areas = await selectedAreas(workbook, clock);
    if (scope === "sheet") return ({ sheet }) => sheet === areas[0].sheet;
    return (ref) => areas.some((area) => contains(area, ref));
  }

  async function freezeThose(isWanted: (ref: CellRef) => boolean, as: FreezeAs): Promise<FreezeReport> {
    if (options.waiting() > 0) throw stillFetching("freeze");
    const find = async () => (await findInvFormulas(workbook)).filter(({ sheet }) => !isLedgerSheet(sheet));
    const found = await find();
    const standing = new Set(found.map(cellKey));
    const others = [...register.all()]
      .map(({ address }) => address)
      .filter((address) => {
        const ref = parseCellAddress(address);
        return ref !== null && !standing.has(cellKey(ref));
      });
    const cells = register;
    const hidden = (await forgetDeleted({ workbook, cells }, () => others, areasOf(others))).filter(isWanted);
    const tools = { workbook, ledger, register, environmentId, nowMs: () => clock.now() };
    const first = found.filter(isWanted);
    const report = await freezeCells(tools, { first, find: async () => (await find()).filter(isWanted) }, as);
    return hidden.length === 0 ? report : withLeft(report, hidden);
  }

  async function thawThose(isWanted: (area: Area) => boolean): Promise<FreezeReport> {
    const content = await ledger.read();
    return content === null ? { cells: 0, left: [] } : thawCells({ workbook, ledger }, content, isWanted);
  }

  async function thawAll(): Promise<FreezeReport> {
    await ledger.setState("freezing", "thawing");
    return thawThose(() => true);
  }

  /** Freezes the cells that the ledger knows and that hold their formula (again). */
  async function freezeKnown(): Promise<FreezeReport> {
    const content = await ledger.read();
    const known = new Set(
      content?.lines.flatMap(({ places }) => places.flatMap(({ at }) => (at === null ? [] : cellKey(at)))),
    );
    await ledger.setState("freezing", "none");
    await ledger.setState("thawing", "none");
    return freezeThose((ref) => known.has(cellKey(ref)), "values");
  }

  async function underWay(): Promise<LedgerState> {
    return (await ledger.read())?.state ?? "none";
  }

  return {
    freeze: async (scope, as = "values") => freezeThose(await inScope(scope), as),
    thaw: async (scope) => thawThose(await inScope(scope)),
    async frozen() {
      const content = await ledger.read();
      if (content === null || content.lines.length === 0) return null;
      const entries = content.lines.map(({ entry }) => entry);
      const asOf = entries.map((entry) => entry.asOf).filter((each) => each !== "");
      return {
        cells: new Set(content.lines.map(idOf)).size,
        environmentIds: [...new Set(entries.map((entry) => entry.environmentId))].filter((id) => id !== ""),
        asOf: asOf.reduce((oldest, each) => (oldest === "" || each < oldest ? each : oldest), ""),
        state: content.state,
      };
    },
    finish: async () => ((await underWay()) === "freezing" ? freezeKnown() : thawAll()),
    goBack: async () => ((await underWay()) === "freezing" ? thawAll() : freezeKnown()),
    lines: () => listLines({ workbook, ledger }),
    forget: (ids) => forgetLines(ledger, ids),
  };
}

/** A thaw puts back only INV formulas, so a formula that can't be recognized as one must not be frozen. */
function withLeft(report: FreezeReport, cells: readonly CellRef[]): FreezeReport {
  const reason = "INV answers the formula, but where it names INV cannot be read";
  return { ...report, left: [...report.left, { reason, cells }] };
}
