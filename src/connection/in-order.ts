/**
 * Work that must happen in the order it was asked for, however long each piece takes: what is stored last is
 * what was asked for last. A piece that fails holds up nothing behind it.
 */

/** Begins a line of its own; each piece starts when all before it have ended. */
export function createOrder(): <T>(work: () => Promise<T>) => Promise<T> {
  let before: Promise<unknown> = Promise.resolve();
  return (work) => {
    const own = before.then(work);
    before = own.catch(() => undefined);
    return own;
  };
}
