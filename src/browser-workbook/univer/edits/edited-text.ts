/** Reads and completes the text being edited in the grid's editor. */
import { DOCS_NORMAL_EDITOR_UNIT_ID_KEY, ICommandService, type Injector } from "@univerjs/core";
import { IEditorBridgeService, IEditorService, InsertCommand } from "@univerjs/preset-sheets-core";
import { unawaited } from "../../../domain/unawaited";
import type { Grid } from "../grid";

/** The text in the cell's editor; null while no cell is edited. */
export function editedText({ injector }: Grid): string | null {
  if (!injector.get(IEditorBridgeService).isVisible().visible) return null;
  return editorText(injector.get(IEditorService).getEditor(DOCS_NORMAL_EDITOR_UNIT_ID_KEY));
}

/** The cell's editor or the formula bar; null if neither has a caret. */
export function editorAtCaret(injector: Injector) {
  if (!injector.get(IEditorBridgeService).isVisible().visible) return null;
  const editors = injector.get(IEditorService);
  const editor = editors.getFocusEditor() ?? editors.getEditor(DOCS_NORMAL_EDITOR_UNIT_ID_KEY);
  const text = editorText(editor);
  const [range] = editor?.getSelectionRanges() ?? [];
  if (!editor || text === null || range?.collapsed !== true) return null;
  const place = editor.getBoundingClientRect();
  return { editorId: editor.getEditorId(), text, caret: range.startOffset, place };
}

/** A range of characters in an editor, and the text that replaces it. */
export interface Completion {
  readonly editorId: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export function insertCompletion(injector: Injector, { editorId: unitId, from, to, text }: Completion): void {
  const range = { startOffset: from, endOffset: to, collapsed: from === to };
  const params = { unitId, segmentId: "", range, body: { dataStream: text } };
  unawaited(injector.get(ICommandService).executeCommand(InsertCommand.id, params));
}

type TextEditor = ReturnType<IEditorService["getEditor"]>;

/** The grid ends a document with a paragraph mark and an end mark. */
function editorText(editor: TextEditor): string | null {
  return editor?.getDocumentData().body?.dataStream.replace(/\r\n$/, "") ?? null;
}
