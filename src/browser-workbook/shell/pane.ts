/**
 * Shows or hides the pane at the right. The pane is never unloaded, because its frame contains the functions, and
 * without them every cell would wait. If they don't register, the cells show why.
 */
import type { CustomFunctions } from "../functions/custom-functions";
import { pageElement } from "./page-element";

export interface PaneFrame {
  show(): void;
}

/** How long the add-in's page may take to register its functions after it has loaded. */
const registrationLimitMs = 20_000;

export function createPane(frame: HTMLIFrameElement, functions: CustomFunctions): PaneFrame {
  const halves = pageElement("halves");
  const toggle = pageElement("toggle-pane", HTMLButtonElement);
  const narrow = window.matchMedia("(max-width: 760px)");
  let visible = !narrow.matches;

  function setVisible(shown: boolean): void {
    visible = shown;
    halves.dataset["pane"] = shown ? "shown" : "hidden";
    toggle.setAttribute("aria-expanded", String(shown));
  }

  toggle.addEventListener("click", () => setVisible(!visible));
  narrow.addEventListener("change", () => setVisible(!narrow.matches));
  frame.addEventListener("load", () => {
    const reason = "The add-in did not register this function. Reload the page, or build the add-in again.";
    const limit = window.setTimeout(() => functions.giveUp(reason), registrationLimitMs);
    frame.contentWindow?.addEventListener("pagehide", () => {
      window.clearTimeout(limit);
      functions.unload();
    });
  });

  setVisible(visible);
  return { show: () => setVisible(true) };
}
