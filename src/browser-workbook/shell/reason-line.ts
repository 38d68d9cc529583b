/**
 * The line below the sheet: the reason for the selected cell's error, messages, and, for screen readers only, the
 * selected cell itself.
 * Screen readers read a live region each time it is written, so it is written only when its text changes.
 * A message about an action stays until another cell is selected. A message about the page itself stays, in amber.
 */

export interface MessageLink {
  readonly text: string;
  readonly address: string;
}

interface SelectedCell {
  readonly reason: string | null;
  /** The text for screen readers, `C2: 47`. */
  readonly spoken: string;
}

export function createReasonLine(line: HTMLElement, selection: HTMLElement) {
  let cell: SelectedCell = { reason: null, spoken: "" };
  let lastingMessage = "";
  let message = "";
  let messageLink: MessageLink | null = null;
  let messageAt = "";

  function show(): void {
    const link = message === "" ? null : messageLink;
    const texts = [lastingMessage, cell.reason ?? "", message, link?.text ?? ""];
    write(line, texts.filter((text) => text !== "").join(" "), link);
    line.toggleAttribute("data-warning", lastingMessage !== "");
    write(selection, cell.spoken);
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
