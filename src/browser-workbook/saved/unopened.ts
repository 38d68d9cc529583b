/**
 * What is shown where the saved workbook cannot be opened: why, a download of what is saved, and a fresh start, which
 * throws it away. Until then the start sheets can be used, and nothing is saved over it.
 */

export interface Unopened {
  readonly reason: string;
  /** As it was found. */
  readonly snapshot: unknown;
}

export interface UnopenedParts {
  readonly notice: HTMLElement;
  readonly reason: HTMLElement;
  readonly download: HTMLButtonElement;
  readonly startAfresh: HTMLButtonElement;
}

/** @param startAfresh forgets what is saved and begins anew */
export function showUnopened(
  parts: UnopenedParts,
  { reason, snapshot }: Unopened,
  startAfresh: () => Promise<void>,
): void {
  const { notice, download, startAfresh: fresh } = parts;
  parts.reason.textContent = `${reason} It is left as it is, and nothing is saved here until you start afresh.`;
  notice.hidden = false;
  download.addEventListener("click", () => saveAsJson(snapshot));
  fresh.addEventListener("click", () => {
    fresh.disabled = true;
    void startAfresh().finally(() => location.reload());
  });
}

function saveAsJson(snapshot: unknown): void {
  const file = new Blob([JSON.stringify([snapshot]).slice(1, -1)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = "INV saved workbook.json";
  link.click();
  // The browser reads it in a moment of its own.
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
