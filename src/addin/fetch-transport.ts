/**
 * The page's network as the engine's Transport. Time limits, retries and quota are the engine's; this
 * only makes sure that no cookie, cache or address of ours travels with a call.
 */
import type { Transport } from "../api/transport";

/** Sends with `fetch`; the answer is never taken from, nor put into, the browser's cache. */
export function createFetchTransport(): Transport {
  return (request) =>
    fetch(request, { cache: "no-store", credentials: "omit", referrerPolicy: "no-referrer" });
}
