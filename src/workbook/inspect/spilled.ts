/**
 * Cells that a spilled formula has filled: finds the formula, and what it requests for this cell, by reading its arguments. If the
 * formula is more than one call, the register's queries decide.
 */
import { queriesOf } from "../../cells/cell-record";
import type { CellRegister, InvCell } from "../../cells/cell-register";
import type { Clock } from "../../engine/clock";
import { isHistory, wholeQuery } from "../../domain/query-keys";
import type { Query } from "../../domain/records";
import { addressIn, cellAddresses } from "../addresses";
import type { FunctionPreview } from "../../domain/functions";
import { readQueryAt } from "../formula-queries";
import type { CellRef, FormulaExtent, Workbook } from "../port";
import { fillerOf } from "../spills";
import {
  historyOfItem,
  itemOfHistory,
  countOtherItems,
  problemOf,
  type InspectedCell,
} from "./inspected-cell";

export interface PlaceOptions {
  readonly cells: CellRegister;
  readonly workbook: Workbook;
  readonly clock: Clock;
  readonly functions: FunctionPreview;
}

export async function inspectFilledCell(
  options: PlaceOptions,
  spills: readonly FormulaExtent[],
  at: CellRef,
): Promise<InspectedCell | null> {
  const { workbook, cells } = options;
  const filler = fillerOf(spills, at);
  if (filler === null) return null;
  const invCell = cells.get(addressIn((address) => cells.get(address) !== undefined, filler)) ?? null;
  const [[formula = null] = []] = await workbook.read({ ...filler, rows: 1, cols: 1 }, "formulas");
  const evaluated = await queryByFormula(options, { formula: String(formula), filler, at }).catch(() => null);
  const { query, others } = evaluated ?? queryByRegister(invCell, filler, at);
  const { sheet, row, col } = filler;
  const item = query === null || isHistory(query) ? null : query;
  const history = query !== null && isHistory(query) ? query : null;
  const isOwn = row === at.row && col === at.col;
  return {
    cell: { sheet, row, col },
    address: invCell?.address ?? cellAddresses(filler)[0],
    from: "formula",
    invCell,
    item: item ?? itemOfHistory(history),
    history: history === null ? historyOfItem(item) : wholeQuery(history),
    others: isOwn && invCell !== null ? countOtherItems(invCell) : others,
    problem: problemOf(cells.problemList, cellAddresses(at)),
  };
}

interface PlaceQuery {
  /** Null if the store or item of the place is blank or refused. */
  readonly query: Query | null;
  /** Number of the formula's other queries, if the place's own query is unknown. */
  readonly others: number;
}

/** Returns null unless the formula is a single INV call with readable arguments. */
async function queryByFormula(
  options: PlaceOptions,
  { formula, filler, at }: { readonly formula: string; readonly filler: FormulaExtent; readonly at: CellRef },
): Promise<PlaceQuery | null> {
  const { sheet, row, col } = filler;
  const place = { down: at.row - row, right: at.col - col };
  const query = await readQueryAt(options, { sheet, row, col, formula }, place);
  return query === undefined ? null : { query, others: 0 };
}

/** Assigns the register's queries to places, if there is one query for each place or for each row. */
function queryByRegister(
  invCell: InvCell | null,
  { row, col, rows, cols }: FormulaExtent,
  at: CellRef,
): PlaceQuery {
  const queries = invCell === null ? [] : queriesOf(invCell);
  const down = at.row - row;
  const place = down * cols + at.col - col;
  if (queries.length === rows * cols) return { query: queries[place] ?? null, others: 0 };
  if (queries.length === rows) return { query: queries[down] ?? null, others: 0 };
  return { query: queries[0] ?? null, others: Math.max(0, queries.length - 1) };
}
