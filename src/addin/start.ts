/**
 * Starts the add-in once its functions are registered: finds the host, composes INV, then draws the pane. The pane is a
 * separate chunk, so that no formula waits for it.
 */
import { InvError, toInvError } from "../domain/errors";
import type { Clock } from "../engine/clock";
import { failFunctions } from "../functions/context";
import { findBrowserHost } from "./find-browser-host";
import type { CommandQueue } from "./command-queue";
import { compose, type PageFacts } from "./compose";
import { findHost, type Host } from "./host";
import type { PaneServices } from "../taskpane/services";
import { showStartMessage } from "./start-message";
import { createRealClock } from "./real-clock";

const tellAfterMs = 15_000;
const giveUpAfterMs = 60_000;

/** Rejects if there is no host. The caller must then fail the functions, for which cells wait. */
export async function start(queue: CommandQueue): Promise<PaneServices> {
  const facts = pageFacts();
  const answered = watchHost(facts.clock);
  const host = await findHost(findBrowserHost(window), facts.clock).finally(answered);
  const { services, opened, runCommand } = compose(host, facts);
  queue.open(runCommand);
  opened.catch((reason: unknown) => failFunctions(reason, facts.clock));
  await whenVisible(host);
  try {
    const { mountPane } = await import(/* webpackChunkName: "pane" */ "../taskpane/mount");
    const root = document.getElementById("inv-pane");
    if (root) mountPane(root, services);
  } catch (error) {
    showStartMessage(`INV's functions work, but this pane doesn't. ${toInvError(error).message}`);
  }
  return services;
}

function pageFacts(): PageFacts {
  return {
    clock: createRealClock(),
    // Sends no cookies and no referrer, and bypasses the browser's cache. Time limits, retries and quota belong to the engine.
    transport: (request) =>
      fetch(request, { cache: "no-store", credentials: "omit", referrerPolicy: "no-referrer" }),
    baseUrl: document.baseURI,
    storage: storageOrNull(() => localStorage),
    pageStorage: storageOrNull(() => sessionStorage),
    vaultParts: hasVaultParts() ? { indexedDB, crypto } : null,
    copyText: (text) => navigator.clipboard.writeText(text),
    // Don't use randomUUID: only secure pages have it.
    randomId: () =>
      Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-"),
  };
}

/**
 * Reports a host that doesn't answer, in the page and later in the cells. A late answer still starts INV. Returns a function to
 * call when the host has answered.
 */
function watchHost(clock: Clock): () => void {
  const notice =
    "Excel has not answered INV yet. If this message stays, close the pane and open it again, or restart Excel.";
  const timers = [
    setTimeout(() => showStartMessage(notice), tellAfterMs),
    setTimeout(() => failFunctions(new InvError("internal", notice), clock), giveUpAfterMs),
  ];
  return () => timers.forEach(clearTimeout);
}

/** Resolves when the page is visible: Excel also starts the page while the pane is closed. */
function whenVisible(host: Host): Promise<void> {
  if (document.visibilityState === "visible") return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener("visibilitychange", () => resolve(), { once: true });
    host.onShown(resolve);
  });
}

/** Returns null if the browser forbids storage: such a browser throws at the first access. */
function storageOrNull(open: () => Storage): Storage | null {
  try {
    return open();
  } catch {
    return null;
  }
}

/**
 * Returns whether the vault can work: only secure pages have encryption, and some browsers hide the database in private
 * windows.
 */
function hasVaultParts(): boolean {
  try {
    return "indexedDB" in window && "crypto" in window && "subtle" in crypto;
  } catch {
    return false;
  }
}
