/** Words for the time left, and for why work is paused. */
import type { Progress } from "../../engine/types";
import type { RefreshState } from "../../workbook/refresh/refresh";
import { duration, estimate } from "../parts/words";

/** From this share of the limit on, INV's own count explains a pause. Below it, the service asked INV to wait. */
const usedUpShare = 0.9;
/** With fewer refreshed cells, the pace can't be estimated. */
const fewestRefreshed = 20;

/** Returns why INV sends nothing now, and when it continues; null while it may send. */
export function pauseWords(quota: Progress["quota"], nowMs: number): string | null {
  const paused = [quota.search, quota.events].filter(({ resumesAtMs }) => (resumesAtMs ?? 0) > nowMs);
  const [first] = paused.sort((a, b) => (b.resumesAtMs ?? 0) - (a.resumesAtMs ?? 0));
  if (first === undefined) return null;
  const until = `Continues in ${duration((first.resumesAtMs ?? nowMs) - nowMs)}`;
  if (first.awaitsSharedStore) return `${until}: your team's server waits for Redis.`;
  return first.used >= first.limit * usedUpShare
    ? `${until}: this minute's quota is used up.`
    : `${until}: the service asked INV to wait. Colleagues may be using the quota.`;
}

/**
 * Returns the longer of two estimates: the engine's, from requests and quota, and one from the pace at which the cells of the
 * refresh settle. The pace shows how fast the host calculates.
 */
export function timeLeftWords(
  progress: Pick<Progress, "remainingMs">,
  refresh: RefreshState,
  nowMs: number,
): string {
  if (progress.remainingMs === null) return "time left unknown";
  return `${estimate(Math.max(progress.remainingMs, timeLeftByPaceMs(refresh, nowMs)))} left`;
}

function timeLeftByPaceMs({ phase, startedAtMs, cells, refreshed }: RefreshState, nowMs: number): number {
  if (phase !== "running" || startedAtMs === null || refreshed < fewestRefreshed) return 0;
  return ((nowMs - startedAtMs) / refreshed) * (cells - refreshed);
}
