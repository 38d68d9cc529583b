/**
 * Finds what formulas would ask for without calculating them: reads the cells, names and table columns that the arguments of
 * their INV calls refer to, all together, and passes the values to the functions themselves. It serves formulas that this
 * session hasn't calculated, and those that aren't in a cell yet.
 * Some calls can't be predicted: arguments that Excel computes, and calls that Excel may skip. They are counted.
 */
import { serialFromMs } from "../domain/dates";
import { functionFacts, type FunctionPreview, wholeColumnRows } from "../domain/functions";
import type { Query } from "../domain/records";
import type { Clock } from "../engine/clock";
import { argumentTexts, type FormulaCall, invFunctionNamed, onlyCall } from "../formula/calls";
import { sheetCols } from "../formula/columns";
import { referenceIn, references } from "../formula/references";
import type { Token } from "../formula/tokens";
import { cellKey, contains } from "./addresses";
import { areasAround, visitCells } from "./cell-areas";
import { isBlank, withoutKind } from "./cell-content";
import { inTimeSlices } from "./in-time-slices";
import { createFormulaReader, type InvFormula, type ReadFormula } from "./inv-formula";
import type {
  Area,
  CellContent,
  CellRef,
  CellValue,
  DefinedName,
  FormulaCell,
  TableInfo,
  Workbook,
} from "./port";
import { isPending } from "./still-waiting";

interface FormulaQueries {
  /** Each query once for each call and place that makes it. */
  readonly queries: readonly Query[];
  /** Those of functions that read the item's whole history if the query finds nothing. */
  readonly sums: readonly Query[];
  /** The number of calls that can't be predicted. */
  readonly unpredictable: number;
  /** Whether an argument is wrong, such as a date that is too old by now. */
  readonly isRefused: boolean;
  /** Whether Excel may calculate the formula without calling INV, because an IF skips each call. */
  readonly isSkippable: boolean;
  /** Whether the formula shows only how old other values are (`INV.STATUS` with TRUE). */
  readonly isAgeCell: boolean;
}

export interface FormulaReader {
  readonly workbook: Pick<Workbook, "names" | "tables" | "extents" | "usedArea" | "contentsOf">;
  readonly functions: Pick<FunctionPreview, "queries">;
  readonly clock: Clock;
  /** Remembers the formulas. */
  readonly read?: ReadFormula;
}

/** A constant, or the cells whose values the call receives. */
type Argument =
  | { readonly value: unknown }
  | {
      readonly area: Area;
      /** The call receives whole columns and cuts them after their last entry. */
      readonly isTall?: true;
      /** TRANSPOSE turns them. */
      readonly isAcross?: true;
    };

interface ReadCall {
  readonly id: string;
  /** Null if the call can't be predicted. */
  readonly given: readonly Argument[] | null;
  readonly isSkippable?: true;
}

/** About ten milliseconds of reading formulas. */
const perSlice = 400;
/** Reading more cells takes longer than calculating the formulas. */
const mostCells = 500_000;

/** Returns what each formula would ask for, in their order. */
export async function readFormulaQueries(
  { workbook, functions, clock, read = createFormulaReader() }: FormulaReader,
  formulas: readonly FormulaCell[],
): Promise<readonly FormulaQueries[]> {
  const around = await readSurroundings(workbook, formulas);
  const calls: ReadCall[][] = [];
  const readCalls = (cell: FormulaCell): unknown => {
    return calls.push(invCallsOf(cell, read(cell.formula), { ...around, nowMs: clock.now() }));
  };
  await inTimeSlices(clock, formulas, { visit: readCalls, size: perSlice });
  const valuesOf = await readAreas(workbook, calls.flat());
  const found: FormulaQueries[] = [];
  await inTimeSlices(clock, calls, {
    visit: (cellCalls) => found.push(queriesOfCalls(cellCalls)),
    size: perSlice,
  });
  return found;

  function queriesOfCalls(cellCalls: readonly ReadCall[]): FormulaQueries {
    const queries: Query[] = [];
    const sums: Query[] = [];
    let unpredictable = 0;
    let isRefused = false;
    let withAge = 0;
    for (const { id, given } of cellCalls) {
      const values = given && readArguments(given, valuesOf);
      const places = values === null || values.includes(undefined) ? null : functions.queries(id, values);
      if (places === null) {
        unpredictable += 1;
        continue;
      }
      const { rows, cols, at } = places;
      for (let place = 0; place < rows * cols; place += 1) {
        const query = at(Math.floor(place / cols), place % cols);
        if (query === "refused") isRefused = true;
        if (query === null || query === "refused") continue;
        if ("showsAge" in query && query.showsAge === true) withAge += 1;
        queries.push(query);
        if (functionFacts[id]?.mayReadWhole === true) sums.push(query);
      }
    }
    const isSkippable = cellCalls.every((call) => call.isSkippable === true);
    const isAgeCell = withAge > 0 && withAge === queries.length && unpredictable === 0;
    return { queries, sums, unpredictable, isRefused, isSkippable, isAgeCell };
  }
}

/**
 * Returns what one place of the formula's result asks for: null if nothing, undefined if that can't be predicted or if the formula is more
 * than one INV call.
 */
export async function readQueryAt(
  { workbook, functions, clock, read = createFormulaReader() }: FormulaReader,
  formula: FormulaCell,
  { down, right }: { readonly down: number; readonly right: number },
): Promise<Query | null | undefined> {
  if (invFunctionNamed(onlyCall(formula.formula)?.name ?? "") === null) return undefined;
  const around = { ...(await readSurroundings(workbook, [formula])), nowMs: clock.now() };
  const [call, ...others] = invCallsOf(formula, read(formula.formula), around);
  if (call === undefined || call.given === null || others.length > 0) return undefined;
  const values = readArguments(call.given, await readAreas(workbook, [call]));
  if (values.includes(undefined)) return undefined;
  const places = functions.queries(call.id, values);
  if (places === null) return undefined;
  const { rows, cols, at } = places;
  // A function that returns a table makes one query for all its cells.
  const query = rows * cols === 1 ? at(0, 0) : at(down, right);
  return query === "refused" ? null : query;
}

/**
 * Evaluates an argument without the sheet: a text, a whole number, TRUE, FALSE, TODAY() and days before it. Returns null if the
 * argument is omitted, and undefined for any other text.
 */
export function constantOf(text: string, nowMs: number): CellValue | undefined {
  if (text === "") return null;
  if (/^(?:TRUE|FALSE)$/i.test(text)) return text.toUpperCase() === "TRUE";
  if (/^"(?:[^"]|"")*"$/.test(text)) return text.slice(1, -1).replaceAll('""', '"');
  if (/^\d+$/.test(text)) return Number(text);
  const daysAgo = /^TODAY\(\)(?:-(\d+))?$/i.exec(text);
  if (daysAgo === null) return undefined;
  const now = new Date(nowMs);
  // Use the planner's local day, as Excel's TODAY() does.
  return serialFromMs(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())) - Number(daysAgo[1] ?? 0);
}

interface Surroundings {
  readonly names: readonly DefinedName[];
  readonly tables: readonly TableInfo[];
  /** The area that the formula in a cell fills, by cell. */
  readonly spills: ReadonlyMap<string, Area>;
  /** The used area of each sheet to whose whole columns a formula or a name refers. */
  readonly used: ReadonlyMap<string, Area | null>;
}

/** Reads only what the formulas refer to. */
async function readSurroundings(
  workbook: FormulaReader["workbook"],
  formulas: readonly FormulaCell[],
): Promise<Surroundings> {
  const anchors = new Map<string, CellRef>();
  const tall = new Set<string>();
  for (const { formula, sheet: formulaSheet } of formulas) {
    if (!/[#:]/.test(formula)) continue;
    for (const { sheet, row, col, rows, isSpilled } of references(formula).cells) {
      const ref = { sheet: sheet ?? formulaSheet, row, col };
      if (isSpilled) anchors.set(cellKey(ref), ref);
      if (rows >= wholeColumnRows) tall.add(ref.sheet);
    }
  }
  const names = await workbook.names();
  for (const { formula } of names) {
    const only = referenceIn(formula.slice(1));
    if (only !== null && only.sheet !== null && only.rows >= wholeColumnRows) tall.add(only.sheet);
  }
  const [tables, extents, used] = await Promise.all([
    [...formulas, ...names].some(({ formula }) => formula.includes("[")) ? workbook.tables() : [],
    anchors.size === 0 ? [] : workbook.extents([...anchors.values()]),
    // A sheet that the formula names may be gone.
    Promise.all([...tall].map((sheet) => workbook.usedArea(sheet).catch(() => null))),
  ]);
  return {
    names,
    tables,
    spills: new Map(extents.map((extent) => [cellKey(extent), extent])),
    used: new Map([...tall].map((sheet, index) => [sheet, used[index] ?? null])),
  };
}

function invCallsOf(
  cell: FormulaCell,
  { tokens, calls }: InvFormula,
  around: Surroundings & { readonly nowMs: number },
): ReadCall[] {
  const invCalls = calls.flatMap((call): ReadCall[] => {
    const id = invFunctionNamed(call.name) ?? "";
    if ((functionFacts[id]?.asks ?? null) === null) return [];
    const texts = argumentTexts(tokens, call);
    if (!isAlwaysMade(call, texts, { tokens, calls })) return [{ id, given: null, isSkippable: true }];
    const given = texts.map((text) => argumentIn(text, cell, around));
    return [{ id, given: given.includes(null) ? null : (given as Argument[]) }];
  });
  // A defined name calls INV.
  return invCalls.length > 0 || calls.some(({ name }) => invFunctionNamed(name) !== null)
    ? invCalls
    : [{ id: "", given: null, isSkippable: true }];
}

function argumentIn(
  text: string,
  { sheet: formulaSheet, row, col }: CellRef,
  around: Surroundings & { readonly nowMs: number },
): Argument | null {
  const value = constantOf(text, around.nowMs);
  if (value !== undefined) return { value };
  const transpose = text.startsWith("TRANSPOSE(") ? onlyCall(`=${text}`) : null;
  if (transpose?.texts.length === 1) {
    const inner = argumentIn(transpose.texts[0] ?? "", { sheet: formulaSheet, row, col }, around);
    // A whole column has more cells than a row.
    return inner !== null && "area" in inner && inner.isTall !== true ? { ...inner, isAcross: true } : null;
  }
  const reference = referenceIn(text);
  if (reference !== null) {
    const ref = { sheet: reference.sheet ?? formulaSheet, row: reference.row, col: reference.col };
    if (reference.isSpilled) return areaOrNull(around.spills.get(cellKey(ref)));
    if (reference.cols >= sheetCols) return null;
    const { rows: height, cols } = reference;
    if (height < wholeColumnRows) return { area: { ...ref, rows: height, cols } };
    const usedRows = (around.used.get(ref.sheet)?.rows ?? 0) - ref.row;
    return { area: { ...ref, rows: Math.max(1, Math.min(height, usedRows)), cols }, isTall: true };
  }
  const column = columnIn(text);
  if (column === null) {
    const named = formulaNamed(text, formulaSheet, around.names);
    return named === null
      ? null
      : argumentIn(named, { sheet: formulaSheet, row, col }, { ...around, names: [] });
  }
  const table = around.tables.find(({ name, area }) =>
    column.table === null
      ? contains(area, { sheet: formulaSheet, row, col })
      : name.toLowerCase() === column.table.toLowerCase(),
  );
  const at = table?.headers.findIndex((each) => each.toLowerCase() === column.column.toLowerCase()) ?? -1;
  if (table === undefined || at < 0) return null;
  const { area } = table;
  const cells = { sheet: area.sheet, col: area.col + at, cols: 1 };
  return column.isThisRow
    ? { area: { ...cells, row, rows: 1 } }
    : { area: { ...cells, row: area.row + 1, rows: area.rows - 1 } };
}

/** Returns the column of a table to which the text refers: `[@Store]` or `Items[Store]`. */
function columnIn(
  text: string,
): { readonly table: string | null; readonly column: string; readonly isThisRow: boolean } | null {
  const [only] = references(text).thisRow;
  if (only?.text === text) return { ...only, isThisRow: true };
  const [, table, column] = /^([\p{L}_\\][\p{L}\p{N}_.\\]*)\[([^\][#@']+)\]$/u.exec(text) ?? [];
  return table === undefined || column === undefined ? null : { table, column, isThisRow: false };
}

/**
 * Returns what a name stands for, if an argument of its own could be that: cells of a named sheet, or a Table's column. The sheet's own
 * names take precedence.
 */
function formulaNamed(text: string, sheet: string, names: readonly DefinedName[]): string | null {
  const same = names.filter(({ name }) => name.toLowerCase() === text.toLowerCase());
  const name = same.find((each) => each.sheet === sheet) ?? same.find((each) => each.sheet === null);
  const stands = name?.formula.slice(1) ?? "";
  const only = referenceIn(stands);
  const isOfSheet = only !== null && only.sheet !== null && !only.isSpilled;
  return isOfSheet || columnIn(stands)?.isThisRow === false ? stands : null;
}

function areaOrNull(area: Area | undefined): Argument | null {
  return area === undefined ? null : { area };
}

/** Functions whose first argument Excel always calculates, and the others only if it needs them. */
const lazy: ReadonlySet<string> = new Set(["IF", "IFS", "IFNA", "IFERROR", "SWITCH", "CHOOSE"]);
/** Functions whose arguments may contain a call that Excel makes any number of times. */
const repeating = /^(?:LET|LAMBDA|MAP|REDUCE|SCAN|BYROW|BYCOL|MAKEARRAY)$/;

/**
 * Returns whether Excel makes the call whenever it calculates the formula. An IF that only tests whether the call's own cells
 * are blank doesn't matter, because a call with a blank store or item asks for nothing.
 */
function isAlwaysMade(
  call: FormulaCall,
  texts: readonly string[],
  { tokens, calls }: { readonly tokens: readonly Token[]; readonly calls: readonly FormulaCall[] },
): boolean {
  return calls.every((outer) => {
    if (outer.open >= call.nameIndex || outer.close <= call.close) return true;
    if (repeating.test(outer.name)) return false;
    const [first] = outer.arguments;
    if (!lazy.has(outer.name) || first === undefined || call.nameIndex < first.to) return true;
    return outer.name === "IF" && testsBlank(tokens.slice(first.from, first.to), texts.slice(0, 2));
  });
}

const blankTests = /^(?:OR|AND|NOT|ISBLANK|""|[(),=]|<>|\s+)$/i;

function testsBlank(condition: readonly Token[], storeAndItem: readonly string[]): boolean {
  return condition.every(({ kind, text }) =>
    kind === "cells" ? storeAndItem.includes(text) : blankTests.test(text),
  );
}

/** Reads all areas together. The returned function has undefined for cells that can't be read or still wait. */
async function readAreas(
  workbook: FormulaReader["workbook"],
  calls: readonly ReadCall[],
): Promise<(area: Area) => unknown> {
  const areas = new Map<string, Area>();
  for (const { given } of calls) {
    for (const each of given ?? []) if ("area" in each) areas.set(areaKey(each.area), each.area);
  }
  let cells = 0;
  /** An area that is too large leaves room for the others. */
  const fits = ({ rows, cols }: Area): boolean => {
    if (cells + rows * cols > mostCells) return false;
    cells += rows * cols;
    return true;
  };
  const single = [...areas.values()].filter(({ rows, cols }) => rows * cols === 1);
  const around = areasAround(single).filter(fits);
  const wide = [...areas.values()].filter(({ rows, cols }) => rows * cols > 1).filter(fits);
  const read = [...around, ...wide];
  const contents = read.length === 0 ? [] : await workbook.contentsOf(read).catch(() => []);
  const singles = new Map<string, CellContent>();
  const blocks = new Map<string, readonly (readonly CellContent[])[]>();
  for (const [index, area] of read.entries()) {
    const found = contents[index];
    if (found === undefined) continue;
    if (index >= around.length) blocks.set(areaKey(area), found);
    else visitCells(area, found, (content, ref) => singles.set(cellKey(ref), content));
  }
  return (area) => {
    if (area.rows * area.cols === 1) {
      const content = singles.get(cellKey(area));
      return content === undefined || isPending(content) ? undefined : withoutKind(content);
    }
    const block = blocks.get(areaKey(area));
    return block?.flat().some(isPending) ? undefined : block?.map((line) => line.map(withoutKind));
  };
}

function areaKey(area: Area): string {
  return `${area.rows},${area.cols},${cellKey(area)}`;
}

/** Returns the values; undefined for one that can't be read. Cuts whole columns together, as the functions do. */
function readArguments(given: readonly Argument[], valuesOf: (area: Area) => unknown): unknown[] {
  const values = given.map((each) => ("area" in each ? valuesOf(each.area) : each.value));
  const tall = values.filter((_, index) => "isTall" in (given[index] ?? {}));
  let rows = 1;
  for (const column of tall) if (Array.isArray(column)) rows = Math.max(rows, filledRows(column));
  return values.map((value, index) => {
    const argument = given[index] ?? {};
    if (!Array.isArray(value)) return value;
    const lines = value as readonly (readonly CellContent[])[];
    if (tall.includes(value)) return lines.slice(0, rows);
    return "isAcross" in argument ? transposed(lines) : lines;
  });
}

function transposed<T>(lines: readonly (readonly T[])[]): T[][] {
  return (lines[0] ?? []).map((_, at) => lines.map((line) => line[at] as T));
}

function filledRows(column: readonly (readonly CellContent[])[]): number {
  return column.findLastIndex((line) => line.some((cell) => !isBlank(cell) && cell !== 0)) + 1;
}
