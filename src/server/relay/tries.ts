/**
 * The rule that says whether another token request may leave. After ten refused ones in a minute from one address with one client
 * ID, or a hundred from one address with any IDs, the next are refused until the oldest is a minute old. Accepted requests
 * never count, because a whole office may share an address. Only as many requests may be unanswered at a time as could still be
 * refused; the others wait, so a thousand guesses at once get no further than one after the other. A request that hangs stops
 * holding up others after two seconds.
 * This module also runs in Redis, compiled to Lua, where 0 and "" are true. It has no clock.
 */

/** The requests of an address, or of one client ID at it. */
export interface Tries {
  /** Times of refusals, oldest first. */
  refusedAtMs: number[];
  /** Requests without an answer. */
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
/** An office of forty whose secret was changed stays far below it, because refusals of this module don't count. */
const mostRefusalsOfAnAddress = 100;
/** Token services answer much faster. */
export const hangsAfterMs = 2_000;
/** The relay gives up each request much earlier, and no refusal counts that long. */
export const triesLastMs = 2 * withinMs;

export function noTries(): Tries {
  return { refusedAtMs: [], unanswered: [] };
}

/** Decides about a request with a unique name, and records it if it may leave. */
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
  // Requests that hang may still be refused, so they make room only once.
  if (unanswered.length >= left + most) return false;
  return unanswered.filter(({ atMs }) => atMs > nowMs - hangsAfterMs).length < left;
}

/** Removes old times, and future ones, which a clock that was set back leaves and which would count too long. */
function forget(tries: Tries, nowMs: number): void {
  const isOf = (atMs: number, lastMs: number) => atMs > nowMs - lastMs && atMs <= nowMs;
  tries.refusedAtMs = tries.refusedAtMs.filter((atMs) => isOf(atMs, withinMs));
  tries.unanswered = tries.unanswered.filter(({ atMs }) => isOf(atMs, triesLastMs));
}
