/**
 * The one way into this room: puts the pane on the page. Loaded as a chunk of its own, after the functions
 * are registered. The first frame does not wait for Fluent's components: the style sheet draws them as
 * they will look, and they are registered right after it. F1 opens the help. F6 gives the keyboard back to the grid where the
 * host cannot take it itself.
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
import { followTheme } from "./theme";

/**
 * Draws the pane into `root`, replacing what is there; follows the theme from then on. Resolves when every
 * control is at work. Rejects when the components cannot be had, with `root` as it was before.
 */
export async function mountPane(root: HTMLElement, services: PaneServices): Promise<void> {
  const replaced = [...root.childNodes];
  followTheme(services.theme, document);
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

/** At once in a hidden page, which draws no frame. */
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
  // Coming from the grid by keyboard, something must be seen to have the focus.
  window.addEventListener("focus", () => {
    if (pointerDown || document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>("fluent-tab[aria-selected=true]")?.focus();
  });
}
