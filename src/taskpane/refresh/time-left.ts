/**
 * How long until work is done, and why it stands still meanwhile, in words. Pure: what the engine and the
 * refresh say of themselves goes in.
 */
import type { Progress, QuotaUse } from "../../engine/types";
import type { RefreshState } from "../../workbook/refresh/refresh";
import { duration, estimate } from "../parts/words";

/** Below this part of the limit a pause is the service's word, not our own count. */
const fullFrom = 0.9;
/** Cells that have to have settled before their pace tells anything. */
const fewestSettled = 20;

/** Why nothing is sent now and when it goes on; null while calls may go. */
export function pauseWords(quota: Progress["quota"], nowMs: number): string | null {
  const paused = [quota.search, quota.events].filter(({ resumesAtMs }) => (resumesAtMs ?? 0) > nowMs);
  const [first] = paused.sort((a, b) => (b.resumesAtMs ?? 0) - (a.resumesAtMs ?? 0));
  if (first === undefined) return null;
  const goesOn = `goes on in ${duration((first.resumesAtMs ?? nowMs) - nowMs)}`;
  if (first.awaitsMemory) return `the team's server waits for its memory: ${goesOn}`;
  return isUsedUp(first)
    ? `quota used up: ${goesOn}`
    : `the service asked to wait, your colleagues may be using the quota: ${goesOn}`;
}

function isUsedUp({ used, limit }: QuotaUse): boolean {
  return used >= limit * fullFrom;
}

/**
 * How long it will take yet. The engine knows calls and quota; how fast the host calculates the cells of a
 * refresh is only seen in how they settle, so the longer of the two is told.
 */
export function timeLeftWords(
  progress: Pick<Progress, "remainingMs">,
  refresh: RefreshState,
  nowMs: number,
): string {
  if (progress.remainingMs === null) return "time left cannot be told";
  return `${estimate(Math.max(progress.remainingMs, restByPace(refresh, nowMs)))} left`;
}

function restByPace({ phase, startedAtMs, cells, settled }: RefreshState, nowMs: number): number {
  if (phase !== "running" || startedAtMs === null || settled < fewestSettled) return 0;
  return ((nowMs - startedAtMs) / settled) * (cells - settled);
}
