/**
 * Tells how calculation stands: in words in the bar, at its turns for screen readers, and as
 * `data-calculating` on the body, `true` until every cell has its value and nothing is left to calculate.
 * Browser tests wait for that attribute.
 */

export interface CalculationState {
  readonly busy: boolean;
  /** Cells that wait for an answer. */
  readonly waitingCells: number;
}

export interface StatusLine {
  update(state: CalculationState): void;
}

export function createStatusLine(line: HTMLElement, announcement: HTMLElement): StatusLine {
  let announced = false;
  return {
    update({ busy, waitingCells }) {
      document.body.dataset["calculating"] = String(busy);
      const waiting = waitingCells === 1 ? "1 cell" : `${waitingCells.toLocaleString("en")} cells`;
      line.textContent = waitingCells > 0 ? `Calculating ${waiting}` : busy ? "Calculating" : "Ready";
      if (busy === announced) return;
      announced = busy;
      announcement.textContent = busy ? "Calculating" : "All cells are calculated";
    },
  };
}
