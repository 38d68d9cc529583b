/**
 * Enter puts in what was typed, as in Excel; Tab takes a suggestion. The grid's list of suggestions takes Enter too, and
 * trails the keys: whoever types fast would get a function that was suggested for the letters before.
 */
import { toDisposable } from "@univerjs/core";
import { IShortcutService, KeyCode } from "@univerjs/preset-sheets-core";
import type { Grid } from "../create-grid";

const suggestions = "sheet.formula-embedding-editor.search_function.";

export function enterAsTyped({ injector }: Grid): void {
  const shortcuts = injector.get(IShortcutService);
  const register = shortcuts.registerShortcut.bind(shortcuts);
  shortcuts.registerShortcut = (item) =>
    item.id.startsWith(suggestions) && item.binding === KeyCode.ENTER
      ? toDisposable(() => undefined)
      : register(item);
}
