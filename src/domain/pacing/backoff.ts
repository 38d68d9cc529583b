/**
 * How long to wait before asking again, as pure functions, the same for a page and for a team's server. Pauses double
 * from half a second, and half of each is left to chance, so that many who failed together do not return together.
 * None is longer than a minute, whatever the service asks for: its quota counts 60 seconds, so a longer one waits for
 * nothing that is documented, and a wrong number would keep a company without values; one call a minute then shows
 * whether the others may follow.
 */

const firstMs = 500;

export const longestPauseMs = 60_000;

/** Wait before the next try, in milliseconds, after this many failures (1 or more); `chance` is 0 to 1. */
export function backoffMs(failures: number, chance: number): number {
  const fullMs = Math.min(longestPauseMs, firstMs * 2 ** (failures - 1));
  return fullMs * (0.5 + chance / 2);
}

/** The same after a 429: as long as it says, where that is longer. */
export function pauseAfterRefusalMs(refusals: number, retryAfterMs: number | null, chance: number): number {
  return Math.min(longestPauseMs, Math.max(retryAfterMs ?? 0, backoffMs(refusals, chance)));
}
