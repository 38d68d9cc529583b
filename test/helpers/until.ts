/** Waits in real time, for events that a test does not control. If the event never comes, the test fails and shows what it waited for. */

const longestMs = 90_000;

export function wait(waitMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, waitMs));
}

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const beganAtMs = performance.now();
  while (!(await isSo())) {
    if (performance.now() - beganAtMs > longestMs) {
      throw new Error(`It isn't so after ${longestMs / 1_000} s: ${String(isSo)}`);
    }
    await wait(10);
  }
}
