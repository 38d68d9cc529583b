/**
 * A banner while the embedded service is told to fail on purpose, so that nobody takes its errors for real
 * ones. It asks the service from time to time; a server without that address has no such switches.
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

/** Null without faults; undefined where there are no switches to ask about. */
async function currentFaults(): Promise<string | null | undefined> {
  try {
    const response = await fetch("/service/faults", { headers: { accept: "application/json" } });
    if (!response.ok) return undefined;
    const answer: unknown = await response.json();
    const description: unknown =
      typeof answer === "object" && answer !== null ? Reflect.get(answer, "description") : null;
    return typeof description === "string" && description !== "" ? description : null;
  } catch {
    // The server is away for a moment; the cells tell, and the next question may be answered.
    return null;
  }
}
