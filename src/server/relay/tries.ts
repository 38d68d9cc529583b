/**
 * Who may try a secret once more: the rule, over what an address and a client ID at it have tried, as data. After ten
 * refused token requests within a minute for one address and client ID, or a hundred of one address whatever IDs it names,
 * the next are refused here until the oldest of them is a minute old. Accepted requests never count, since a whole
 * office may share an address. Of those that are not answered yet no more go at a time than could still be refused; the
 * others wait their turn, so that a thousand guesses at once get no further than one after the other. A service that
 * leaves requests hanging holds up others for two seconds.
 * No clock in it, and it runs in Redis too, compiled to Lua: there 0 and "" are true.
 */

/** What one address, or one client ID of it, has tried. */
export interface Tries {
  /** When requests of theirs were refused, oldest first. */
  refusedAtMs: number[];
  /** Those that are not answered yet. */
  begun: { readonly name: string; readonly atMs: number }[];
}

/** Of both that a request is counted for. */
export interface TriesOfCaller {
  readonly ofAddress: Tries;
  readonly ofId: Tries;
}

export type Verdict =
  | { readonly kind: "goes" }
  /** When another one has ended, or has hung for `hangsAfterMs`, it may ask again. */
  | { readonly kind: "waits" }
  | { readonly kind: "refused"; readonly waitMs: number };

const withinMs = 60_000;
const mostRefusalsOfAnId = 10;
/** Ten IDs' worth: an office of forty whose secret was changed comes nowhere near it, since refusals here count for nothing. */
const mostRefusalsOfAnAddress = 100;
/** Token services answer well within it. */
export const hangsAfterMs = 2_000;
/** Nobody will tell any more how a request ended: the relay gives up each long before. By then nothing counts of what was tried. */
export const triesLastMs = 2 * withinMs;

export function noTries(): Tries {
  return { refusedAtMs: [], begun: [] };
}

/** One more request, whose name no other one has; it is noted where it goes. */
export function begin({ ofAddress, ofId }: TriesOfCaller, name: string, nowMs: number): Verdict {
  let hasRoom = true;
  for (const tries of [ofAddress, ofId]) {
    const most = tries === ofAddress ? mostRefusalsOfAnAddress : mostRefusalsOfAnId;
    forget(tries, nowMs);
    const [oldestMs] = tries.refusedAtMs;
    if (oldestMs !== undefined && tries.refusedAtMs.length >= most) {
      return { kind: "refused", waitMs: oldestMs + withinMs - nowMs };
    }
    if (!leavesRoom(tries, most, nowMs)) hasRoom = false;
  }
  if (!hasRoom) return { kind: "waits" };
  for (const tries of [ofAddress, ofId]) tries.begun.push({ name, atMs: nowMs });
  return { kind: "goes" };
}

export function end(
  { ofAddress, ofId }: TriesOfCaller,
  { name, wasRefused }: { readonly name: string; readonly wasRefused: boolean },
  nowMs: number,
): void {
  for (const tries of [ofAddress, ofId]) {
    tries.begun = tries.begun.filter((each) => each.name !== name);
    if (wasRefused) tries.refusedAtMs.push(nowMs);
  }
}

function leavesRoom({ refusedAtMs, begun }: Tries, most: number, nowMs: number): boolean {
  const left = most - refusedAtMs.length;
  // Those that hang may yet be refused as well: they leave room once.
  if (begun.length >= left + most) return false;
  return begun.filter(({ atMs }) => atMs > nowMs - hangsAfterMs).length < left;
}

/** What is over; and what is yet to come, by a clock that was set back, since it would count for as long as that. */
function forget(tries: Tries, nowMs: number): void {
  const isOf = (atMs: number, lastMs: number) => atMs > nowMs - lastMs && atMs <= nowMs;
  tries.refusedAtMs = tries.refusedAtMs.filter((atMs) => isOf(atMs, withinMs));
  tries.begun = tries.begun.filter(({ atMs }) => isOf(atMs, triesLastMs));
}
