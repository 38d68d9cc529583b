/**
 * Keeps a visible sheet in view. It shows another sheet before the one in view is removed, for example by an undo, and
 * if a hidden sheet comes into view, for example by a redo. The grid measures each edit on the sheet in view. Without
 * one it would fail, and no other listener would receive the edit.
 */
import { ICommandService } from "@univerjs/core";
import { RemoveSheetMutation } from "@univerjs/preset-sheets-core";
import type { Grid } from "./grid";

export function keepVisibleSheetActive({ api, injector }: Grid): void {
  injector.get(ICommandService).beforeCommandExecuted(({ id, params }) => {
    const book = api.getActiveWorkbook();
    if (id !== RemoveSheetMutation.id || !book) return;
    const { subUnitId } = params as { readonly subUnitId: string };
    if (book.getActiveSheet().getSheetId() !== subUnitId) return;
    const sheets = book.getSheets();
    const at = sheets.findIndex((sheet) => sheet.getSheetId() === subUnitId);
    const beside = [...sheets.slice(at + 1), ...sheets.slice(0, at).reverse()];
    const next = beside.find((sheet) => !sheet.isSheetHidden());
    if (next) book.setActiveSheet(next);
  });
  let seen = "";
  api.addEvent(api.Event.ActiveSheetChanged, ({ workbook, activeSheet }) => {
    if (!activeSheet.isSheetHidden()) seen = activeSheet.getSheetId();
    else if (workbook.getSheetBySheetId(seen)) workbook.setActiveSheet(seen);
  });
}
