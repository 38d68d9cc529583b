/**
 * Adds the pane to the page, after the functions are registered. F1 opens the help. F6 moves the focus to the grid if the host
 * can't do that itself.
 */
import { render } from "preact";
import "uplot/dist/uPlot.min.css";
import { unawaited } from "../domain/unawaited";
import "./cell/cell.css";
import "./controls.css";
import { Pane } from "./pane";
import "./pane.css";
import "./rows/rows.css";
import "./templates/templates.css";
import type { PaneServices } from "./services";
import "./tokens.css";

export function mountPane(root: HTMLElement, services: PaneServices): void {
  const { theme, focusGrid } = services;
  const applyTheme = () => void (document.documentElement.dataset["theme"] = theme.get());
  applyTheme();
  theme.subscribe(applyTheme);
  root.replaceChildren();
  render(<Pane services={services} />, root);
  keepFocus(root);
  bindHelpKey(services.commands.showHelp);
  if (focusGrid) bindKeyboard(focusGrid);
}

function bindHelpKey(showHelp: () => void): void {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "F1" || event.defaultPrevented) return;
    event.preventDefault();
    showHelp();
  });
}

function bindKeyboard(focusGrid: () => void): void {
  let pointerDown = false;
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "F6" || event.defaultPrevented) return;
      event.preventDefault();
      focusGrid();
    },
    { capture: true },
  );
  document.addEventListener("pointerdown", () => (pointerDown = true), { capture: true });
  document.addEventListener("pointerup", () => (pointerDown = false), { capture: true });
  // A person who comes from the grid by keyboard must see where the focus is.
  window.addEventListener("focus", () => {
    if (pointerDown || document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus();
  });
}

/** Tab stops at the chosen one of radio buttons only. */
const focusable = "a[href], button, input:not([type=radio]:not(:checked)), select, textarea, summary";

/**
 * Keeps a keyboard user's place. If the focused element disappears, for example a button whose form closes, the focus moves to what
 * is now in its place. Otherwise it would be nowhere, and the next Tab would begin at the top of the pane.
 */
function keepFocus(root: HTMLElement): void {
  const { ownerDocument: document } = root;
  let focused: Element | null = null;
  /** What was before it in the order of Tab. */
  let before: readonly Element[] = [];
  /** Has the focus because nothing follows it yet: a panel that takes the place may still load. */
  let standIn: Element | null = null;

  function stops(): HTMLElement[] {
    return [...root.querySelectorAll<HTMLElement>(focusable)].filter(
      (each) =>
        each.tabIndex >= 0 &&
        each.closest("[hidden], details:not([open]) > :not(summary)") === null &&
        !each.hasAttribute("disabled"),
    );
  }

  root.addEventListener("keydown", () => (standIn = null), { capture: true });
  root.addEventListener("focusin", ({ target }) => {
    if (target !== standIn) standIn = null;
    focused = target as Element;
    const all = stops();
    before = all.slice(0, all.indexOf(target as HTMLElement));
  });
  root.addEventListener("focusout", ({ target }) => {
    // A removed element is no longer connected then. In all other cases the person has left it.
    unawaited(
      Promise.resolve().then(() => {
        if (target === focused && focused?.isConnected) focused = null;
      }),
    );
  });
  new MutationObserver(() => {
    const { activeElement } = document;
    const isGone =
      focused?.isConnected === false && (activeElement === null || activeElement === document.body);
    const hasStandIn = standIn !== null && standIn === activeElement;
    // While the person is in the grid, the pane must not take the focus.
    if (!(isGone || hasStandIn) || !document.hasFocus()) return;
    const all = stops();
    const last = hasStandIn
      ? all.indexOf(standIn as HTMLElement)
      : all.findLastIndex((each) => before.includes(each));
    const next = all[last + 1] ?? null;
    standIn = next === null ? (all[last] ?? null) : null;
    if (isGone || next !== null) (next ?? all[last])?.focus();
  }).observe(root, { childList: true, subtree: true });
}
