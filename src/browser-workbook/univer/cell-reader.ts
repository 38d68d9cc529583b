/**
 * Reads a sheet's cells as Excel would return them: numbers independent of their format, booleans, spilled cells, and
 * every formula as text. The grid stores a filled-down formula as a reference to the first one; it is resolved here,
 * once for the whole sheet.
 */
import {
  CellValueType,
  type ICellData,
  type IRange,
  IUniverInstanceService,
  type Nullable,
  ObjectMatrix,
  UniverInstanceType,
} from "@univerjs/core";
import { FormulaDataModel, type FWorksheet } from "@univerjs/preset-sheets-core";
import type { CellArea } from "../../formula/cells";
import type { CellValue } from "../../workbook/port";
import type { CellPlace } from "../functions/cell-values";
import { documentText } from "./cell-data";
import type { Grid } from "./grid";

export type CellReader = ReturnType<typeof createCellReader>;

interface CellPosition {
  readonly row: number;
  readonly col: number;
}

interface Spill extends CellPosition {
  readonly range: IRange;
}

/** A formula's cell and all cells that it has filled, its own included. */
export interface SpilledCells extends CellPlace {
  readonly cells: readonly (readonly Nullable<ICellData>[])[];
}

interface SpillSize {
  readonly rows: number;
  readonly cols: number;
}

export function createCellReader(grid: Grid) {
  const model = grid.injector.get(FormulaDataModel);
  const instances = grid.injector.get(IUniverInstanceService);
  // Called for each cell; the grid's public API would create a new workbook object each time.
  const unitId = () => instances.getCurrentUnitOfType(UniverInstanceType.UNIVER_SHEET)?.getUnitId() ?? "";

  function valueAt(sheet: FWorksheet, row: number, col: number): CellValue {
    const content = contentOf(sheet.getSheet().getCellRaw(row, col));
    if (content !== null) return content;
    return contentOf(model.getArrayFormulaCellData()[unitId()]?.[sheet.getSheetId()]?.[row]?.[col]);
  }

  function spillsOn(sheetId: string): readonly Spill[] {
    const rows = model.getArrayFormulaRange()[unitId()]?.[sheetId] ?? {};
    return Object.entries(rows as Record<string, Record<string, IRange>>).flatMap(([row, cells]) =>
      Object.entries(cells).map(([col, range]) => ({ row: Number(row), col: Number(col), range })),
    );
  }

  function map<T>(area: CellArea, read: (row: number, col: number) => T): T[][] {
    return Array.from({ length: area.rows }, (_, down) =>
      Array.from({ length: area.cols }, (_unused, right) => read(area.row + down, area.col + right)),
    );
  }

  function formulaMap(sheet: FWorksheet): Map<string, string> {
    const formulas = new Map<string, string>();
    eachFormula(sheet, (row, col, formula) => formulas.set(`${row}:${col}`, formula));
    return formulas;
  }

  function eachFormula(sheet: FWorksheet, visit: (row: number, col: number, formula: string) => void): void {
    const matrix = sheet.getSheet().getCellMatrix();
    const first = new Map<string, { readonly formula: string; readonly row: number; readonly col: number }>();
    const filled: { readonly id: string; readonly row: number; readonly col: number }[] = [];
    matrix.forValue((row, col, cell) => {
      const { f: formula, si: id } = cell ?? {};
      if (typeof formula === "string" && formula.startsWith("=")) {
        if (typeof id === "string") first.set(id, { formula, row, col });
        visit(row, col, formula);
      } else if (typeof id === "string" && id !== "") filled.push({ id, row, col });
      return true;
    });
    for (const { id, row, col } of filled) {
      const origin = first.get(id);
      if (origin === undefined) continue;
      const { formula } = origin;
      visit(
        row,
        col,
        grid.api.getFormula().moveFormulaRefOffset(formula, col - origin.col, row - origin.row),
      );
    }
  }

  function formatOf(sheet: FWorksheet, cell: Nullable<ICellData>): string | null {
    return sheet.getWorkbook().getStyles().getStyleByCell(cell)?.n?.pattern ?? null;
  }

  function ownFormat(sheet: FWorksheet, { row, col }: CellPosition): string | null {
    return formatOf(sheet, sheet.getSheet().getCellRaw(row, col));
  }

  function formatOfSpill(sheet: FWorksheet, { row, col }: CellPosition): string | null {
    return formatOf(sheet, model.getArrayFormulaCellData()[unitId()]?.[sheet.getSheetId()]?.[row]?.[col]);
  }

  /** For each cell of the area that a spill fills, by `row:col`, the cell of the spill's formula. */
  function spillOrigins(sheetId: string, area: CellArea): ReadonlyMap<string, CellPosition> {
    const origins = new Map<string, CellPosition>();
    const [endRow, endCol] = [area.row + area.rows - 1, area.col + area.cols - 1];
    for (const origin of spillsOn(sheetId)) {
      const { range } = origin;
      for (let row = Math.max(range.startRow, area.row); row <= Math.min(range.endRow, endRow); row += 1) {
        const lastCol = Math.min(range.endColumn, endCol);
        for (let col = Math.max(range.startColumn, area.col); col <= lastCol; col += 1) {
          origins.set(`${row}:${col}`, origin);
        }
      }
    }
    return origins;
  }

  return {
    values: (sheet: FWorksheet, area: CellArea) => map(area, (row, col) => valueAt(sheet, row, col)),
    /** The formula, or the value of a cell without one; a spilled cell gives its value. */
    formulas(sheet: FWorksheet, area: CellArea): CellValue[][] {
      const formulas = formulaMap(sheet);
      return map(area, (row, col) => formulas.get(`${row}:${col}`) ?? valueAt(sheet, row, col));
    },
    text: (sheet: FWorksheet, area: CellArea) =>
      map(area, (row, col) => {
        const value = valueAt(sheet, row, col);
        if (typeof value === "boolean") return String(value).toUpperCase();
        const shown = sheet.getSheet().getCell(row, col)?.v;
        return String(shown ?? value ?? "");
      }),
    eachFormula,
    /**
     * The number format that a spilled value brings; null if the cell has its own. The formula's own cell adopts the
     * format of its value.
     */
    spilledFormat: (sheet: FWorksheet, at: CellPosition): string | null =>
      ownFormat(sheet, at) === null ? formatOfSpill(sheet, at) : null,
    /** The cell's own number format, or the one that a spilled value brings; null for the general one. */
    numberFormat: (sheet: FWorksheet, at: CellPosition): string | null =>
      ownFormat(sheet, at) ?? formatOfSpill(sheet, at),
    /** The size of the formula's spill; 1 by 1 if it has not spilled. */
    spillSize(sheetId: string, row: number, col: number): SpillSize {
      const range = model.getArrayFormulaRange()[unitId()]?.[sheetId]?.[row]?.[col];
      if (!range) return { rows: 1, cols: 1 };
      return { rows: range.endRow - range.startRow + 1, cols: range.endColumn - range.startColumn + 1 };
    },
    /** The number of rows and columns, from the first, that contain all spills of the sheet. */
    spilledTo: (sheetId: string) =>
      spillsOn(sheetId).reduce<SpillSize>(
        ({ rows, cols }, { range }) => ({
          rows: Math.max(rows, range.endRow + 1),
          cols: Math.max(cols, range.endColumn + 1),
        }),
        { rows: 0, cols: 0 },
      ),
    spills(sheetId: string): SpilledCells[] {
      const values = model.getArrayFormulaCellData()[unitId()]?.[sheetId];
      return spillsOn(sheetId).map(({ row, col, range }) => {
        const area = { row, col, rows: range.endRow - row + 1, cols: range.endColumn - col + 1 };
        return { sheetId, row, col, cells: map(area, (r, c) => values?.[r]?.[c] ?? null) };
      });
    },
    /** Fills cells as a calculation does. */
    addSpill({ sheetId, row, col, cells }: SpilledCells): void {
      const range = {
        startRow: row,
        endRow: row + cells.length - 1,
        startColumn: col,
        endColumn: col + (cells[0]?.length ?? 1) - 1,
      };
      const filled = new ObjectMatrix<Nullable<ICellData>>();
      for (const [down, line] of cells.entries()) {
        for (const [right, cell] of line.entries()) filled.setValue(row + down, col + right, cell);
      }
      model.mergeArrayFormulaCellData({ [unitId()]: { [sheetId]: filled } });
      model.mergeArrayFormulaRange({ [unitId()]: { [sheetId]: { [row]: { [col]: range } } } });
    },
    spillOrigins,
    /** The cell whose formula spilled into this cell, which may be this cell itself; null if there is no spill. */
    spillOrigin: (sheetId: string, row: number, col: number): CellPosition | null =>
      spillOrigins(sheetId, { row, col, rows: 1, cols: 1 }).get(`${row}:${col}`) ?? null,
  };
}

function contentOf(cell: Nullable<ICellData>): CellValue {
  const value = documentText(cell) ?? cell?.v ?? null;
  if (cell?.t === CellValueType.BOOLEAN && value !== null) return Boolean(Number(value));
  return value;
}

export function isInRange(
  { startRow, endRow, startColumn, endColumn }: IRange,
  { row, col }: CellPosition,
): boolean {
  return row >= startRow && row <= endRow && col >= startColumn && col <= endColumn;
}
