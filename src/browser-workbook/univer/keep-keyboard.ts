/**
 * Moves the focus to the cells at the first key when nothing has it, such as after a menu closes, when a clicked
 * sheet tab has it, or when the formula bar's invisible editor has it although no cell is edited: Tab leads there from the pane's
 * last control. Otherwise typed text would be lost. It doesn't move at the click, because a second
 * click renames the tab. A tab reached by keyboard keeps the focus until Enter.
 */
import { DOCS_FORMULA_BAR_EDITOR_UNIT_ID_KEY } from "@univerjs/core";

const tab = "[data-u-comp='slide-tab-item']";
const formulaBar = `[id$='${DOCS_FORMULA_BAR_EDITOR_UNIT_ID_KEY}']`;
const cellKeys = /^(?:.|Arrow\w+|Enter|F2|Delete|Backspace|Home|End|Page\w+)$/u;

export function keepKeyboard(
  container: HTMLElement,
  { focusCells, isEditing }: { focusCells(): void; isEditing(): boolean },
): void {
  let tabWasClicked = false;

  function onKey(event: KeyboardEvent): void {
    if (event.key === "Tab") tabWasClicked = false;
    const { activeElement: focused } = document;
    if (event.key === "Enter" && focused?.matches(tab) === true) {
      event.preventDefault();
      event.stopImmediatePropagation();
      focusCells();
      return;
    }
    const isNowhere = focused === null || focused === document.body;
    const isLost =
      isNowhere || (tabWasClicked && focused.matches(tab)) || (focused.matches(formulaBar) && !isEditing());
    // Ctrl+C copies selected text of the page, not a cell.
    const hasText = document.getSelection()?.isCollapsed === false;
    if (!isLost || hasText || !cellKeys.test(event.key)) return;
    focusCells();
    if (document.activeElement === focused) return;
    event.stopImmediatePropagation();
    const repeated = new KeyboardEvent("keydown", event);
    document.activeElement?.dispatchEvent(repeated);
    // The browser types a letter into the focused element by itself.
    if (repeated.defaultPrevented || event.key.length > 1) event.preventDefault();
  }

  container.addEventListener(
    "pointerdown",
    ({ target }) => (tabWasClicked = target instanceof Element && target.closest(tab) !== null),
    true,
  );
  container.addEventListener("dblclick", () => (tabWasClicked = false), true);
  document.addEventListener("keydown", onKey, true);
}
