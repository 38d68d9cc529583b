/**
 * A banner while the embedded service is told to fail on purpose, so that nobody takes its errors for real
 * ones. It asks the service from time to time; a server without that address has no such switches.
 */
import { field, text } from "../json-fields";

const askEveryMs = 10_000;

export function showFaultBanner(banner: HTMLElement): void {
  async function ask(): Promise<void> {
    const description = await currentFaults();
    if (description === undefined) return;
    banner.hidden = description === null;
    banner.textContent = description === null ? "" : `The demo service fails on purpose: ${description}`;
    window.setTimeout(() => void ask(), askEveryMs);
  }
  void ask();
}

/** Null without faults; undefined where there are no switches to ask about. */
async function currentFaults(): Promise<string | null | undefined> {
  try {
    const response = await fetch("/service/faults", { headers: { accept: "application/json" } });
    if (!response.ok) return undefined;
    const description = text(field(await response.json(), "description"));
    return description === "" ? null : description;
  } catch {
    // The server is away for a moment; the cells tell, and the next question may be answered.
    return null;
  }
}
