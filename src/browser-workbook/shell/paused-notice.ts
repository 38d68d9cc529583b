/** Shows that a saved workbook isn't calculated, and lets the person have it calculated all the same. */
import type { OpenGrid } from "../open-grid";
import type { LoadGuard } from "../saved/load-guard";
import { pageElement } from "./page-element";

export function guardCalculation(
  grid: Pick<OpenGrid, "busy" | "isPaused" | "calculateNow" | "onGaveUp" | "onChange">,
  guard: LoadGuard,
): void {
  const notice = pageElement("paused");
  let isCalculating = !grid.isPaused;
  notice.hidden = isCalculating;
  if (isCalculating) guard.begin();
  grid.onGaveUp(() => {
    isCalculating = false;
    guard.giveUp();
    notice.hidden = false;
  });
  grid.onChange(() => {
    if (!isCalculating || grid.busy) return;
    isCalculating = false;
    guard.finish();
  });
  pageElement("calculate-now", HTMLButtonElement).addEventListener("click", () => {
    isCalculating = true;
    notice.hidden = true;
    guard.begin();
    grid.calculateNow();
  });
}
