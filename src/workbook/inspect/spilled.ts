/**
 * Cells that a spilled formula has filled: finds the formula, and what it asks for in this cell, by evaluating its arguments as
 * Insert does. If the formula is more than one call, the register's queries decide.
 */
import { queriesOf } from "../../cells/cell-record";
import type { CellRegister, CellUse } from "../../cells/cell-register";
import type { Clock } from "../../engine/clock";
import type { Engine } from "../../engine/types";
import { serviceNowMs } from "../../domain/environment";
import { isInvError } from "../../domain/errors";
import { isHistory, wholeQuery } from "../../domain/query-keys";
import type { Query } from "../../domain/records";
import { addressIn, cellAddresses } from "../addresses";
import { bySheet } from "../cell-areas";
import { evaluateArguments } from "../insert/evaluate";
import { type DescribedFunction, isPerRow } from "../insert/functions-list";
import { valuesAt } from "../insert/places";
import { questionOf } from "../insert/question";
import { isInvFormula, onlyCall } from "../../formula/calls";
import { readNamedCells } from "../named-cells";
import type { CellRef, FormulaExtent, Workbook } from "../port";
import { fillerOf, spillsOf, upTo } from "../spills";
import { historyOfItem, itemOfHistory, othersOf, problemOf, type Subject } from "./subject";

/** What a place of a result asks for; null if its store or item is blank or refused. */
interface PlaceQuestion {
  readonly query: Query | null;
  /** Number of other queries of the formula, if the place's own query is unknown. */
  readonly others: number;
}

interface AskedPlace {
  readonly filler: FormulaExtent;
  readonly formula: string;
  readonly use: CellUse | null;
  readonly at: CellRef;
}

interface PlaceReading {
  readonly workbook: Workbook;
  readonly nowMs: number;
  readonly functions: readonly DescribedFunction[];
}

/** Finds out which of these cells a formula of somebody else has filled, such as a list's name in a heading. */
export async function filledByOthers(
  workbook: Workbook,
  cells: readonly CellRef[],
): Promise<(cell: CellRef) => boolean> {
  const spills: FormulaExtent[] = [];
  for (const [sheet, refs] of bySheet(cells)) {
    const row = Math.max(...refs.map((ref) => ref.row));
    const col = Math.max(...refs.map((ref) => ref.col));
    const others = await workbook.findFormulas(
      (formula) => !isInvFormula(formula),
      [upTo({ sheet, row, col })],
    );
    spills.push(...(await spillsOf(workbook, others)));
  }
  return (cell) => fillerOf(spills, cell) !== null;
}

export interface PlaceOptions {
  readonly cells: CellRegister;
  readonly workbook: Workbook;
  readonly engine: Engine;
  readonly clock: Clock;
  /** INV's functions as their catalogue describes them; loaded when first needed. */
  functions(): Promise<readonly DescribedFunction[]>;
}

/** Returns the subject of a cell that one of these formulas has filled; null for any other cell. */
export async function subjectAt(
  { workbook, cells, engine, clock, functions }: PlaceOptions,
  spills: readonly FormulaExtent[],
  at: CellRef,
): Promise<Subject | null> {
  const filler = fillerOf(spills, at);
  if (filler === null) return null;
  const use = cells.get(addressIn((address) => cells.get(address) !== undefined, filler)) ?? null;
  const [[formula = null] = []] = await workbook.read({ ...filler, rows: 1, cols: 1 }, "formulas");
  const place: AskedPlace = { filler, formula: String(formula), use, at };
  const nowMs = serviceNowMs(engine.connection?.environment ?? null, clock.now());
  const described = await functions().catch(() => []);
  return subjectOfPlace(
    cells,
    place,
    await questionAtPlace({ workbook, nowMs, functions: described }, place),
  );
}

function subjectOfPlace(
  cells: CellRegister,
  { filler, use, at }: AskedPlace,
  { query, others }: PlaceQuestion,
): Subject {
  const { sheet, row, col } = filler;
  const item = query === null || isHistory(query) ? null : query;
  const history = query !== null && isHistory(query) ? query : null;
  const isOwn = row === at.row && col === at.col;
  return {
    cell: { sheet, row, col },
    address: use?.address ?? cellAddresses(filler)[0],
    from: "formula",
    use,
    item: item ?? itemOfHistory(history),
    history: history === null ? historyOfItem(item) : wholeQuery(history),
    others: isOwn && use !== null ? othersOf(use) : others,
    problem: problemOf(cells.activity, cellAddresses(at)),
  };
}

async function questionAtPlace(reading: PlaceReading, place: AskedPlace): Promise<PlaceQuestion> {
  const { filler, at, use } = place;
  const [down, right] = [at.row - filler.row, at.col - filler.col];
  const read = await questionRead(reading, place).catch(() => null);
  if (read !== null) return read;
  const asked = use === null ? [] : queriesOf(use);
  const order =
    asked.length === filler.rows * filler.cols
      ? down * filler.cols + right
      : asked.length === filler.rows
        ? down
        : null;
  if (order !== null) return { query: asked[order] ?? null, others: 0 };
  return { query: asked[0] ?? null, others: Math.max(0, asked.length - 1) };
}

/** Returns null, or rejects, unless the formula is one call of INV with readable arguments. */
async function questionRead(
  { workbook, nowMs, functions }: PlaceReading,
  { filler, formula, at }: AskedPlace,
): Promise<PlaceQuestion | null> {
  const called = onlyCall(formula)?.name;
  const described = functions.find(({ name }) => name === called);
  if (described === undefined) return null;
  const names = await readNamedCells(workbook, filler.sheet);
  const area = { ...filler, rows: 1, cols: 1 };
  const argumentsAt = await evaluateArguments(workbook, formula, { area, names, nowMs });
  // A function that returns a table asks for one item.
  const isOne = !isPerRow(described);
  const values = valuesAt(argumentsAt(0), isOne ? 0 : at.row - filler.row, isOne ? 0 : at.col - filler.col);
  const given = described.arguments.map(({ name }, index) => [name, values[index] ?? null] as const);
  const question = questionOf(Object.fromEntries(given), nowMs);
  return { query: isInvError(question) ? null : question, others: 0 };
}
