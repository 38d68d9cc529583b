/**
 * Detects a second INV in the same workbook: two installations (from the store and by central deployment), or a workbook that
 * is open in two tabs. Each answers every formula, so together they use twice the quota. The first page of an origin holds a
 * Web Lock named after the workbook's address; the browser releases it when the page closes or dies. A page that must wait for
 * the lock is the second one, and warns. Office has no workbook id and no event for saving, so INV reads the address again each
 * minute. INV can't detect a second instance of a workbook that was never saved, because it has no address.
 */
import { createSource, type Source } from "../domain/notices";
import type { Clock } from "../engine/clock";

/** The part of `navigator.locks` that INV uses. */
export interface PageLocks {
  request(
    name: string,
    options: { readonly ifAvailable?: boolean; readonly signal?: AbortSignal },
    whenGranted: (lock: unknown) => Promise<void>,
  ): Promise<unknown>;
}

const lookAgainMs = 60_000;

/** Returns whether another page has had this workbook open for longer. */
export function watchSecondInstance(options: {
  readonly locks: PageLocks;
  readonly clock: Pick<Clock, "setTimeout">;
  /** Returns "", or rejects, if the workbook has no address or Excel is busy. */
  readonly readAddress: () => Promise<string>;
}): Source<boolean> {
  const { locks, clock, readAddress } = options;
  const isOpenTwice = createSource(false);
  let watched = "";
  let leave = new AbortController();

  async function look(): Promise<void> {
    const address = await readAddress().catch(() => "");
    if (address !== "" && address !== watched) {
      watched = address;
      leave.abort();
      leave = new AbortController();
      // A browser may refuse locks, for example in a frame without storage. INV then doesn't warn.
      watch(`inv ${address}`, leave.signal).catch(() => undefined);
    }
    clock.setTimeout(() => void look(), lookAgainMs);
  }

  async function watch(name: string, signal: AbortSignal): Promise<void> {
    const holdUntilLeft = (): Promise<void> => {
      isOpenTwice.set(false);
      return new Promise((release) => signal.addEventListener("abort", () => release()));
    };
    await locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock !== null) return holdUntilLeft();
      isOpenTwice.set(true);
      await locks.request(name, { signal }, holdUntilLeft);
    });
  }

  void look();
  return isOpenTwice;
}
