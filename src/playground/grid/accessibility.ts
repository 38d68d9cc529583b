/**
 * Repairs the grid's markup where it misleads a screen reader: buttons without a name, attributes their
 * role does not allow, and a tab order of its own. The cells themselves are a canvas, which no screen
 * reader enters; the pane's list of cells is their accessible view.
 */

/** Repairs what is there and what the grid adds later. */
export function repairMarkup(root: HTMLElement): void {
  const repairAll = () => repair(root);
  new MutationObserver(repairAll).observe(root, { childList: true, subtree: true });
  repairAll();
}

function repair(root: HTMLElement): void {
  for (const element of root.querySelectorAll<HTMLElement>("[tabindex='1']")) element.tabIndex = 0;
}
