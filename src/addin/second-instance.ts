/**
 * Detects a second INV in the same workbook: two installations (from the store and by central deployment), or a workbook that
 * is open in two tabs. Each answers every formula, so together they use twice the quota. The first page of an origin holds a
 * Web Lock named after the workbook's address; the browser releases it when the page closes or dies. A page that must wait for
 * the lock is the second one, and warns. Office has no workbook id. A workbook that was never saved has no address either; INV
 * then can't detect a second instance, and doesn't warn.
 */
import { createSource, type Source } from "../domain/notices";

/** The part of `navigator.locks` that INV uses. */
export interface PageLocks {
  request(
    name: string,
    options: { readonly ifAvailable?: boolean },
    whenGranted: (lock: unknown) => Promise<void>,
  ): Promise<unknown>;
}

/** Returns whether another page has had this workbook open for longer. */
export function watchSecondInstance(locks: PageLocks, address: string): Source<boolean> {
  const isOpenTwice = createSource(false);
  if (address === "") return isOpenTwice;
  const holdUntilClosed = (): Promise<void> => {
    isOpenTwice.set(false);
    return new Promise(() => undefined);
  };
  const name = `inv ${address}`;
  const request = locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock !== null) return holdUntilClosed();
    isOpenTwice.set(true);
    await locks.request(name, {}, holdUntilClosed);
  });
  // A browser may refuse locks, for example in a frame without storage. INV then doesn't warn.
  request.catch(() => undefined);
  return isOpenTwice;
}
