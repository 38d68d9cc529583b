/**
 * Shows the state of the calculation in the bar, announces its start and end to screen readers, and writes
 * `data-calculating` to the body: `true` until every cell has its value. Browser tests wait for that attribute.
 */

export interface CalculationState {
  readonly busy: boolean;
  readonly waitingCells: number;
}

export interface StatusLine {
  update(state: CalculationState): void;
  /** Sets the text that is shown when nothing is calculated: INV's state, in the pane's word. */
  setIdleText(text: string): void;
}

export function createStatusLine(line: HTMLElement, announcement: HTMLElement): StatusLine {
  let announced = false;
  let idleText = line.textContent;
  let calculation: CalculationState = { busy: true, waitingCells: 0 };

  function draw(): void {
    const { busy, waitingCells } = calculation;
    const waiting = waitingCells === 1 ? "1 cell" : `${waitingCells.toLocaleString("en")} cells`;
    const text = waitingCells > 0 ? `Calculating ${waiting}` : busy ? "Calculating" : idleText;
    if (line.textContent !== text) line.textContent = text;
  }

  return {
    setIdleText(text) {
      idleText = text;
      draw();
    },
    update(state) {
      calculation = state;
      const { busy } = state;
      document.body.dataset["calculating"] = String(busy);
      draw();
      if (busy === announced) return;
      announced = busy;
      announcement.textContent = busy ? "Calculating" : "All cells are calculated";
    },
  };
}
