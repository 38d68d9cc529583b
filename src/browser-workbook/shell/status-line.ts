/**
 * Shows in the bar what is calculated, and the age of the stock as the add-in reports it. It announces the start and end
 * of a calculation to screen readers, and writes `data-calculating` to the body: `true` until every cell has its value.
 * Browser tests wait for that attribute.
 */
import type { BrowserHost, ShownStock } from "../../workbook/browser-host";

interface CalculationState {
  readonly busy: boolean;
  readonly waitingCells: number;
}

export function createStatusLine(line: HTMLElement, announcement: HTMLElement) {
  let announced = false;
  let idleText = line.textContent;
  let calculation: CalculationState = { busy: true, waitingCells: 0 };

  function draw(): void {
    const { busy, waitingCells } = calculation;
    const waiting = waitingCells === 1 ? "1 cell" : `${waitingCells.toLocaleString()} cells`;
    const text = waitingCells > 0 ? `Calculating ${waiting}` : busy ? "Calculating" : idleText;
    if (line.textContent !== text) line.textContent = text;
  }

  return {
    /** Sets the text that is shown when nothing is calculated: INV's state, in the pane's word. */
    setIdleText(text: string) {
      idleText = text;
      draw();
    },
    update(state: CalculationState) {
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

/** A warning is amber. If values are old, the label is a button that leads to them. */
export function createStockLabel(label: HTMLElement): BrowserHost["showStock"] {
  let old: ShownStock["showOld"] = null;
  const button = document.createElement("button");
  button.type = "button";
  button.addEventListener("click", () => old?.show());
  return ({ text, isWarning, showOld }) => {
    old = showOld;
    label.hidden = text === "";
    label.title = showOld?.title ?? text;
    label.toggleAttribute("data-warning", isWarning);
    // Reuse the button, so that it keeps the keyboard focus.
    if (showOld === null) button.remove();
    else if (button.parentElement !== label) label.replaceChildren(button);
    const holder = showOld === null ? label : button;
    if (holder.textContent !== text) holder.textContent = text;
  };
}
