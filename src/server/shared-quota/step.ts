/**
 * One step of an account: what happened since the last goes in, and out comes who may leave, who is sent back until
 * when, and when to look again. A function of state, news and time alone, so that it may run where the state lies.
 * A call that cannot leave within the time it may be held is sent back at once: its connection is worth more to the
 * page than a place in this line.
 * Invariant: every call that enters is let go, sent back within `holdMs`, or leaves; and only once.
 */
import { type AccountState, type Asker, tidy, personOf, type WaitingCall } from "./account-state";
import type { CallEnd, CompanyQuotaUse } from "./call-end";
import { aheadOf, giveUpAllLapsed, giveUpLapsed, keepPlace, mostAhead, takePlace } from "./places";
import { holdsBackMs, mayGoFirst, rankOf } from "./fairness";
import { askAnew, standAside, standInLine } from "./standing";
import { letThrough, type Room } from "./turns";
import { countOn, expire, isProbing, opensInMs, refused, takeBack, usedOf } from "./window";

export type News =
  | { readonly kind: "enters"; readonly id: string; readonly askers: readonly Asker[] }
  /** Others want it now. */
  | { readonly kind: "asked"; readonly id: string; readonly askers: readonly Asker[] }
  | { readonly kind: "leaves"; readonly id: string }
  | { readonly kind: "ended"; readonly id: string; readonly end: CallEnd };

export interface Decisions {
  readonly go: readonly string[];
  readonly sentBack: readonly SentBack[];
  /** When time alone may change something for those who wait here; null while nobody does. */
  readonly lookAgainInMs: number | null;
  /** One more would go if there were room. */
  readonly lacksRoom: boolean;
  /** Another server, whose call is next and could go: it has to be told. */
  readonly turnOf: string | null;
  readonly use: CompanyQuotaUse;
}

interface SentBack {
  readonly id: string;
  readonly retryAfterMs: number;
}

export interface StepInput {
  /** Whose news and room these are, of the servers that share the account. */
  readonly server: string;
  readonly news: readonly News[];
  readonly room: Room;
  readonly nowMs: number;
  /** How long a call is held at most. */
  readonly holdMs: number;
  /** 0 up to but not including 1, so that not all come back together. */
  readonly chance: number;
}

/** More than this many calls in line are not a team but a fault. */
const longestLine = 1_000;
/** A way back that takes longer than any window is no help; the next look tells more. */
const longestRetryMs = 60_000;
/** Where nobody knows what frees the way: a connection, or others who do not go on. */
const shortestRetryMs = 1_000;
const othersMayStopMs = 100;
/** A server that has not sent back what was overdue so long is gone. */
const goneAfterMs = 1_000;

export function step(state: AccountState, input: StepInput): Decisions {
  const { news, server, nowMs, holdMs, chance } = input;
  const go: string[] = [];
  const sentBack: SentBack[] = [];
  expire(state, nowMs);
  giveUpAllLapsed(state, nowMs);
  forgetGone(state, server, nowMs);
  for (const each of news) {
    take(state, each, { server, nowMs, untilMs: nowMs + holdMs, chance });
    if (each.kind !== "enters") continue;
    letThrough(state, input, go);
    sentBack.push(...sendBackInVain(state, each.id, nowMs));
  }
  const { turnOf, waitMs } = letThrough(state, input, go);
  sentBack.push(...sendBackOverdue(state, server, nowMs));
  const oldest = oldestOf(state, server);
  const lacksRoom = oldest !== null && state.full.has(server);
  return {
    go,
    sentBack,
    lacksRoom,
    turnOf,
    lookAgainInMs: oldest === null ? null : lookAgainInMs(state, { oldest, lacksRoom, waitMs }, nowMs),
    use: { used: usedOf(state), limit: state.limit },
  };
}

function take(
  state: AccountState,
  news: News,
  {
    server,
    nowMs,
    untilMs,
    chance,
  }: Pick<StepInput, "server" | "nowMs" | "chance"> & { readonly untilMs: number },
): void {
  const { id } = news;
  if (news.kind === "enters") {
    standInLine(state, id, { server, askers: news.askers, untilMs });
    for (const { person } of news.askers) {
      giveUpLapsed(state, personOf(state, person), nowMs);
      takePlace(state, personOf(state, person), nowMs);
    }
  } else if (news.kind === "ended") {
    end(state, { id, how: news.end, chance }, nowMs);
  } else {
    const waiting = state.line.get(id);
    if (waiting === undefined) {
      if (news.kind === "leaves") takeBack(state, id);
      return;
    }
    if (news.kind === "asked") askAnew(state, id, { ...waiting, askers: news.askers });
    else standAside(state, id);
  }
}

function end(
  state: AccountState,
  { id, how, chance }: { readonly id: string; readonly how: CallEnd; readonly chance: number },
  nowMs: number,
): void {
  const call = state.underWay.get(id);
  if (call === undefined) return;
  state.underWay.delete(id);
  personOf(state, call.person).underWay -= 1;
  countOn(state, call, nowMs);
  if (how.kind === "throttled") refused(state, { ...how, sentAtMs: call.sentAtMs, chance }, nowMs);
  if (how.kind === "answered") state.throttle.refusals = 0;
}

/** Whoever came and would wait in vain. */
function sendBackInVain(state: AccountState, id: string, nowMs: number): readonly SentBack[] {
  const call = state.line.get(id);
  if (call === undefined) return [];
  const { inMs, isTooMany } = backInMs(state, { id, isOldest: false }, nowMs);
  if (isTooMany) return [leaveUntil(state, { id, inMs: Math.max(shortestRetryMs, inMs) }, nowMs)];
  if (nowMs + inMs <= call.untilMs) return [];
  return [leaveUntil(state, { id, inMs, hasPlace: true }, nowMs)];
}

/** Calls of others that should have sent them back: they are gone. */
function forgetGone(state: AccountState, own: string, nowMs: number): void {
  const gone: string[] = [];
  for (const [id, { server, untilMs }] of state.line) {
    if (nowMs < untilMs + goneAfterMs) break;
    if (server !== own) gone.push(id);
  }
  for (const id of gone) standAside(state, id);
  const over: string[] = [];
  for (const [server, { untilMs }] of state.full) if (untilMs <= nowMs) over.push(server);
  for (const server of over) state.full.delete(server);
}

/** Whoever has waited long enough, or will have to wait for longer than was thought; the oldest stand in front. */
function sendBackOverdue(state: AccountState, server: string, nowMs: number): readonly SentBack[] {
  if (state.line.size === 0) return [];
  const overdue: string[] = [];
  const opensAtMs = (isEdit: boolean) => nowMs + opensInMs(state, { calls: 1, isEdit }, nowMs);
  const [editsAtMs, othersAtMs] = [opensAtMs(true), opensAtMs(false)];
  for (const [id, { server: waitsAt, askers, untilMs }] of state.line) {
    const isFirst = askers.some((asker) => mayGoFirst(state, asker));
    const isOverdue = untilMs <= nowMs || untilMs < (isFirst ? editsAtMs : othersAtMs);
    if (!isOverdue && !isFirst) break;
    // Those of another server it sends back itself.
    if (isOverdue && waitsAt === server) overdue.push(id);
  }
  return overdue.map((id) => {
    const inMs = Math.max(shortestRetryMs, backInMs(state, { id, isOldest: true }, nowMs).inMs);
    return leaveUntil(state, { id, inMs, hasPlace: true }, nowMs);
  });
}

function leaveUntil(
  state: AccountState,
  { id, inMs, hasPlace = false }: { readonly id: string; readonly inMs: number; readonly hasPlace?: boolean },
  nowMs: number,
): SentBack {
  const retryAfterMs = Math.min(longestRetryMs, inMs);
  const askers = state.line.get(id)?.askers ?? [];
  standAside(state, id);
  for (const { person } of askers) {
    if (hasPlace) keepPlace(state, personOf(state, person), nowMs + retryAfterMs);
    tidy(state, person);
  }
  return { id, retryAfterMs };
}

/** When a call in line will have its turn, as far as is known, at the best of those who want it. */
function backInMs(
  state: AccountState,
  /** The oldest of its person goes before their others. */
  { id, isOldest }: { readonly id: string; readonly isOldest: boolean },
  nowMs: number,
): { readonly inMs: number; readonly isTooMany: boolean } {
  const { askers = [], untilMs = nowMs } = state.line.get(id) ?? {};
  let inMs = Infinity;
  let isTooMany = state.line.size > longestLine;
  // Where even the last of all goes in time, nobody's rank has to be known.
  const lastInMs = opensInMs(state, { calls: state.line.size + state.keptPlaces, isEdit: false }, nowMs);
  const allGo = nowMs + lastInMs <= untilMs;
  // Nor where it is the one that will show whether a refusal still holds: kept places do not hold that up.
  if (isProbing(state) && isFirstInLine(state, id)) {
    return { inMs: opensInMs(state, { calls: 1, isEdit: false }, nowMs), isTooMany: false };
  }
  for (const asker of askers) {
    const person = personOf(state, asker.person);
    const ahead = aheadOf(person);
    const isFirst = mayGoFirst(state, asker);
    if (isFirst) isTooMany = false;
    else if (ahead > mostAhead) isTooMany = true;
    const calls = isFirst || allGo ? ahead : rankOf(state, asker.person, isOldest ? 1 : ahead);
    const opensMs = opensInMs(state, { calls, isEdit: isFirst }, nowMs);
    // When the one before it leaves, so that somebody waits at each turn.
    const evenMs = isFirst || calls < 2 ? 0 : holdsBackMs(state, { person, calls: calls - 1 }, nowMs);
    inMs = Math.min(inMs, Math.max(opensMs, evenMs === Infinity ? 0 : evenMs));
  }
  return { inMs, isTooMany };
}

function isFirstInLine(state: AccountState, id: string): boolean {
  for (const first of state.line.keys()) return first === id;
  return false;
}

function oldestOf(state: AccountState, server: string): WaitingCall | null {
  for (const call of state.line.values()) if (call.server === server) return call;
  return null;
}

function lookAgainInMs(
  state: AccountState,
  {
    oldest,
    lacksRoom,
    waitMs,
  }: { readonly oldest: WaitingCall; readonly lacksRoom: boolean; readonly waitMs: number },
  nowMs: number,
): number {
  const editsMs = opensInMs(state, { calls: 1, isEdit: true }, nowMs);
  const othersMs = opensInMs(state, { calls: 1, isEdit: false }, nowMs);
  let othersInMs = othersMs;
  if (othersMs === 0) othersInMs = lacksRoom ? Infinity : othersMayStopMs;
  if (waitMs > 0) othersInMs = waitMs;
  const opensMs = Math.min(editsMs === 0 ? Infinity : editsMs, othersInMs);
  return Math.max(0, Math.min(oldest.untilMs - nowMs, opensMs));
}
