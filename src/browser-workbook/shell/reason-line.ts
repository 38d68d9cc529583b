/**
 * The line below the sheet: the reason for the selected cell's error, messages, and, for screen readers only, the
 * selected cell itself.
 * Screen readers read a live region each time it is written, so it is written only when its text changes.
 * A message about an action stays until another cell is selected. A message about the page itself stays, in amber.
 */

interface SelectedCell {
  readonly reason: string | null;
  /** The text for screen readers, `C2: 47`. */
  readonly spoken: string;
}

export function createReasonLine(line: HTMLElement, selection: HTMLElement) {
  let cell: SelectedCell = { reason: null, spoken: "" };
  let lastingMessage = "";
  let message = "";
  let messageAt = "";

  function show(): void {
    write(line, [lastingMessage, message, cell.reason ?? ""].filter((text) => text !== "").join(" "));
    line.toggleAttribute("data-warning", lastingMessage !== "");
    write(selection, cell.spoken);
  }

  return {
    update(now: SelectedCell) {
      cell = now;
      if (message !== "" && addressOf(now) !== messageAt) message = "";
      show();
    },
    tell(sentence: string) {
      message = sentence;
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

function write(region: HTMLElement, text: string): void {
  if (region.textContent !== text) region.textContent = text;
}
