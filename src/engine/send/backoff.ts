/**
 * How long to wait before trying again, as a pure function: doubling from half a second to half a minute,
 * with half of it left to chance so that many workbooks that failed together do not return together.
 */

const firstMs = 500;
const longestMs = 30_000;

/** A service that asks for more patience than this is asked again all the same. */
export const longestPauseMs = 10 * 60_000;

/** Wait before the next try, in milliseconds, after this many failures (1 or more); `chance` is 0 to 1. */
export function backoffMs(failures: number, chance: number): number {
  const fullMs = Math.min(longestMs, firstMs * 2 ** (failures - 1));
  return fullMs * (0.5 + chance / 2);
}
