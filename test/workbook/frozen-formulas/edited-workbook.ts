/**
 * People's edits of a sheet between freezing and thawing, over the workbook in memory, with Excel's behaviour. Rows and columns
 * are inserted and deleted, and names and references follow their cells. Rows are sorted, and names stay. Cells are typed over
 * or formatted as text, and the sheet is renamed.
 */
import { fc } from "../../helpers/properties";
import { columnIndex, columnName } from "../../../src/formula/columns";
import { movedFormula, respellReferences } from "../../../src/formula/references";
import { cellKey } from "../../../src/workbook/addresses";
import type { CellRef, CellValue } from "../../../src/workbook/port";
import type { MemoryWorkbook } from "../memory-workbook";

export type Edit =
  | { readonly kind: "insert" | "delete"; readonly what: "row" | "col"; readonly at: number }
  | { readonly kind: "swap"; readonly rows: readonly [number, number] }
  | { readonly kind: "type"; readonly row: number; readonly col: number; readonly value: CellValue }
  | { readonly kind: "text"; readonly row: number; readonly col: number }
  | { readonly kind: "rename" };

const row = fc.integer({ min: 0, max: 7 });
const col = fc.integer({ min: 0, max: 9 });

/** A typed value never equals what a frozen cell shows: that would be no change. */
export const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({
    kind: fc.constantFrom("insert" as const, "delete" as const),
    what: fc.constantFrom("row" as const, "col" as const),
    at: row,
  }),
  fc.record({
    kind: fc.constant("swap" as const),
    rows: fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })),
  }),
  fc.record({
    kind: fc.constant("type" as const),
    ...{ row, col, value: fc.constantFrom<CellValue>(null, 7, "x", "=1+1", 1001, "10000000000002") },
  }),
  fc.record({ kind: fc.constant("text" as const), row, col }),
  fc.constant<Edit>({ kind: "rename" }),
);

/** Returns the sheet's name afterwards. */
export function edit(workbook: MemoryWorkbook, sheet: string, change: Edit): string {
  if (change.kind === "rename") {
    workbook.renameSheet(sheet, `${sheet}2`);
    return `${sheet}2`;
  }
  if (change.kind === "type") workbook.put({ sheet, row: change.row, col: change.col }, change.value);
  else if (change.kind === "text") {
    const area = { sheet, row: change.row, col: change.col, rows: 1, cols: 1 };
    workbook.formats.push({ area, format: { numberFormat: "@" } });
  } else if (change.kind === "swap") swapRows(workbook, sheet, change.rows);
  else shift(workbook, sheet, change);
  return sheet;
}

type Shift = Extract<Edit, { what: string }>;

/** The index after the shift; null if it was deleted. */
function moved(index: number, { kind, at }: Shift): number | null {
  if (kind === "insert") return index >= at ? index + 1 : index;
  if (index === at) return null;
  return index > at ? index - 1 : index;
}

function movedRef(ref: CellRef, change: Shift): CellRef | null {
  const next = moved(change.what === "row" ? ref.row : ref.col, change);
  if (next === null) return null;
  return change.what === "row" ? { ...ref, row: next } : { ...ref, col: next };
}

function shift(workbook: MemoryWorkbook, sheet: string, change: Shift): void {
  const cells = [...workbook.cells].map(([key, value]) => ({ ref: refOf(key), value }));
  const spills = [...workbook.spills].map(([key, size]) => ({ ref: refOf(key), size }));
  for (const { ref } of cells.filter((each) => each.ref.sheet === sheet)) workbook.put(ref, null);
  for (const { ref, value } of cells) {
    const isFormula = typeof value === "string" && value.startsWith("=");
    const next = ref.sheet === sheet ? movedRef(ref, change) : ref;
    if (next !== null && value !== null) workbook.put(next, isFormula ? adjusted(value, change) : value);
  }
  workbook.spills.clear();
  for (const { ref, size } of spills) {
    const next = movedRef(ref, change);
    if (next !== null) workbook.spills.set(cellKey(next), size);
  }
  workbook.definedNames.forEach((name, index) => {
    workbook.definedNames[index] = { ...name, formula: adjusted(name.formula, change) };
  });
  workbook.formats.forEach(({ area, format }, index) => {
    const next = movedRef(area, change);
    if (next !== null) workbook.formats[index] = { area: { ...area, ...next }, format };
  });
}

/** Adjusts a formula. All its references are to the same sheet. */
function adjusted(formula: string, change: Shift): string {
  return respellReferences(formula, (cell) => {
    const [, c = "", letters = "", r = "", digits = ""] = /^(\$?)([A-Z]+)(\$?)(\d+)$/.exec(cell) ?? [];
    const next = movedRef({ sheet: "", row: Number(digits) - 1, col: columnIndex(letters) }, change);
    return next === null ? "#REF!" : `${c}${columnName(next.col)}${r}${next.row + 1}`;
  });
}

/** A sort of two rows: the cells' contents change places, names stay. */
function swapRows(workbook: MemoryWorkbook, sheet: string, [one, other]: readonly [number, number]): void {
  const lineOf = (from: number) =>
    Array.from({ length: 12 }, (_, at) => workbook.cells.get(cellKey({ sheet, row: from, col: at })) ?? null);
  const [first, second] = [lineOf(one), lineOf(other)];
  const put = (line: readonly CellValue[], from: number, to: number): void =>
    line.forEach((value, at) => {
      const isFormula = typeof value === "string" && value.startsWith("=");
      workbook.put(
        { sheet, row: to, col: at },
        isFormula ? movedFormula(value, { rows: to - from, cols: 0 }) : value,
      );
    });
  put(first, one, other);
  put(second, other, one);
}

function refOf(key: string): CellRef {
  const [, r = "", c = "", sheet = ""] = /^(\d+),(\d+),(.*)$/.exec(key) ?? [];
  return { sheet, row: Number(r), col: Number(c) };
}
