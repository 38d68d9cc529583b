/** Records what people do while a refresh runs: where they type, and on which sheets cells may be elsewhere now. */
import { sheetCols, sheetRows } from "../../formula/columns";
import { contains } from "../addresses";
import type { Area, CellRef, Edit, Workbook } from "../port";

export interface EditsSince {
  /** Returns whether cells of this sheet may be elsewhere: they have moved, or the sheet was renamed. */
  hasMoved(sheet: string): boolean;
  /** Returns whether somebody typed into this cell. */
  hasTyped(cell: CellRef): boolean;
}

/** Returns a function that starts a new record and ends the previous one. */
export function createEditRecorder(workbook: Pick<Workbook, "onEdit">): () => EditsSince {
  let record = createRecord();
  workbook.onEdit((edit) => record.note(edit));
  return () => (record = createRecord());
}

function createRecord() {
  const moved = new Set<string>();
  const typed: Area[] = [];
  let hasMovedAnywhere = false;
  return {
    note(edit: Edit): void {
      if (edit === null) hasMovedAnywhere = true;
      else if ("from" in edit) moved.add(edit.from).add(edit.to);
      else if (!("added" in edit)) {
        for (const area of edit) {
          if (isMove(area)) moved.add(area.sheet);
          else typed.push(area);
        }
      }
    },
    hasMoved: (sheet: string) => hasMovedAnywhere || moved.has(sheet),
    hasTyped: (cell: CellRef) => typed.some((area) => contains(area, cell)),
  };
}

/** Returns whether the edit may have moved cells: it then reaches to the end of the sheet. */
export function isMove({ row, col, rows, cols }: Area): boolean {
  return row + rows >= sheetRows && col + cols >= sheetCols;
}
