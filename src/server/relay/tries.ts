/**
 * The rule that decides whether a token request may be sent. It allows ten refusals a minute for a client ID
 * at one address, and a hundred for all IDs at that address. At the limit, further requests are refused until
 * the oldest refusal is a minute old. Accepted requests never count, because a whole office may share an
 * address.
 * The number of unanswered requests is limited to the refusals that are left, and the others wait. So a
 * thousand guesses at once get no further than one after another. A request that hangs blocks others for at
 * most two seconds.
 * This module is also compiled to Lua and runs in Redis, where 0 and "" are true. It has no clock.
 */

export interface Tries {
  /** Times of refusals, oldest first. */
  refusedAtMs: number[];
  unanswered: { readonly name: string; readonly atMs: number }[];
}

export interface TriesOfCaller {
  readonly ofAddress: Tries;
  readonly ofId: Tries;
}

export type Verdict =
  | { readonly kind: "allowed" }
  /** Ask again when another request has ended, or has hung for `hangsAfterMs`. */
  | { readonly kind: "wait" }
  | { readonly kind: "refused"; readonly waitMs: number };

const withinMs = 60_000;
const mostRefusalsOfAnId = 10;
/**
 * An office of forty whose secret was changed stays far below this limit, because refusals by this module
 * don't count.
 */
const mostRefusalsOfAnAddress = 100;
/** Token services answer much faster. */
export const hangsAfterMs = 2_000;
/** The relay aborts every request much earlier, and no refusal counts for that long. */
export const triesLastMs = 2 * withinMs;

export function noTries(): Tries {
  return { refusedAtMs: [], unanswered: [] };
}

/** Decides about a request with a unique name, and records the request if it may be sent. */
export function startTry({ ofAddress, ofId }: TriesOfCaller, name: string, nowMs: number): Verdict {
  let hasRoom = true;
  for (const tries of [ofAddress, ofId]) {
    const most = tries === ofAddress ? mostRefusalsOfAnAddress : mostRefusalsOfAnId;
    forget(tries, nowMs);
    const [oldestMs] = tries.refusedAtMs;
    if (oldestMs !== undefined && tries.refusedAtMs.length >= most) {
      return { kind: "refused", waitMs: oldestMs + withinMs - nowMs };
    }
    if (!hasRoomFor(tries, most, nowMs)) hasRoom = false;
  }
  if (!hasRoom) return { kind: "wait" };
  for (const tries of [ofAddress, ofId]) tries.unanswered.push({ name, atMs: nowMs });
  return { kind: "allowed" };
}

export function endTry(
  { ofAddress, ofId }: TriesOfCaller,
  { name, wasRefused }: { readonly name: string; readonly wasRefused: boolean },
  nowMs: number,
): void {
  for (const tries of [ofAddress, ofId]) {
    tries.unanswered = tries.unanswered.filter((each) => each.name !== name);
    if (wasRefused) tries.refusedAtMs.push(nowMs);
  }
}

function hasRoomFor({ refusedAtMs, unanswered }: Tries, most: number, nowMs: number): boolean {
  const left = most - refusedAtMs.length;
  // Requests that hang may still be refused, so they free their places only once.
  if (unanswered.length >= left + most) return false;
  return unanswered.filter(({ atMs }) => atMs > nowMs - hangsAfterMs).length < left;
}

/**
 * Removes expired times. It also removes future ones, which remain after a clock was set back and would count
 * for too long.
 */
function forget(tries: Tries, nowMs: number): void {
  const isOf = (atMs: number, lastMs: number) => atMs > nowMs - lastMs && atMs <= nowMs;
  tries.refusedAtMs = tries.refusedAtMs.filter((atMs) => isOf(atMs, withinMs));
  tries.unanswered = tries.unanswered.filter(({ atMs }) => isOf(atMs, triesLastMs));
}
