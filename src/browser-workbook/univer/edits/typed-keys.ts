/**
 * Enter puts in what was typed, as in Excel, and Tab takes the suggestion for it. The grid's list of suggestions takes
 * both keys, but comes 300 ms after the last letter: whoever types fast would get what was suggested for fewer
 * letters, or none; and it sets the caret after another 30 ms, into the letters that have come meanwhile (seen:
 * `=INV.QT`, Tab, `1234` gave `=INV.QT124…3Y(`). So neither key is the list's: Tab puts the name in as if it were typed.
 */
import { CommandType, DOCS_NORMAL_EDITOR_UNIT_ID_KEY, ICommandService, toDisposable } from "@univerjs/core";
import {
  FunctionType,
  IDescriptionService,
  IEditorBridgeService,
  IEditorService,
  InsertCommand,
  IShortcutService,
  KeyCode,
} from "@univerjs/preset-sheets-core";
import type { Grid } from "../create-grid";
import { nameAtCaret } from "./name-at-caret";

const suggestions = "sheet.formula-embedding-editor.search_function.";
const listKeys: ReadonlySet<unknown> = new Set([KeyCode.ENTER, KeyCode.TAB]);
const takeSuggestion = "inv.command.take-suggestion";
/** Above the grid's own Tab, which ends the editing. */
const priority = 1_000;

interface Completion {
  readonly editorId: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export function keysAsTyped({ injector }: Grid): void {
  const commands = injector.get(ICommandService);
  const shortcuts = injector.get(IShortcutService);
  const register = shortcuts.registerShortcut.bind(shortcuts);
  shortcuts.registerShortcut = (item) =>
    item.id.startsWith(suggestions) && listKeys.has(item.binding)
      ? toDisposable(() => undefined)
      : register(item);

  function completion(): Completion | null {
    if (!injector.get(IEditorBridgeService).isVisible().visible) return null;
    const editors = injector.get(IEditorService);
    const editor = editors.getFocusEditor() ?? editors.getEditor(DOCS_NORMAL_EDITOR_UNIT_ID_KEY);
    const text = editor?.getDocumentData().body?.dataStream.replace(/\r\n$/, "");
    const [caret] = editor?.getSelectionRanges() ?? [];
    if (!editor || text === undefined || caret?.collapsed !== true) return null;
    const typed = nameAtCaret(text, caret.startOffset);
    if (typed === null) return null;
    const fitting = injector.get(IDescriptionService).getSearchListByNameFirstLetter(typed.name);
    const marked = markedSuggestion();
    const chosen = fitting.find(({ name }) => name === marked) ?? fitting[0];
    if (chosen === undefined) return null;
    const isName =
      chosen.functionType === FunctionType.DefinedName || chosen.functionType === FunctionType.Table;
    const isCalled = isName || text[caret.startOffset] === "(";
    return {
      editorId: editor.getEditorId(),
      from: typed.from,
      to: caret.startOffset,
      text: isCalled ? chosen.name : `${chosen.name}(`,
    };
  }

  commands.registerCommand({
    id: takeSuggestion,
    type: CommandType.COMMAND,
    handler() {
      const taken = completion();
      if (taken === null) return false;
      const { editorId: unitId, from: startOffset, to: endOffset, text: dataStream } = taken;
      const range = { startOffset, endOffset, collapsed: false };
      void commands.executeCommand(InsertCommand.id, { unitId, segmentId: "", range, body: { dataStream } });
      const list = `${suggestions}${unitId}`;
      if (commands.hasCommand(list)) void commands.executeCommand(list, { keyCode: KeyCode.ESC });
      return true;
    },
  });
  register({
    id: takeSuggestion,
    binding: KeyCode.TAB,
    priority,
    preconditions: () => completion() !== null,
  });
}

/** The one that arrow keys have gone to, in the list as it is drawn; it may be of fewer letters. */
function markedSuggestion(): string | null {
  const marked = document.querySelector("[data-u-comp='sheets-formula-editor'] li.univer-bg-gray-200");
  return marked?.querySelector("span")?.textContent ?? null;
}
