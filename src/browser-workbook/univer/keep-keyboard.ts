/**
 * Keys reach the cells also where the grid has left the keyboard nowhere, after a menu closed or a sheet was
 * named, or on a sheet's tab that was clicked: what is typed would be lost. It moves at the first key and not at
 * the click, since a second click on the tab renames it. Who came to the tabs by keyboard stays there.
 */

const tab = "[data-u-comp='slide-tab-item']";
const cellKeys = /^(?:.|Arrow\w+|Enter|F2|Delete|Backspace|Home|End|Page\w+)$/u;

export function keepKeyboard(container: HTMLElement, focusCells: () => void): void {
  let tabWasClicked = false;

  function onKey(event: KeyboardEvent): void {
    if (event.key === "Tab") tabWasClicked = false;
    const { activeElement: holder } = document;
    const isNowhere = holder === null || holder === document.body;
    const isLost = isNowhere || (tabWasClicked && holder.matches(tab));
    // Text of the page that was selected is to be copied, not a cell.
    const hasText = document.getSelection()?.isCollapsed === false;
    if (!isLost || hasText || !cellKeys.test(event.key)) return;
    focusCells();
    if (document.activeElement === holder) return;
    event.stopImmediatePropagation();
    const again = new KeyboardEvent("keydown", event);
    document.activeElement?.dispatchEvent(again);
    // A letter goes where the keyboard is by itself.
    if (again.defaultPrevented || event.key.length > 1) event.preventDefault();
  }

  container.addEventListener(
    "pointerdown",
    ({ target }) => (tabWasClicked = target instanceof Element && target.closest(tab) !== null),
    true,
  );
  container.addEventListener("dblclick", () => (tabWasClicked = false), true);
  document.addEventListener("keydown", onKey, true);
}
