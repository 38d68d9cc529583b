/**
 * Freezes, thaws and lists frozen formulas. Each command reads the ledger again. `freezer.ts` runs one command at a time and
 * loads this chunk for the first.
 */
import { cellKey, contains, parseCellAddress } from "../addresses";
import { forgetDeleted, findInvFormulas } from "../formula-search";
import { areasOf } from "../register-cells";
import type { Area, CellRef } from "../port";
import { selectedAreas } from "../selected-areas";
import { stillFetching } from "../still-waiting";
import { type FreezeAs, freezeCells } from "./freeze";
import type { Freezer, FreezerOptions, FreezeScope, FrozenLine } from "./freezer-types";
import { createLedger, type LedgerLine, sheetsOf } from "./ledger";
import type { LedgerState } from "./ledger-reader";
import { isLedgerSheet } from "./ledger-sheets";
import { type FreezeReport, skippedFor } from "./report";
import { thawCells } from "./thaw";
import { planThaw } from "./thaw-plan";

export function createFreezeCommands(options: FreezerOptions): Freezer {
  const { workbook, register, clock, environmentId } = options;
  const ledger = createLedger(workbook);

  async function inScope(scope: FreezeScope): Promise<(ref: CellRef) => boolean> {
    if (scope === "workbook") return () => true;
    const areas = await selectedAreas(workbook, clock);
    if (scope === "sheet") return ({ sheet }) => sheet === areas[0].sheet;
    return (ref) => areas.some((area) => contains(area, ref));
  }

  async function freezeWanted(
    isWanted: (ref: CellRef) => boolean,
    { as, isResumed = false }: { readonly as: FreezeAs; readonly isResumed?: boolean },
  ): Promise<FreezeReport> {
    if (options.waiting() > 0) throw stillFetching("freeze");
    const find = async () => (await findInvFormulas(workbook)).filter(({ sheet }) => !isLedgerSheet(sheet));
    const found = await find();
    const hidden = (await findHidden(found)).filter(isWanted);
    const writerOptions = { clock, isResumed };
    const tools = { workbook, ledger, writerOptions, register, environmentId, nowMs: () => clock.now() };
    const first = found.filter(isWanted);
    const { cells, skipped } = await freezeCells(
      tools,
      { first, find: async () => (await find()).filter(isWanted) },
      as,
    );
    // A thaw restores only formulas that call INV, so INV must recognize each formula that it freezes.
    const reason = "INV answers the formula, but can't find its own name in it";
    return { cells, skipped: [...skipped, ...skippedFor(reason, hidden)] };
  }

  /** Returns cells with a formula that have called INV, but in whose formula INV doesn't find its name. */
  async function findHidden(found: readonly CellRef[]): Promise<readonly CellRef[]> {
    const keys = new Set(found.map(cellKey));
    const others = [...register.all()]
      .map(({ address }) => address)
      .filter((address) => {
        const ref = parseCellAddress(address);
        return ref !== null && !keys.has(cellKey(ref));
      });
    return forgetDeleted({ workbook, cells: register }, () => others, areasOf(others));
  }

  async function thawWanted(isWanted: (area: Area) => boolean, isResumed = false): Promise<FreezeReport> {
    const content = await ledger.read();
    if (content === null) return { cells: 0, skipped: [] };
    return thawCells({ workbook, ledger, writerOptions: { clock, isResumed } }, content, isWanted);
  }

  async function thawAll(): Promise<FreezeReport> {
    await ledger.setState("freezing", "thawing");
    return thawWanted(() => true, true);
  }

  /** Freezes the cells that are in the ledger but contain their formula (again). */
  async function freezeRemembered(): Promise<FreezeReport> {
    const content = await ledger.read();
    const remembered = new Set(
      content?.lines.flatMap(({ places }) => places.flatMap(({ at }) => (at === null ? [] : cellKey(at)))),
    );
    await ledger.setState("freezing", "none");
    await ledger.setState("thawing", "none");
    return freezeWanted((ref) => remembered.has(cellKey(ref)), { as: "values", isResumed: true });
  }

  async function readState(): Promise<LedgerState> {
    return (await ledger.read())?.state ?? "none";
  }

  return {
    freeze: async (scope, as = "values") => freezeWanted(await inScope(scope), { as }),
    thaw: async (scope) => thawWanted(await inScope(scope)),
    async frozen() {
      const content = await ledger.read();
      if (content === null || content.lines.length === 0) return null;
      const entries = content.lines.map(({ entry }) => entry);
      const asOf = entries.map((entry) => entry.asOf).filter((each) => each !== "");
      return {
        cells: new Set(content.lines.map(lineIdOf)).size,
        environmentIds: [...new Set(entries.map((entry) => entry.environmentId))].filter((id) => id !== ""),
        asOf: asOf.reduce((oldest, each) => (oldest === "" || each < oldest ? each : oldest), ""),
        state: content.state,
      };
    },
    finish: async () => ((await readState()) === "freezing" ? freezeRemembered() : thawAll()),
    goBack: async () => ((await readState()) === "freezing" ? thawAll() : freezeRemembered()),
    async lines() {
      const lines = (await ledger.read())?.lines ?? [];
      const { refused } = await planThaw(workbook, lines, () => true);
      const reasons = new Map(refused.map(({ line, reason }) => [line.entry, reason]));
      const byId = lines.map((line): [string, FrozenLine] => {
        const { entry, places } = line;
        const id = lineIdOf(line);
        const { at } = places[0];
        const refusal = reasons.get(entry) ?? null;
        return [id, { id, cell: at ?? entry.ref, isThere: at !== null, formula: entry.formula, refusal }];
      });
      return [...new Map(byId).values()];
    },
    async forget(ids) {
      const wanted = new Set(ids);
      const lines = ((await ledger.read())?.lines ?? []).filter((line) => wanted.has(lineIdOf(line)));
      await ledger.drop(lines);
      await ledger.tidy(sheetsOf(lines));
      return lines.length;
    },
  };
}

/** Returns an id that is the same for two lines that two people wrote for one formula. */
export function lineIdOf({ entry }: LedgerLine): string {
  return [cellKey(entry.ref), entry.sheetId, entry.formula, entry.refersTo].join("\n");
}
