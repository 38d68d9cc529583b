/**
 * Pauses in the page's long work, in which it handles keys and draws: until the next turn, after enough short
 * pieces of work, or until the next frame.
 */

/** The clock of `inTimeSlices`. A timer lets keys go first, and is late in a hidden page, where nobody waits. */
export const pageTurns = { nextTurn: (resume: () => void) => setTimeout(resume, 0) };

/** No person notices a pause of this length. */
const longestMs = 40;

/** For many short, independent pieces of work: waits for the next turn after they have together taken long enough. */
export function createPace(): () => Promise<void> {
  let endMs = 0;
  return async () => {
    if (performance.now() <= endMs) return;
    await new Promise<void>(pageTurns.nextTurn);
    endMs = performance.now() + longestMs;
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
