/**
 * Starts the add-in once its functions are registered: finds the host, composes INV, then draws the pane, which is a chunk
 * of its own so that no formula waits for it.
 */
import { InvError } from "../domain/errors";
import type { Clock } from "../engine/clock";
import { failSession } from "../functions/session";
import { findBrowserHost } from "./browser-host";
import type { CommandQueue } from "./command-queue";
import { compose, type PageFacts } from "./compose";
import { findHost, type Host } from "./host";
import type { PaneServices } from "../taskpane/services";
import { showStartMessage } from "./start-message";
import { createRealClock } from "./real-clock";

const tellAfterMs = 15_000;
const giveUpAfterMs = 60_000;

/** Rejects when there is no host. The caller then settles what waits for the session. */
export async function start(queue: CommandQueue): Promise<PaneServices> {
  const facts = pageFacts();
  const answered = watchHost(facts.clock);
  const host = await findHost(findBrowserHost(window)).finally(answered);
  const { services, opened, runCommand } = compose(host, facts);
  queue.open(runCommand);
  opened.catch((reason: unknown) => failSession(reason, facts.clock));
  await whenVisible(host);
  try {
    const { mountPane } = await import(/* webpackChunkName: "pane" */ "../taskpane/mount");
    const root = document.getElementById("inv-pane");
    if (root) mountPane(root, services);
  } catch {
    showStartMessage(
      "INV's functions work, but its pane could not be loaded. Check your network connection, then open the pane again.",
    );
  }
  return services;
}

function pageFacts(): PageFacts {
  return {
    clock: createRealClock(),
    // Without cookies, the browser's cache and our address. Time limits, retries and quota are the engine's.
    transport: (request) =>
      fetch(request, { cache: "no-store", credentials: "omit", referrerPolicy: "no-referrer" }),
    baseUrl: document.baseURI,
    storage: storageOrNull(),
    vaultParts: hasVaultParts() ? { indexedDB, crypto } : null,
    copyText: (text) => navigator.clipboard.writeText(text),
    // Not randomUUID, which only secure pages have.
    randomMark: () =>
      Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-"),
  };
}

/**
 * Reports a host that doesn't answer, in the page and later in the cells. A late answer still starts INV. Returns a function
 * to call when the host has answered.
 */
function watchHost(clock: Clock): () => void {
  const notice =
    "Excel has not answered INV yet. If this message stays, close the pane and open it again, or restart Excel.";
  const timers = [
    setTimeout(() => showStartMessage(notice), tellAfterMs),
    setTimeout(() => failSession(new InvError("internal", notice), clock), giveUpAfterMs),
  ];
  return () => timers.forEach(clearTimeout);
}

/** Excel also starts the page while the pane is closed. */
function whenVisible(host: Host): Promise<void> {
  if (document.visibilityState === "visible") return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener("visibilitychange", () => resolve(), { once: true });
    host.onShown(resolve);
  });
}

/** Browsers that forbid storage throw at the first touch. */
function storageOrNull(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** Only secure pages have encryption; some browsers hide the database in private windows. */
function hasVaultParts(): boolean {
  try {
    return "indexedDB" in window && "crypto" in window && "subtle" in crypto;
  } catch {
    return false;
  }
}
