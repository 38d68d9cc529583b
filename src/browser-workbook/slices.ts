/**
 * Splits long work into slices, so that the page can handle keys and draw in between. No slice is long enough for a
 * person to notice, provided that the work on each item is short.
 */

const sliceMs = 40;

/** Acts on every item in order. */
export async function inSlices<T>(items: Iterable<T>, act: (item: T) => void): Promise<void> {
  let sliceEndMs = performance.now() + sliceMs;
  for (const item of items) {
    if (performance.now() > sliceEndMs) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      sliceEndMs = performance.now() + sliceMs;
    }
    act(item);
  }
}

/**
 * For many short, independent pieces of work: waits for the next turn after they have together filled a slice.
 * @param nextTurn calls back in a new turn; the default timer is late in a hidden page
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

/** However often the returned function is called, it acts once in the next frame. */
export function onceAFrame(act: () => void): () => void {
  let isRequested = false;
  return () => {
    if (isRequested) return;
    isRequested = true;
    window.requestAnimationFrame(() => {
      isRequested = false;
      act();
    });
  };
}
