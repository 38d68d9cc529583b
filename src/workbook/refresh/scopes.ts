/**
 * Finds the cells of a refresh, and what each of them needs: the workbook's INV formulas in a scope, with their queries. The
 * register has the queries of cells that this session has calculated. The queries of the others are read from their formulas. A
 * search of the whole workbook also removes deleted formulas from the register.
 * Invariant: only cells that need answers are part of a refresh, the same that the register counts (`needsAnswers`).
 */
import type { CellRegister, InvCell } from "../../cells/cell-register";
import { needsAnswers, queriesOf } from "../../cells/cell-record";
import { functionFacts, type FunctionPreview } from "../../domain/functions";
import { isHistory } from "../../domain/query-keys";
import type { Query } from "../../domain/records";
import type { Clock } from "../../engine/clock";
import type { Engine } from "../../engine/types";
import { sheetCols, sheetRows } from "../../formula/columns";
import { cellKey, parseCellAddress } from "../addresses";
import { bySheet } from "../cell-areas";
import { readFormulaQueries } from "../formula-queries";
import { type FormulaEntry, searchFormulas } from "../formula-search";
import { inTimeSlices } from "../in-time-slices";
import { createFormulaReader, type InvFormula, type ReadFormula } from "../inv-formula";
import type { Area, CellRef, FormulaExtent, SelectedAreas, Workbook } from "../port";
import { addressesIn, invCellAt } from "../register-cells";
import { selectedAreas } from "../selected-areas";
import { spillsInto } from "../spills";

/** A cell that needs answers, and which. */
export interface RefreshCell
  extends FormulaEntry, Pick<InvFormula, "isReadFromText" | "isChoosing" | "showsResult"> {
  readonly queries: readonly Query[];
  /** Those that may also read the item's whole history. */
  readonly sums: readonly Query[];
  /** The number of INV calls whose queries can't be predicted before the cell is calculated. */
  readonly unpredictable: number;
  /** Whether an argument is wrong, so that the cell shows a reason once it is calculated. */
  readonly isRefused: boolean;
  /** Whether Excel may calculate the cell without calling INV, because an IF skips each call. */
  readonly isSkippable: boolean;
  /** Where the cell shows quantities that its only INV call returned: everywhere, or in this column; null if nowhere. */
  readonly quantities: "everywhere" | number | null;
}

/** A cell that only shows since when other cells are stale: for the items of these queries. */
export type AgeCell = FormulaEntry & Pick<RefreshCell, "queries">;

interface FoundCells {
  readonly refreshCells: readonly RefreshCell[];
  readonly ageCells: readonly AgeCell[];
}

/** Returns the cell's register entry. Looks it up once: the entry changes with its cell, until it is removed. */
export function invCellOf(cells: CellRegister, formula: FormulaEntry): InvCell | undefined {
  if (formula.invCell !== undefined && formula.invCell.recalculation > 0) return formula.invCell;
  return (formula.invCell = invCellAt(cells, formula.ref));
}

/** Returns where the cell is now: its sheet may have been renamed since it was found. */
export function placeOf({ ref, address, invCell }: FormulaEntry): CellRef {
  if (invCell === undefined || invCell.recalculation === 0 || invCell.address === address) return ref;
  return parseCellAddress(invCell.address) ?? ref;
}

/**
 * `older` means cells with values older than the freshness time. `rest` means what a refresh that failed or was cancelled has left, in
 * its scope. After any other refresh, it means the cells without an answer, for example after an outage.
 */
export type RefreshScope = "selection" | "sheet" | "workbook" | "older" | "rest";

export interface RefreshContext {
  readonly workbook: Workbook;
  readonly engine: Engine;
  readonly cells: CellRegister;
  readonly clock: Clock;
  readonly functions: Pick<FunctionPreview, "queries">;
  /** Returns the time that no value of the file is older than; by default nobody knows it. */
  readonly fileTime?: () => number | "unknown" | null;
}

export interface ScopeChoice extends FoundCells {
  /** Those that need answers, but that this session hasn't calculated. */
  readonly uncalculated: readonly RefreshCell[];
  /** Formulas outside the selection that fill a part of it. They are refreshed completely. */
  readonly grids: readonly FormulaExtent[];
}

interface FoundInSelection {
  readonly formulas: readonly FormulaEntry[];
  readonly grids: readonly FormulaExtent[];
}

export interface ChoiceOptions {
  readonly selected?: SelectedAreas | null;
  readonly read?: ReadFormula;
}

export interface Scopes {
  /** `selected` is instead of what is selected now, for a refresh that goes on. `read` remembers the formulas for it. */
  choose(scope: RefreshScope, options?: ChoiceOptions): Promise<ScopeChoice>;
  /** Returns all INV cells of these sheets, or of the workbook, after somebody has edited it. */
  findAgain(sheets: readonly string[] | null, read?: ReadFormula): Promise<FoundCells>;
}

export function createScopes(context: RefreshContext): Scopes {
  const { workbook, engine, cells, clock, functions } = context;
  let finding: Promise<readonly FormulaEntry[]> | null = null;

  // A search that began before an edit may have missed something.
  workbook.onEdit(() => (finding = null));

  /** Finds all INV formulas. Quotes that start together share one search. */
  function find(read: ReadFormula): Promise<readonly FormulaEntry[]> {
    if (finding !== null) return finding;
    const search = findAll(read).finally(() => {
      if (finding === search) finding = null;
    });
    return (finding = search);
  }

  function findAll(read: ReadFormula, within?: readonly Area[]): Promise<readonly FormulaEntry[]> {
    const before = cells.lastRecalculation();
    return searchFormulas(
      { workbook, cells, clock, read },
      () => calculatedUntil(before, addressesIn(cells, within ?? null)),
      within,
    );
  }

  /** Yields addresses, but skips cells that started to calculate during the search, which may have missed them. */
  function* calculatedUntil(last: number, addresses: Iterable<string>): Iterable<string> {
    for (const address of addresses) if ((cells.get(address)?.recalculation ?? 0) <= last) yield address;
  }

  /** Returns whether the value is stale, unanswered, from another environment, or of unknown age. Ages are those that the header shows. */
  function isOlder(formula: FormulaEntry): boolean {
    const invCell = invCellOf(cells, formula);
    const nowMs = clock.now();
    if (invCell === undefined) {
      const fileTime = context.fileTime?.() ?? "unknown";
      return fileTime === "unknown" || nowMs - fileTime >= engine.settings.freshnessMs;
    }
    if (cells.unansweredBecause(invCell) !== null) return true;
    const environmentId = engine.connection?.environment.id ?? null;
    if (invCell.environmentId !== environmentId) return true;
    // If the clock has been set back, the value seems to be from the future, and its time doesn't show its age.
    if (invCell.oldestMs !== null && invCell.oldestMs <= nowMs) {
      return nowMs - invCell.oldestMs >= engine.settings.freshnessMs;
    }
    return queriesOf(invCell).some((query) => !engine.isFresh(query));
  }

  async function inScope(
    scope: RefreshScope,
    selected: SelectedAreas | null,
    read: ReadFormula,
  ): Promise<readonly FormulaEntry[]> {
    if (selected !== null) return findAll(read, [wholeSheet(selected[0].sheet)]);
    const formulas = await find(read);
    if (scope === "workbook") return formulas;
    // The rest also has cells that show the reason for which there is no answer.
    const stale = new Set(scope === "rest" ? cells.stale().map(({ address }) => address) : []);
    const isUnanswered = (formula: FormulaEntry): boolean => {
      const invCell = invCellOf(cells, formula);
      return (
        stale.has(formula.address) || (invCell !== undefined && cells.unansweredBecause(invCell) !== null)
      );
    };
    const isWanted = scope === "older" ? isOlder : isUnanswered;
    const chosen: FormulaEntry[] = [];
    await inTimeSlices(clock, formulas, (formula) => {
      if (isWanted(formula)) chosen.push(formula);
    });
    return chosen;
  }

  /** Reads only the selection, because it changes often and the workbook may be large. */
  async function inSelection(areas: SelectedAreas, read: ReadFormula): Promise<FoundInSelection> {
    // Use a map by cell, so that a formula in two overlapping areas counts once.
    const formulas = new Map((await findAll(read, areas)).map((each) => [cellKey(each.ref), each]));
    const grids = new Map<string, FormulaExtent>();
    for (const area of areas) {
      for (const grid of await spillsInto({ workbook, cells }, area, formulas.size > 0)) {
        if (!formulas.has(cellKey(grid))) grids.set(cellKey(grid), grid);
      }
    }
    const others = [...grids.values()].map((grid): Area => ({ ...grid, rows: 1, cols: 1 }));
    if (others.length > 0) {
      for (const each of await findAll(read, others)) formulas.set(cellKey(each.ref), each);
    }
    return { formulas: [...formulas.values()], grids: [...grids.values()] };
  }

  async function withQueries(formulas: readonly FormulaEntry[], read: ReadFormula): Promise<FoundCells> {
    const toRead = formulas.filter(
      (formula) => registeredCall(formula) === undefined || read(formula.ref.formula).isReadFromText,
    );
    const found = await readFormulaQueries(
      { workbook, functions, clock, read },
      toRead.map(({ ref }) => ref),
    );
    const readOf = new Map(toRead.map((formula, index) => [formula, found[index]]));
    const refreshCells: RefreshCell[] = [];
    const ageCells: AgeCell[] = [];
    await inTimeSlices(clock, formulas, (formula) => {
      const text = readOf.get(formula);
      const invCell = registeredCall(formula);
      const { functions: names, isReadFromText, isChoosing, showsResult } = read(formula.ref.formula);
      const quantities = showsResult === null ? null : (functionFacts[names[0] ?? ""]?.quantities ?? null);
      // What the text can't tell, the last calculation in this session does, also that it needs nothing.
      if (invCell === undefined || (text !== undefined && text.unpredictable === 0)) {
        const { isAgeCell, ...needs } = text ?? unread;
        const facts = { isReadFromText, isChoosing, showsResult, quantities };
        const isNeeding = needs.queries.length + needs.unpredictable > 0 || needs.isRefused;
        if (isAgeCell) ageCells.push({ ...formula, queries: needs.queries });
        else if (isNeeding) refreshCells.push({ ...formula, ...needs, ...facts });
        return;
      }
      const queries = queriesOf(invCell);
      const mayReadWhole = names.some((name) => functionFacts[name]?.mayReadWhole === true);
      if (needsAnswers(invCell)) {
        refreshCells.push({
          ...formula,
          queries,
          sums: mayReadWhole ? queries.filter(isHistory) : [],
          unpredictable: 0,
          isRefused: false,
          isSkippable: false,
          isReadFromText: false,
          isChoosing,
          showsResult,
          quantities,
        });
      } else if (invCell.isAgeCell) ageCells.push({ ...formula, queries });
    });
    return { refreshCells, ageCells };
  }

  /** Returns the register's entry if it has the cell's queries. A cell that has just begun has none yet. */
  function registeredCall(formula: FormulaEntry): InvCell | undefined {
    const invCell = invCellOf(cells, formula);
    return invCell?.state === "waiting" && invCell.queries === null ? undefined : invCell;
  }

  return {
    async choose(scope, { selected: given = null, read = createFormulaReader() } = {}) {
      const isOfSelection = scope === "selection" || scope === "sheet";
      const selected = isOfSelection ? (given ?? (await selectedAreas(workbook, clock))) : null;
      const { formulas, grids } =
        selected !== null && scope === "selection"
          ? await inSelection(selected, read)
          : { formulas: await inScope(scope, selected, read), grids: [] };
      const found = await withQueries(formulas, read);
      const uncalculated = found.refreshCells.filter((cell) => {
        const invCell = invCellOf(cells, cell);
        return invCell === undefined || !needsAnswers(invCell);
      });
      return { ...found, uncalculated, grids };
    },
    async findAgain(sheets, read = createFormulaReader()) {
      const areas = sheets?.map(wholeSheet);
      return withQueries(await (areas === undefined ? find(read) : findAll(read, areas)), read);
    },
  };
}

/** Returns how many of the cells are in hidden rows. */
export async function countHidden(
  workbook: Pick<Workbook, "hiddenRows">,
  cells: readonly FormulaEntry[],
): Promise<number> {
  let hidden = 0;
  for (const [sheet, sheetRefs] of bySheet(cells.map(({ ref }) => ref))) {
    const first = sheetRefs.reduce((least, { row }) => Math.min(least, row), Infinity);
    const last = sheetRefs.reduce((last, { row }) => Math.max(last, row), first);
    const rows = await workbook.hiddenRows({ sheet, row: first, col: 0, rows: last - first + 1, cols: 1 });
    for (const { row } of sheetRefs) if (rows[row - first] === true) hidden += 1;
  }
  return hidden;
}

/** A formula that can't be read counts as one call. */
const unread = {
  queries: [],
  sums: [],
  unpredictable: 1,
  isRefused: false,
  isSkippable: false,
  isAgeCell: false,
};

/** Returns an area of Excel's largest size. Reads stop at the used range. */
function wholeSheet(sheet: string): Area {
  return { sheet, row: 0, col: 0, rows: sheetRows, cols: sheetCols };
}
