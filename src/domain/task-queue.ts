/**
 * Returns a function that runs tasks one after another, in the order in which they were added. So the latest
 * write is the last one stored. A task that fails doesn't stop the next ones.
 */
export function createTaskQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let before: Promise<unknown> = Promise.resolve();
  return (work) => {
    const task = before.then(work);
    before = task.catch(() => undefined);
    return task;
  };
}
