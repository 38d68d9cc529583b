/**
 * Gives the keyboard back to the cells where the grid leaves it on a sheet's tab after a click, or nowhere: after
 * a menu closed, or a name was typed. What is typed next would be lost. A second click on a tab renames it, and
 * who came to the tabs by keyboard stays there.
 */

const tab = "[data-u-comp='slide-tab-item']";
const cellKeys = /^(?:.|Arrow\w+|Enter|F2|Delete|Backspace|Home|End|Page\w+)$/u;

export function keepKeyboard(container: HTMLElement, focusCells: () => void): void {
  container.addEventListener("click", ({ detail }) => {
    if (detail !== 1) return;
    // The grid gives the tab the keyboard at the same click.
    window.requestAnimationFrame(() => {
      if (document.activeElement?.matches(tab) === true) focusCells();
    });
  });
  document.addEventListener("keydown", (event) => onKey(event, focusCells), true);
}

function onKey(event: KeyboardEvent, focusCells: () => void): void {
  const isNowhere = document.activeElement === null || document.activeElement === document.body;
  // Text of the page that was selected is to be copied, not a cell.
  const hasText = document.getSelection()?.isCollapsed === false;
  if (!isNowhere || hasText || !cellKeys.test(event.key)) return;
  focusCells();
  // Letters follow the keyboard; of other keys the cells hear only when they have it.
  if (event.key.length === 1 || document.activeElement === document.body) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", event));
}
