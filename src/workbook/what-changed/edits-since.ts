/** Records what people do while a refresh runs: where they type, on which sheets cells move, and renames. */
import { sheetCols, sheetRows } from "../../formula/columns";
import { contains } from "../addresses";
import type { Area, CellRef, SheetRename, Workbook } from "../port";

export interface EditsSince {
  /** Returns whether cells of this sheet may have moved. */
  hasMoved(sheet: string): boolean;
  /** Returns whether somebody typed into this cell of a sheet without moved cells. */
  hasTyped(cell: CellRef): boolean;
  /** Returns the current name of a sheet that had this name at the start. */
  sheetNow(name: string): string;
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
  const moved = new Set<string>();
  let typed: Area[] = [];
  let hasMovedAnywhere = false;
  const renames: SheetRename[] = [];
  return {
    touch(area: Area): void {
      if (isMove(area)) moved.add(area.sheet);
      else typed.push(area);
    },
    moveAnywhere: (): void => void (hasMovedAnywhere = true),
    rename(rename: SheetRename): void {
      renames.push(rename);
      if (moved.delete(rename.from)) moved.add(rename.to);
      typed = typed.map((area) => (area.sheet === rename.from ? { ...area, sheet: rename.to } : area));
    },
    hasTyped: (cell: CellRef) => typed.some((area) => contains(area, cell)),
    hasMoved: (sheet: string) => hasMovedAnywhere || moved.has(sheet),
    sheetNow: (name: string) => renames.reduce((now, { from, to }) => (now === from ? to : now), name),
  };
}

/** Returns whether the edit may have moved cells: it then reaches to the end of the sheet. */
export function isMove({ row, col, rows, cols }: Area): boolean {
  return row + rows >= sheetRows && col + cols >= sheetCols;
}
