/**
 * Writes pasted rows to the cells that were selected when the paste was requested, in slices and as one undo step. It
 * enlarges the sheet if needed. If the selection is a multiple of the copied area, the rows are repeated, as in Excel.
 */
import { ICommandService, type ICellData, IUndoRedoService } from "@univerjs/core";
import {
  type FWorksheet,
  SetRangeValuesMutation,
  type ISetRangeValuesMutationParams,
  SetRangeValuesUndoMutationFactory,
} from "@univerjs/preset-sheets-core";
import { fromR1C1 } from "../../../formula/references";
import type { PastedCell } from "../../paste/pasted-table";
import { inSlices } from "../../slices";
import { formulaData, valueData } from "../cell-data";
import type { Rectangle } from "../cell-reader";
import type { Grid } from "../create-grid";
import { gridStyle } from "../styles/grid-style";
import { ensureSheetSize } from "./ensure-sheet-size";

type Rows = readonly (readonly PastedCell[])[];

type Mutation = { readonly id: string; readonly params: ISetRangeValuesMutationParams };

const cellsAtOnce = 2_000;

export interface PasteTarget {
  readonly sheetId: string;
  readonly selected: Rectangle;
}

export interface PasteJob {
  readonly rows: Rows;
  readonly target: PasteTarget;
}

export function pasteTarget(grid: Grid): PasteTarget | null {
  const sheet = grid.api.getActiveWorkbook()?.getActiveSheet();
  const selected = sheet?.getActiveRange()?.getRange();
  if (!sheet || !selected) return null;
  const { startRow: row, startColumn: col, endRow, endColumn } = selected;
  return {
    sheetId: sheet.getSheetId(),
    selected: { row, col, rows: endRow - row + 1, cols: endColumn - col + 1 },
  };
}

/** False if the sheet was removed during the paste. */
export async function writePasted(
  grid: Grid,
  { rows, target: { sheetId, selected } }: PasteJob,
): Promise<boolean> {
  const book = grid.api.getActiveWorkbook();
  const sheet = book?.getSheetBySheetId(sheetId);
  if (!book || !sheet) return false;
  const target = targetOf(rows, selected);
  ensureSheetSize(sheet, target);

  const commands = grid.injector.get(ICommandService);
  const redos: Mutation[] = [];
  const undos: Mutation[] = [];
  const isThere = () => Boolean(grid.api.getActiveWorkbook()?.getSheetBySheetId(sheetId));
  const write = (mutation: Mutation) => {
    undos.unshift({
      id: SetRangeValuesMutation.id,
      params: SetRangeValuesUndoMutationFactory(grid.injector, mutation.params),
    });
    commands.syncExecuteCommand(mutation.id, mutation.params);
    redos.push(mutation);
  };
  const isWhole = await inSlices(mutations(sheet, rows, target), write, isThere);
  grid.injector.get(IUndoRedoService).pushUndoRedo({
    unitID: sheet.getWorkbook().getUnitId(),
    redoMutations: redos,
    undoMutations: undos,
  });
  // Don't move a person who has gone on to another sheet or cell.
  const now = pasteTarget(grid);
  const isStill = now?.sheetId === sheetId && isSame(now.selected, selected);
  if (isWhole && isStill) sheet.getRange(target.row, target.col, target.rows, target.cols).activate();
  return isWhole;
}

function isSame(one: Rectangle, other: Rectangle): boolean {
  return (["row", "col", "rows", "cols"] as const).every((edge) => one[edge] === other[edge]);
}

/** Returns the selection if it is a multiple of the rows, or else the area that the rows cover. */
function targetOf(rows: Rows, selected: Rectangle): Rectangle {
  const cols = rows.reduce((most, row) => Math.max(most, row.length), 1);
  const { row, col } = selected;
  const repeats = selected.rows % rows.length === 0 && selected.cols % cols === 0;
  const fits = repeats && selected.rows * selected.cols <= mostRepeated;
  return fits ? selected : { row, col, rows: rows.length, cols };
}

/** Cells. One cell pasted into a selected whole column should not fill all of it. */
const mostRepeated = 100_000;

function* mutations(sheet: FWorksheet, rows: Rows, target: Rectangle): Generator<Mutation> {
  const cols = rows.reduce((most, row) => Math.max(most, row.length), 1);
  let values: Record<number, Record<number, ICellData>> = {};
  let cells = 0;
  const mutation = (): Mutation => ({
    id: SetRangeValuesMutation.id,
    params: { unitId: sheet.getWorkbook().getUnitId(), subUnitId: sheet.getSheetId(), cellValue: values },
  });
  for (let down = 0; down < target.rows; down += 1) {
    const row = target.row + down;
    const given = rows[down % rows.length] ?? [];
    const written: Record<number, ICellData> = {};
    for (let right = 0; right < target.cols; right += 1) {
      const col = target.col + right;
      written[col] = dataOf(given[right % cols], row, col);
    }
    values[row] = written;
    cells += target.cols;
    if (cells < cellsAtOnce) continue;
    yield mutation();
    values = {};
    cells = 0;
  }
  if (cells > 0) yield mutation();
}

function dataOf(cell: PastedCell | undefined, row: number, col: number): ICellData {
  const { value = null, formula, numberFormat } = cell ?? {};
  const content =
    formula === undefined
      ? valueData(value)
      : formulaData(formula.notation === "r1c1" ? fromR1C1(formula.text, { row, col }) : formula.text);
  return numberFormat === undefined ? content : { ...content, s: gridStyle({ numberFormat }) };
}
