/**
 * Keeps the page usable if a saved workbook can't be calculated. After two loads in a row that did not finish
 * calculating, or a calculation that took too long, the workbook opens without calculating. A notice says so, and lets
 * the person have it calculated all the same.
 */
import type { WritableSource } from "../../domain/notices";
import type { OpenGrid } from "../open-grid";
import { pageElement } from "./page-element";

export type LoadGuard = ReturnType<typeof createLoadGuard>;

const maxUnfinishedLoads = 2;

/** @param storage null if the browser has none; then every load calculates */
export function createLoadGuard(
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem"> | null,
  environment: string,
) {
  const key = `inv.workbook.${environment}.unfinished`;
  const unfinished = Number(storage?.getItem(key) ?? 0);

  function write(count: number): void {
    try {
      if (count === 0) storage?.removeItem(key);
      else storage?.setItem(key, String(count));
    } catch {
      // The storage is full or blocked: the next load calculates.
    }
  }

  return {
    allowsCalculation: !(unfinished >= maxUnfinishedLoads),
    /** Call before the workbook is calculated. */
    begin: () => write(Math.min(unfinished, maxUnfinishedLoads) + 1),
    finish: () => write(0),
    giveUp: () => write(maxUnfinishedLoads),
  };
}

export function guardCalculation(
  grid: Pick<OpenGrid, "busy" | "isPaused" | "calculateNow" | "onGaveUp" | "onChange">,
  guard: LoadGuard,
  isPaused: WritableSource<boolean>,
): void {
  let isCalculating = !grid.isPaused;
  showPaused(grid.isPaused);
  if (isCalculating) guard.begin();
  grid.onGaveUp(() => {
    isCalculating = false;
    guard.giveUp();
    showPaused(true);
  });
  grid.onChange(() => {
    if (!isCalculating || grid.busy) return;
    isCalculating = false;
    guard.finish();
  });
  pageElement("calculate-now", HTMLButtonElement).addEventListener("click", () => {
    isCalculating = true;
    showPaused(false);
    guard.begin();
    grid.calculateNow();
  });

  function showPaused(paused: boolean): void {
    pageElement("paused").hidden = !paused;
    isPaused.set(paused);
  }
}
