/**
 * Enter enters what was typed, as in Excel, and Tab accepts the suggestion for it. Ctrl+Enter does nothing. The grid's
 * list of suggestions uses both keys, but appears only 300 ms after the last letter. A fast typist would get a
 * suggestion for fewer letters, or none. The list also moves the caret after another 30 ms, into letters typed
 * meanwhile (seen: `=INV.QT`, Tab, `1234` gave `=INV.QT124…3Y(`). So the list gets neither key, and Tab inserts the
 * name as if it were typed.
 */
import {
  CommandType,
  type Dependency,
  ICommandService,
  type IDisposable,
  toDisposable,
} from "@univerjs/core";
import {
  FunctionType,
  IDescriptionService,
  IEditorBridgeService,
  type IShortcutItem,
  IShortcutService,
  KeyCode,
  MetaKeys,
  ShortcutService,
} from "@univerjs/preset-sheets-core";
import { unawaited } from "../../../domain/unawaited";
import type { Grid } from "../grid";
import { insertCompletion, type Completion, editorAtCaret } from "./edited-text";
import { nameAtCaret } from "./name-at-caret";

const suggestions = "sheet.formula-embedding-editor.search_function.";
const listKeys: ReadonlySet<unknown> = new Set([KeyCode.ENTER, KeyCode.TAB]);
const acceptSuggestion = "inv.command.accept-suggestion";
/** Higher than the grid's own shortcuts for these keys. */
const priority = 1_000;
const noFill = "inv.command.no-fill";

class Shortcuts extends ShortcutService {
  override registerShortcut(item: IShortcutItem): IDisposable {
    const isOfList = item.id.startsWith(suggestions) && listKeys.has(item.binding);
    return isOfList ? toDisposable(() => undefined) : super.registerShortcut(item);
  }
}

/** For the configuration of the grid's UI. */
export const shortcutsWithoutLists: Dependency = [IShortcutService, { useClass: Shortcuts }];

export function bindEnterAndTab({ injector }: Grid): void {
  const commands = injector.get(ICommandService);
  const shortcuts = injector.get(IShortcutService);

  function completion(): Completion | null {
    const editor = editorAtCaret(injector);
    const typed = editor && nameAtCaret(editor.text, editor.caret);
    if (!typed) return null;
    const fitting = injector.get(IDescriptionService).getSearchListByNameFirstLetter(typed.name);
    const marked = markedSuggestion();
    const chosen = fitting.find(({ name }) => name === marked) ?? fitting[0];
    if (chosen === undefined) return null;
    const isName =
      chosen.functionType === FunctionType.DefinedName || chosen.functionType === FunctionType.Table;
    const isCalled = isName || editor.text[editor.caret] === "(";
    return {
      editorId: editor.editorId,
      from: typed.from,
      to: editor.caret,
      text: isCalled ? chosen.name : `${chosen.name}(`,
    };
  }

  commands.registerCommand({
    id: acceptSuggestion,
    type: CommandType.COMMAND,
    handler() {
      const accepted = completion();
      if (accepted === null) return false;
      insertCompletion(injector, accepted);
      const list = `${suggestions}${accepted.editorId}`;
      if (commands.hasCommand(list)) unawaited(commands.executeCommand(list, { keyCode: KeyCode.ESC }));
      return true;
    },
  });
  // The grid would write the same formula into every selected cell, without adjusting its references.
  commands.registerCommand({ id: noFill, type: CommandType.COMMAND, handler: () => true });
  for (const key of [MetaKeys.CTRL_COMMAND, MetaKeys.MAC_CTRL]) {
    const preconditions = (): boolean => injector.get(IEditorBridgeService).isVisible().visible;
    shortcuts.registerShortcut({ id: noFill, binding: KeyCode.ENTER | key, priority, preconditions });
  }
  shortcuts.registerShortcut({
    id: acceptSuggestion,
    binding: KeyCode.TAB,
    priority,
    preconditions: () => completion() !== null,
  });
}

/** The suggestion marked by the arrow keys in the visible list, which may belong to fewer letters. */
function markedSuggestion(): string | null {
  const marked = document.querySelector("[data-u-comp='sheets-formula-editor'] li.univer-bg-gray-200");
  return marked?.querySelector("span")?.textContent ?? null;
}
