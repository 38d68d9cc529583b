/**
 * Returns a function that runs pieces of work one after the other, in the order in which they were added, so that the latest
 * write is the last one stored. A piece that fails doesn't stop those after it.
 */
export function createTaskQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let before: Promise<unknown> = Promise.resolve();
  return (work) => {
    const own = before.then(work);
    before = own.catch(() => undefined);
    return own;
  };
}
