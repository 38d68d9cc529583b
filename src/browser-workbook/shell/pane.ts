/**
 * Shows or hides the pane at the right. The pane is never unloaded, because its frame contains the functions, and
 * without them every cell would wait.
 */
import { pageElement } from "./page-element";

export interface PaneFrame {
  show(): void;
}

export function createPane(): PaneFrame {
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

  setVisible(visible);
  return { show: () => setVisible(true) };
}
