/**
 * Records what people do to the workbook while a refresh runs: where they type, which sheets have moved cells, and renames.
 * Invariant: an area where somebody typed is still covered after cells have moved, with others if INV can't know where it is.
 */
import { sheetCols, sheetRows } from "../../formula/columns";
import type { Area, SheetRename, Workbook } from "../port";

export interface EditsSince {
  /** Number of edits after which cells may be elsewhere. */
  readonly moves: number;
  /** Returns whether cells of this sheet may have moved. */
  hasMoved(sheet: string): boolean;
  /** Returns whether somebody typed into these cells. */
  hasTyped(area: Area): boolean;
  /** Returns the current name of a sheet that had this name at the start. */
  sheetNow(name: string): string;
  /** Makes cells that have moved until now count as typed: nobody knows what they showed before. */
  giveUpMoved(): void;
}

/** Returns a function that starts a new record and ends the previous one. */
export function createEditRecorder(workbook: Pick<Workbook, "onEdit">): () => EditsSince {
  let record = createRecord();
  workbook.onEdit((edit) => {
    if (edit === null) record.moveAnywhere();
    else if ("from" in edit) record.rename(edit);
    else if (!("added" in edit)) edit.forEach(record.touch);
  });
  return () => (record = createRecord());
}

function createRecord() {
  let typed: Area[] = [];
  let moved = new Set<string>();
  let hasMovedAnywhere = false;
  let isLost = false;
  let moves = 0;
  const renames: SheetRename[] = [];
  return {
    touch(area: Area): void {
      if (!isMove(area)) {
        typed.push(area);
        return;
      }
      moves += 1;
      moved.add(area.sheet);
      typed = typed.map((each) => (overlap(each, area) ? upToEnd(each, area) : each));
    },
    rename(rename: SheetRename): void {
      const { from, to } = rename;
      moves += 1;
      renames.push(rename);
      typed = typed.map((area) => (area.sheet === from ? { ...area, sheet: to } : area));
      if (moved.delete(from)) moved.add(to);
    },
    moveAnywhere(): void {
      moves += 1;
      hasMovedAnywhere = true;
      typed = typed.map(({ sheet }) => wholeSheet(sheet));
    },
    get moves() {
      return moves;
    },
    hasMoved: (sheet: string) => hasMovedAnywhere || moved.has(sheet),
    hasTyped: (area: Area) => isLost || typed.some((each) => overlap(each, area)),
    sheetNow: (name: string) => renames.reduce((now, { from, to }) => (now === from ? to : now), name),
    giveUpMoved(): void {
      isLost ||= hasMovedAnywhere;
      typed.push(...[...moved].map(wholeSheet));
      moved = new Set();
    },
  };
}

/** Returns whether the edit may have moved cells: it then reaches to the end of the sheet. */
export function isMove({ row, col, rows, cols }: Area): boolean {
  return row + rows >= sheetRows && col + cols >= sheetCols;
}

function wholeSheet(sheet: string): Area {
  return { sheet, row: 0, col: 0, rows: sheetRows, cols: sheetCols };
}

/** Returns all cells to which an area may have moved. */
function upToEnd(area: Area, from: Area): Area {
  const row = Math.min(area.row, from.row);
  const col = Math.min(area.col, from.col);
  return { sheet: area.sheet, row, col, rows: sheetRows - row, cols: sheetCols - col };
}

function overlap(one: Area, other: Area): boolean {
  return (
    one.sheet === other.sheet &&
    one.row < other.row + other.rows &&
    other.row < one.row + one.rows &&
    one.col < other.col + other.cols &&
    other.col < one.col + one.cols
  );
}
