/**
 * Long work in slices, between which the page takes keys and draws: no slice is longer than a person
 * notices. What is done to each item must be short.
 */

const sliceMs = 40;

/** Acts on every item in order; ends early, false, once `goesOn` says no between two slices. */
export async function inSlices<T>(
  items: Iterable<T>,
  act: (item: T) => void,
  goesOn: () => boolean = () => true,
): Promise<boolean> {
  let sliceEndMs = performance.now() + sliceMs;
  for (const item of items) {
    if (performance.now() > sliceEndMs) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (!goesOn()) return false;
      sliceEndMs = performance.now() + sliceMs;
    }
    act(item);
  }
  return true;
}

/**
 * For many short pieces of work that know nothing of each other: waits a turn once they have filled a slice together.
 * @param nextTurn calls back in a turn of its own; a timer's comes late in a page that is not seen
 */
export function createPace(
  nextTurn: (resume: () => void) => unknown = (resume) => setTimeout(resume, 0),
): () => Promise<void> {
  let sliceEndMs = 0;
  return async () => {
    if (performance.now() <= sliceEndMs) return;
    await new Promise<void>((resolve) => nextTurn(resolve));
    sliceEndMs = performance.now() + sliceMs;
  };
}
