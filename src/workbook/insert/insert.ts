/**
 * Insert: makes a formula for the selected cells from the person's picks, and says what it costs. `put.ts` writes it. Invariant:
 * the state belongs to the latest picks and selection; late results are dropped.
 */
import { type InvError, toInvError } from "../../domain/errors";
import { count } from "../../domain/number-words";
import type { Clock } from "../../engine/clock";
import type { Engine } from "../../engine/types";
import { contains } from "../addresses";
import { type BuildCost, findTooManyCells } from "../build-cost";
import { type FormulaReader, readFormulaQueries } from "../formula-queries";
import { type CellList, type NamedCells, readNamedCells } from "../lists/lists";
import type { Area, SelectedAreas, Workbook } from "../port";
import { onlyCall } from "../../formula/calls";
import { references } from "../../formula/references";
import { createWorkList } from "../work-list";
import { headingOf, makeFormula } from "./formula";
import { formulasOf } from "./put";
import { type DescribedFunction, isPerRow } from "./functions-list";
import { type InsertList, mostRows, readInsertList } from "./list";
import { completePicks, type Picks } from "./picks";

interface InsertChoice {
  readonly described: DescribedFunction;
  readonly picks: Picks;
  readonly fillDown: boolean;
}

export interface Plan {
  readonly formula: string;
  readonly area: Area;
  /** Number of rows that a fill-down would cover, if one cell is selected. */
  readonly fillRows: number;
  /** For the cell above a column that begins beside the list's first row; null without a row of headings. */
  readonly heading: string | null;
  /** Whether the formula fills cells to the right of or below its own. */
  readonly spills: boolean;
}

export interface InsertState {
  readonly list: InsertList | null;
  readonly cellLists: readonly CellList[];
  readonly picks: Picks;
  readonly plan: Plan | null;
  /** Why there is no plan. */
  readonly lacks: string | null;
  /** Null until the arguments are read. */
  readonly cost: BuildCost | null;
  readonly failed: InvError | null;
}

export interface Insert {
  state(): InsertState;
  choose(choice: InsertChoice): void;
  /** Reads the sheet again, for example after a write. */
  lookAgain(): void;
  /** Calls the listener at every change. Returns a function that stops following the workbook. */
  follow(listener: () => void): () => void;
}

/** Selecting by mouse reports every cell on the way; only the last one counts. */
const settleMs = 200;

export function createInsert(options: {
  readonly workbook: Workbook;
  readonly engine: Pick<Engine, "isFresh" | "price">;
  readonly clock: Clock;
  readonly functions: FormulaReader["functions"];
}): Insert {
  const { workbook, engine, clock } = options;
  let tell: () => void = () => undefined;
  let choice: InsertChoice | null = null;
  let selection: SelectedAreas | null = null;
  let list: InsertList | null = null;
  let names: NamedCells | null = null;
  let sheet: string | null = null;
  let looks = 0;
  let plan: Plan | null = null;
  let lacks: string | null = null;
  let cost: BuildCost | null = null;
  let failed: InvError | null = null;
  let latest = 0;
  let timer: unknown = null;

  async function look(): Promise<void> {
    const own = (looks += 1);
    if (selection === null) return;
    const [{ sheet: name }] = selection;
    try {
      const read = await readInsertList(workbook, name);
      const named = await readNamedCells(workbook, name);
      if (own !== looks) return;
      list = read;
      names = named;
      sheet = name;
      failed = null;
      await make();
    } catch (error) {
      if (own !== looks) return;
      failed = toInvError(error);
      tell();
    }
  }

  function forget(): void {
    latest += 1;
    plan = null;
    cost = null;
    lacks = null;
  }

  /** Makes the plan from the sheet's data that was read last, then its cost. */
  async function make(): Promise<void> {
    forget();
    const own = latest;
    if (choice !== null && selection !== null && names !== null && selection[0].sheet === sheet) {
      const next = planOf(choice, selection, { list, names });
      if (typeof next === "string") lacks = next;
      else plan = next;
    }
    tell();
    if (plan === null) return;
    const next = await costOf(plan).catch(() => null);
    if (own !== latest) return;
    cost = next;
    tell();
  }

  async function costOf({ formula, area }: Plan): Promise<BuildCost> {
    const cells = formulasOf(formula, area.rows).map(([text = ""], down) => {
      return { sheet: area.sheet, row: area.row + down, col: area.col, formula: text };
    });
    const wanted = createWorkList((query) => !engine.isFresh(query), engine.isFresh);
    let unpredictable = 0;
    for (const each of await readFormulaQueries(options, cells)) {
      each.queries.forEach(wanted.add);
      each.sums.forEach(wanted.addSum);
      unpredictable += each.unpredictable;
    }
    const { work } = wanted;
    const tooMany = await findTooManyCells(workbook, () => cells.length, area);
    return {
      price: engine.price(work),
      isPartial: unpredictable > 0,
      atMostWhole: work.atMostWhole ?? 0,
      tooMany,
    };
  }

  function lookSoon(): void {
    forget();
    tell();
    clock.clearTimeout(timer);
    timer = clock.setTimeout(() => void look(), settleMs);
  }

  return {
    state: () => ({
      list,
      cellLists: names?.lists ?? [],
      picks: choice === null ? {} : completePicks(choice.described, choice.picks, list),
      ...{ plan, lacks, cost, failed },
    }),
    choose(next) {
      choice = next;
      failed = null;
      void make();
    },
    lookAgain: () => void look(),
    follow(listener) {
      tell = listener;
      const stop = workbook.onSelection((areas) => {
        const isFirst = selection === null;
        selection = areas;
        if (isFirst) void look();
        else lookSoon();
      });
      return () => {
        tell = () => undefined;
        forget();
        looks += 1;
        clock.clearTimeout(timer);
        stop();
      };
    },
  };
}

/** Returns the plan, or a sentence that says what is missing. */
function planOf(
  { described, picks, fillDown }: InsertChoice,
  selection: SelectedAreas,
  { list, names }: { readonly list: InsertList | null; readonly names: NamedCells },
): Plan | string {
  const picked = { described, picks: completePicks(described, picks, list), names };
  const isOfRows = Object.values(picked.picks).some(({ kind }) => kind === "column");
  const { spills } = makeFormula(picked, 0);
  // A formula that spills is not filled down, unless it has arguments for each row.
  const isFilledDown = isPerRow(described) && (isOfRows || !spills);
  const target = targetOf({ selection, list, isPerRow: isFilledDown, fillDown });
  if (typeof target === "string") return target;
  const { formula, missing } = makeFormula(picked, target.area.row);
  if (missing.length > 0) return `Still to choose: ${missing.join(", ")}.`;
  const { area } = target;
  const texts = (onlyCall(formula)?.texts ?? []).map((text) => /^TRANSPOSE\((.*)\)$/.exec(text)?.[1] ?? text);
  const named = texts.map((text) => names.areaOf(text));
  const isOwn =
    references(formula).cells.some(({ sheet, row, col }) =>
      contains(area, { sheet: sheet ?? area.sheet, row, col }),
    ) || named.some((each) => each !== null && contains(each, area));
  if (isOwn) return "The formula would refer to its own cells. Choose another column, or select other cells.";
  const isNewColumn = isFilledDown && list !== null && list.firstRow > 0 && area.row === list.firstRow;
  return { formula, spills, heading: isNewColumn ? headingOf(picked) : null, ...target };
}

interface InsertTarget {
  readonly area: Area;
  /** Number of rows to fill from one selected cell; 1 without a list beside it. */
  readonly fillRows: number;
}

/** Returns the selected cells, or from one selected cell to the end of the list beside it, or a sentence if the selection can't take a formula. */
export function targetOf({
  selection,
  list,
  isPerRow,
  fillDown,
}: {
  readonly selection: SelectedAreas;
  readonly list: InsertList | null;
  /** Whether the function returns one value per row. A function that returns a table is written only into the first cell. */
  readonly isPerRow: boolean;
  readonly fillDown: boolean;
}): InsertTarget | string {
  const [area, ...others] = selection;
  if (!isPerRow) return { area: { ...area, rows: 1, cols: 1 }, fillRows: 1 };
  if (others.length > 0 || area.cols > 1) {
    return "A formula goes into one column. Select one cell of it, or cells below each other.";
  }
  const end = list === null ? 0 : list.firstRow + list.rows;
  const selectedEnd = area.row + area.rows;
  // Don't write into the heading.
  const row = list !== null && end > list.firstRow ? Math.max(area.row, list.firstRow) : area.row;
  if (area.rows === 1 || selectedEnd <= row) {
    const fillRows = Math.max(1, Math.min(end - row, mostRows));
    return { area: { ...area, row, rows: fillDown ? fillRows : 1 }, fillRows };
  }
  // If a whole column is selected, use only its part beside the list.
  const rows = (selectedEnd - row > mostRows && end > row ? end : selectedEnd) - row;
  if (rows > mostRows) {
    return `You selected ${count(rows)} rows; a formula fills at most ${count(mostRows)}. Select fewer.`;
  }
  return { area: { ...area, row, rows }, fillRows: 1 };
}
