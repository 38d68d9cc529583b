/**
 * The conditional formats of a sheet as a template has them. Those of a table's rows follow the number of rows of the next
 * person: each column gets the rule with its formula as it is in the first row. Those elsewhere keep their cells.
 */
import type { CellArea } from "../../formula/cells";
import { movedFormula } from "../../formula/references";
import { areaAddress } from "../addresses";
import type { Area, FoundHighlight, Highlight } from "../port";

export interface SavedHighlights {
  /** For the table, by the numbers of its columns. */
  readonly ofTable: readonly { readonly columns: readonly number[]; readonly rule: Highlight }[];
  /** For other cells. */
  readonly others: readonly { readonly area: string; readonly rule: Highlight }[];
  /** Names of the rules, and of the areas of saved rules, that a template can't contain, one for each. */
  readonly notSaved: readonly string[];
}

export interface SheetParts {
  readonly used: Area;
  /** The table from A1, with its header row; null if there is none. */
  readonly table: { readonly rows: number; readonly cols: number } | null;
  /** Spells a formula of the sheet as the template has it. */
  readonly spell: (formula: string) => string;
  /** The limit of each list. */
  readonly limit: number;
}

export function savedHighlights(found: readonly FoundHighlight[], parts: SheetParts): SavedHighlights {
  const { table, used, spell, limit } = parts;
  const ofTable: { columns: number[]; rule: Highlight }[] = [];
  const others: { area: string; rule: Highlight }[] = [];
  const notSaved: string[] = [];
  for (const { areas, rule, name } of found) {
    const [first] = areas;
    const inTable = table === null ? [] : columnsOf(areas, table);
    const outside = areas.flatMap((area) => outsideOf(table, common(area, used)));
    const isNowhere = inTable.length + outside.length === 0;
    const isTooMuch = ofTable.length + inTable.length > limit || others.length + outside.length > limit;
    if (rule === null || first === undefined || isNowhere || isTooMuch) {
      if (areas.some((area) => common(area, used) !== null)) notSaved.push(name);
      continue;
    }
    /** The rule as it reads for an area that begins at another cell. */
    const at = (row: number, col: number): Highlight => {
      if (rule.kind !== "formula") return rule;
      const moved = movedFormula(rule.formula, { rows: row - first.row, cols: col - first.col });
      return { ...rule, formula: spell(moved) };
    };
    for (const col of inTable) {
      const columnRule = at(1, col);
      const last = ofTable.at(-1);
      const isSame = JSON.stringify(last?.rule) === JSON.stringify(columnRule);
      if (last !== undefined && isSame) last.columns.push(col);
      else ofTable.push({ columns: [col], rule: columnRule });
    }
    for (const area of outside) others.push({ area: areaAddress(area), rule: at(area.row, area.col) });
    for (const area of areas) {
      const tablePart = table && common(area, { row: 0, col: 0, ...table });
      const isSaved = tablePart === null || colsIn(tablePart).every((col) => inTable.includes(col));
      if (!isSaved) notSaved.push(`area of a ${name}`);
    }
  }
  return { ofTable, others, notSaved };
}

function colsIn({ col, cols }: CellArea): number[] {
  return Array.from({ length: cols }, (_, index) => col + index);
}

/** Returns the columns of which most rows have the rule. A rule for a few rows is about these stores and items. */
function columnsOf(
  areas: readonly Area[],
  { rows, cols }: { readonly rows: number; readonly cols: number },
): number[] {
  const body = { row: 1, col: 0, rows: rows - 1, cols };
  return colsIn(body).filter((col) => {
    const rowsOfAreas = areas.map((area) => common(area, { ...body, col, cols: 1 })?.rows ?? 0);
    return 2 * rowsOfAreas.reduce((sum, each) => sum + each, 0) > body.rows;
  });
}

/** Returns the parts beside and below the table. */
function outsideOf(table: SheetParts["table"], area: CellArea | null): CellArea[] {
  if (area === null) return [];
  if (table === null) return [area];
  const lastCol = area.col + area.cols;
  const lastRow = area.row + area.rows;
  const beside = { ...area, col: Math.max(area.col, table.cols) };
  const below = {
    ...area,
    row: Math.max(area.row, table.rows),
    cols: Math.min(lastCol, table.cols) - area.col,
  };
  return [
    { ...beside, cols: lastCol - beside.col },
    { ...below, rows: lastRow - below.row },
  ].filter(({ rows, cols }) => rows > 0 && cols > 0);
}

function common(one: CellArea, other: CellArea): CellArea | null {
  const [row, col] = [Math.max(one.row, other.row), Math.max(one.col, other.col)];
  const rows = Math.min(one.row + one.rows, other.row + other.rows) - row;
  const cols = Math.min(one.col + one.cols, other.col + other.cols) - col;
  return rows > 0 && cols > 0 ? { row, col, rows, cols } : null;
}
