/**
 * F6 moves the keyboard focus between sheet and pane, as in Excel, and Shift+F6 to the buttons above them. F1 opens the
 * help. A key pressed in the pane reaches only its own document, so both documents have the handler. Tab can't do it,
 * because the grid uses it for cells.
 */
import type { PaneFrame } from "./pane";

export interface FocusTargets {
  readonly frame: HTMLIFrameElement;
  readonly pane: PaneFrame;
  /** Contains the buttons above sheet and pane. */
  readonly tools: HTMLElement;
  focusGrid(): void;
}

/** Binds F6 in the page now, and in the pane's document each time it is loaded. */
export function bindFocusKey(targets: FocusTargets): void {
  const { frame } = targets;
  /** The last focused element of the pane, which its document forgets when it loses the focus. */
  let left: HTMLElement | null = null;
  document.addEventListener(
    "keydown",
    (event) => onKey(event, () => focusPane(targets, left), targets),
    true,
  );
  frame.addEventListener("load", () => {
    left = null;
    const inside = frame.contentDocument;
    inside?.addEventListener("focusin", ({ target }) => (left = target as HTMLElement));
    const leave = (): void => focusSheet(targets);
    inside?.addEventListener("keydown", (event) => onKey(event, leave, targets), true);
  });
}

export function bindHelpKey(showHelp: () => unknown): void {
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "F1" || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      showHelp();
    },
    true,
  );
}

function onKey(event: KeyboardEvent, act: () => void, targets: FocusTargets): void {
  if (event.key !== "F6" || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.shiftKey) focusTools(targets);
  else act();
}

function focusTools({ frame, tools }: FocusTargets): void {
  frame.blur();
  window.focus();
  tools.querySelector<HTMLElement>("a[href], button")?.focus();
}

function focusSheet({ frame, focusGrid }: FocusTargets): void {
  frame.blur();
  window.focus();
  focusGrid();
}

function focusPane({ frame, pane }: FocusTargets, left: HTMLElement | null): void {
  pane.show();
  frame.focus();
  const inside = frame.contentDocument;
  if (inside === null) return;
  frame.contentWindow?.focus();
  left?.focus();
  // Return to the element that had the focus before; if there is none, to the first control.
  if (inside.activeElement !== null && inside.activeElement !== inside.body) return;
  const controls = "button, a[href], input, select, textarea, [tabindex='0']";
  inside.querySelector<HTMLElement>(controls)?.focus();
}
