/**
 * The lines of text around the sheet: what is calculated and how old the stock is, in the bar above, and reasons and messages below.
 * Screen readers read a live region each time it is written, so a line is written only when its text changes.
 */
import { counted } from "../../domain/number-words";
import type { BrowserHost, ShownStock } from "../../workbook/browser-host";

/**
 * Shows in the bar what is calculated. It announces the start and end of a calculation to screen readers, and writes
 * `data-calculating` to the body: `true` until every cell has its value. Browser tests wait for that attribute.
 */
export function createStatusLine(line: HTMLElement, announcement: HTMLElement) {
  let announced = false;
  let idleText = line.textContent;
  let isBusy = true;
  let waitingCells = 0;

  function draw(): void {
    const cells = waitingCells > 0 ? ` ${counted(waitingCells, "cell")}` : "";
    const text = isBusy ? `Calculating${cells}` : idleText;
    if (line.textContent !== text) line.textContent = text;
  }

  return {
    /** Takes what INV knows: how many cells wait for answers, and its state, shown when nothing is calculated. */
    showState(stock: Pick<ShownStock, "state" | "waitingCells">) {
      idleText = stock.state;
      waitingCells = stock.waitingCells;
      draw();
    },
    update(busy: boolean) {
      isBusy = busy;
      document.body.dataset["calculating"] = String(busy);
      draw();
      if (busy === announced) return;
      announced = busy;
      announcement.textContent = busy ? "Calculating" : "All cells are calculated";
    },
  };
}

/** Shows the age of the stock as the add-in reports it. A warning is amber. If values are old, the label is a button that leads to them. */
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

export interface MessageLink {
  readonly text: string;
  readonly address: string;
}

interface SelectedCell {
  readonly reason: string | null;
  /** The text for screen readers, `C2: 47`. */
  readonly spoken: string;
  /** Whether screen readers aren't told, because INV still fills the sheet. */
  readonly isSilent: boolean;
}

/**
 * Shows below the sheet the reason for the selected cell's error, messages, and, for screen readers only, the selected cell itself.
 * A message about an action stays until another cell is selected. A message about the page itself stays, in amber.
 */
export function createReasonLine(line: HTMLElement, selection: HTMLElement) {
  let cell: SelectedCell = { reason: null, spoken: "", isSilent: true };
  let lastingMessage = "";
  let message = "";
  let messageLink: MessageLink | null = null;
  let messageAt = "";

  function show(): void {
    const link = message === "" ? null : messageLink;
    const texts = [lastingMessage, cell.reason ?? "", message, link?.text ?? ""];
    write(line, texts.filter((text) => text !== "").join(" "), link);
    line.toggleAttribute("data-warning", lastingMessage !== "");
    write(selection, cell.isSilent ? "" : cell.spoken);
  }

  return {
    update(now: SelectedCell) {
      cell = now;
      if (message !== "" && addressOf(now) !== messageAt) message = "";
      show();
    },
    /** @param link shown after the sentence */
    tell(sentence: string, link: MessageLink | null = null) {
      message = sentence;
      messageLink = link;
      messageAt = addressOf(cell);
      show();
    },
    /** Shows a message that stays until the page is left. */
    tellAlways(sentence: string) {
      lastingMessage = sentence;
      show();
    },
  };
}

function addressOf(cell: SelectedCell): string {
  return cell.spoken.split(":")[0] ?? "";
}

/** @param link a link that replaces the end of the text */
function write(region: HTMLElement, text: string, link: MessageLink | null = null): void {
  if (region.textContent === text) return;
  region.textContent = text;
  if (link === null) return;
  const anchor = document.createElement("a");
  anchor.href = link.address;
  anchor.textContent = link.text;
  region.replaceChildren(text.slice(0, -link.text.length), anchor);
}
