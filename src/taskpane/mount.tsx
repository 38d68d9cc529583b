/**
 * Adds the pane to the page, after the functions are registered. F1 opens the help. F6 moves the focus to the grid if the host
 * can't do that itself.
 */
import { render } from "preact";
import { keepFocus } from "./keep-focus";
import { Pane } from "./pane";
import "uplot/dist/uPlot.min.css";
import "./tokens.css";
import "./pane.css";
import "./controls.css";
import "./build/build.css";
import "./inspect/inspect.css";
import "./help/help.css";
import type { PaneServices } from "./services";

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
