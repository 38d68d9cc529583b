/**
 * The add-in's start, once its functions are registered: finds the host, has INV put together, and then
 * draws the pane, which is a chunk of its own: a workbook full of formulas does not wait for a user
 * interface.
 */
import { failSession } from "../functions/session";
import { findBrowserHost } from "./browser-host";
import { compose, type PageFacts } from "./compose";
import { createFetchTransport } from "./fetch-transport";
import { findHost } from "./host";
import { sayInPage } from "./say-in-page";
import { createRealClock } from "./real-clock";

/** Rejects when there is no host to work with; what waits for the session is then the caller's to settle. */
export async function start(): Promise<void> {
  const host = await findHost(findBrowserHost(window));
  const { services, opened } = compose(host, pageFacts());
  opened.catch(failSession);
  await whenVisible();
  try {
    const { mountPane } = await import(/* webpackChunkName: "pane" */ "../taskpane/mount");
    const root = document.getElementById("inv-pane");
    if (root) await mountPane(root, services);
  } catch {
    sayInPage(
      "INV's functions work, but its pane could not be loaded. Check the network, then open the pane again.",
    );
  }
}

function pageFacts(): PageFacts {
  return {
    clock: createRealClock(),
    transport: createFetchTransport(),
    baseUrl: document.baseURI,
    storage: storageOrNull(),
    vaultParts: hasVaultParts() ? { indexedDB, crypto } : null,
    copyText: (text) => navigator.clipboard.writeText(text),
  };
}

/** Excel starts the page also while its pane is closed; drawing can wait until somebody looks. */
function whenVisible(): Promise<void> {
  if (document.visibilityState === "visible") return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener("visibilitychange", () => resolve(), { once: true });
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

/** Encryption is there on secure pages only; some browsers hide the database in private windows. */
function hasVaultParts(): boolean {
  try {
    return "indexedDB" in window && "crypto" in window && "subtle" in crypto;
  } catch {
    return false;
  }
}
