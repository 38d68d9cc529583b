/** The text of the cell that is being edited, as it stands in the grid's editor. */
import { DOCS_NORMAL_EDITOR_UNIT_ID_KEY } from "@univerjs/core";
import { IEditorBridgeService, IEditorService } from "@univerjs/preset-sheets-core";
import type { Grid } from "../create-grid";

/** Null while no cell is edited. */
export function editedText(grid: Grid): string | null {
  if (!grid.injector.get(IEditorBridgeService).isVisible().visible) return null;
  const editor = grid.injector.get(IEditorService).getEditor(DOCS_NORMAL_EDITOR_UNIT_ID_KEY);
  // A document of the grid ends with a paragraph mark and an end mark.
  return editor?.getDocumentData().body?.dataStream.replace(/\r\n$/, "") ?? null;
}
