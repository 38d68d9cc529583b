/**
 * Shows a banner while the embedded service fails on purpose, so that nobody mistakes its errors for real ones. It
 * asks the service every 10 s, unless the server has no fault switches.
 */
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

/** Null without faults; undefined if the server has no fault switches. */
async function currentFaults(): Promise<string | null | undefined> {
  try {
    const response = await fetch("/service/faults", { headers: { accept: "application/json" } });
    if (!response.ok) return undefined;
    const { description = "" } = (await response.json()) as { readonly description?: string };
    return description === "" ? null : description;
  } catch {
    // The server doesn't answer; the cells show that, and the next request may succeed.
    return null;
  }
}
