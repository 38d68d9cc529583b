/**
 * Puts the pane on the page, after the functions are registered. The first frame doesn't wait for Fluent's components: the
 * style sheet draws them. F1 opens the help. F6 gives the keyboard to the grid where the host can't do that itself.
 */
import { render } from "preact";
import type { Clock } from "../engine/clock";
import { Pane } from "./pane";
import "uplot/dist/uPlot.min.css";
import "./tokens.css";
import "./pane.css";
import "./build/build.css";
import "./first-frame.css";
import "./inspect/inspect.css";
import "./help/help.css";
import type { PaneServices } from "./services";

/** Resolves when every control works. Rejects when the components can't be loaded, with `root` as it was before. */
export async function mountPane(root: HTMLElement, services: PaneServices): Promise<void> {
  const replaced = [...root.childNodes];
  const { theme } = services;
  const applyTheme = () => void (document.documentElement.dataset["theme"] = theme.get());
  applyTheme();
  theme.subscribe(applyTheme);
  root.replaceChildren();
  render(<Pane services={services} />, root);
  const { clock, focusGrid } = services;
  bindHelpKey(services.commands.showHelp);
  if (focusGrid) bindKeyboard(focusGrid);
  try {
    await firstFrame(clock);
    await import(/* webpackChunkName: "fluent", webpackPreload: true */ "./fluent");
  } catch (error) {
    render(null, root);
    root.replaceChildren(...replaced);
    throw error;
  }
}

/** Resolves at once in a hidden page, which draws no frame. */
function firstFrame(clock: Clock): Promise<void> {
  if (document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    requestAnimationFrame(() => clock.setTimeout(resolve, 0));
  });
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
    document.querySelector<HTMLElement>("fluent-tab[aria-selected=true]")?.focus();
  });
}
