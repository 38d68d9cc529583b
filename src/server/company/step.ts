/**
 * One step of an account: what happened since the last goes in, and out comes who may leave, who is sent back until
 * when, and when to look again. A function of state, news and time alone, so that it may run where the state lies.
 * A call that cannot leave within the time it may be held is sent back at once: its connection is worth more to the
 * page than a place in this line.
 * Invariant: every call that enters is let go, sent back within `holdMs`, or leaves; and only once.
 */
import { type AccountState, type Asker, tidy, personOf } from "./account-state";
import type { CallEnd, QuotaUse } from "./entry";
import { aheadOf, giveUpAllLapsed, giveUpLapsed, keepPlace, mostAhead, takePlace } from "./places";
import { leavesEnough, mayGoFirst, nextToGo, rankOf } from "./fairness";
import { countOn, expire, isOpen, isProbing, opensInMs, refused, usedOf } from "./window";

export type News =
  | { readonly kind: "enters"; readonly id: string; readonly askers: readonly Asker[] }
  /** Others want it now. */
  | { readonly kind: "asked"; readonly id: string; readonly askers: readonly Asker[] }
  | { readonly kind: "leaves"; readonly id: string }
  | { readonly kind: "ended"; readonly id: string; readonly end: CallEnd };

/** Connections to the service that are free: to edits all of them, to other calls those beyond a few. */
export interface Room {
  readonly all: number;
  readonly others: number;
}

export interface Decisions {
  readonly go: readonly string[];
  readonly sentBack: readonly SentBack[];
  /** When time alone may change something for those who wait; null while nobody does. */
  readonly lookAgainInMs: number | null;
  /** One more would go if there were room. */
  readonly lacksRoom: boolean;
  readonly use: QuotaUse;
}

interface SentBack {
  readonly id: string;
  readonly retryAfterMs: number;
}

export interface StepInput {
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

export function step(state: AccountState, { news, room, nowMs, holdMs, chance }: StepInput): Decisions {
  const go: string[] = [];
  const sentBack: SentBack[] = [];
  const letGoAll = () => letGo(state, { room, go }, nowMs);
  expire(state, nowMs);
  giveUpAllLapsed(state, nowMs);
  for (const each of news) {
    take(state, each, { nowMs, untilMs: nowMs + holdMs, chance });
    if (each.kind !== "enters") continue;
    letGoAll();
    sentBack.push(...sendBackInVain(state, each.id, nowMs));
  }
  const lacksRoom = letGoAll();
  sentBack.push(...sendBackOverdue(state, nowMs));
  return {
    go,
    sentBack,
    lacksRoom,
    lookAgainInMs: lookAgainInMs(state, lacksRoom, nowMs),
    use: { used: usedOf(state), limit: state.limit },
  };
}

function take(
  state: AccountState,
  news: News,
  { nowMs, untilMs, chance }: { readonly nowMs: number; readonly untilMs: number; readonly chance: number },
): void {
  const { id } = news;
  if (news.kind === "enters") {
    standInLine(state, id, { askers: news.askers, untilMs });
    for (const { person } of news.askers) {
      giveUpLapsed(state, personOf(state, person), nowMs);
      takePlace(state, personOf(state, person), nowMs);
    }
  } else if (news.kind === "ended") {
    end(state, { id, how: news.end, chance }, nowMs);
  } else {
    const waiting = state.line.get(id);
    if (waiting === undefined) return;
    standAside(state, id);
    if (news.kind === "asked") standInLine(state, id, { askers: news.askers, untilMs: waiting.untilMs });
  }
}

function standInLine(
  state: AccountState,
  id: string,
  call: { readonly askers: readonly Asker[]; readonly untilMs: number },
): void {
  state.line.set(id, call);
  for (const { person, isEdit } of call.askers) {
    const { waiting } = personOf(state, person);
    if (isEdit) waiting.unshift({ id, isEdit });
    else waiting.push({ id, isEdit });
    if (isEdit) state.editsInLine += 1;
    tidy(state, person);
  }
}

function standAside(state: AccountState, id: string): void {
  for (const { person, isEdit } of state.line.get(id)?.askers ?? []) {
    const { waiting } = personOf(state, person);
    waiting.splice(
      waiting.findIndex((each) => each.id === id),
      1,
    );
    if (isEdit) state.editsInLine -= 1;
    tidy(state, person);
  }
  state.line.delete(id);
}

/** True when one more would go if there were room. */
function letGo(
  state: AccountState,
  { room, go }: { readonly room: Room; readonly go: string[] },
  nowMs: number,
): boolean {
  while (state.line.size > 0 && isOpen(state, true, nowMs)) {
    const isRoomForEdits = room.all > go.length && state.editsInLine > 0;
    if (!isRoomForEdits && room.others <= go.length) return true;
    const edit = nextToGo(state, true);
    const turn = edit ?? (isOpen(state, false, nowMs) ? nextToGo(state, false) : null);
    if (turn === null || (edit === null && !leavesEnough(state, turn.person, nowMs))) return false;
    if ((edit === null ? room.others : room.all) <= go.length) return true;
    const first = turn.person.waiting[0];
    if (first === undefined) return false;
    depart(state, { id: first.id, name: turn.name, wasEditFirst: edit !== null }, nowMs);
    go.push(first.id);
  }
  return false;
}

function depart(
  state: AccountState,
  { id, name, wasEditFirst }: { readonly id: string; readonly name: string; readonly wasEditFirst: boolean },
  nowMs: number,
): void {
  // Before it stands aside, lest a person be forgotten who is just being served.
  const person = personOf(state, name);
  person.counted += 1;
  person.underWay += 1;
  person.lastLeftAtMs = nowMs;
  if (wasEditFirst) {
    person.editsFirst += 1;
    state.editsFirst += 1;
  }
  standAside(state, id);
  state.underWay.set(id, { person: name, wasEditFirst, sentAtMs: nowMs });
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
  const { inMs, isTooMany } = backInMs(state, id, nowMs);
  if (isTooMany) return [leaveUntil(state, { id, inMs: Math.max(shortestRetryMs, inMs) }, nowMs)];
  if (nowMs + inMs <= call.untilMs) return [];
  return [leaveUntil(state, { id, inMs, hasPlace: true }, nowMs)];
}

/** Whoever has waited long enough, or will have to wait for longer than was thought; the oldest stand in front. */
function sendBackOverdue(state: AccountState, nowMs: number): readonly SentBack[] {
  const sentBack: SentBack[] = [];
  const opensAtMs = (isEdit: boolean) => nowMs + opensInMs(state, { calls: 1, isEdit }, nowMs);
  const [editsAtMs, othersAtMs] = [opensAtMs(true), opensAtMs(false)];
  for (const [id, { askers, untilMs }] of state.line) {
    const isFirst = askers.some((asker) => mayGoFirst(state, asker));
    if (untilMs <= nowMs || untilMs < (isFirst ? editsAtMs : othersAtMs)) {
      const inMs = Math.max(shortestRetryMs, backInMs(state, id, nowMs).inMs);
      sentBack.push(leaveUntil(state, { id, inMs, hasPlace: true }, nowMs));
    } else if (!isFirst) break;
  }
  return sentBack;
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
  id: string,
  nowMs: number,
): { readonly inMs: number; readonly isTooMany: boolean } {
  const { askers = [], untilMs = nowMs } = state.line.get(id) ?? {};
  let inMs = Infinity;
  let isTooMany = state.line.size > longestLine;
  // Where even the last of all goes in time, nobody's rank has to be known.
  const lastInMs = opensInMs(state, { calls: state.line.size + state.keptPlaces, isEdit: false }, nowMs);
  const allGo = nowMs + lastInMs <= untilMs;
  // Nor where it is the one that will show whether a refusal still holds: kept places do not hold that up.
  const [first] = state.line.keys();
  if (isProbing(state) && first === id) {
    return { inMs: opensInMs(state, { calls: 1, isEdit: false }, nowMs), isTooMany: false };
  }
  for (const asker of askers) {
    const ahead = aheadOf(personOf(state, asker.person));
    const isFirst = mayGoFirst(state, asker);
    if (isFirst) isTooMany = false;
    else if (ahead > mostAhead) isTooMany = true;
    const calls = isFirst || allGo ? ahead : rankOf(state, asker.person) - 1;
    inMs = Math.min(inMs, opensInMs(state, { calls, isEdit: isFirst }, nowMs));
  }
  return { inMs, isTooMany };
}

function lookAgainInMs(state: AccountState, lacksRoom: boolean, nowMs: number): number | null {
  const [oldest] = state.line.values();
  if (oldest === undefined) return null;
  const opensMs = Math.min(
    opensInMs(state, { calls: 1, isEdit: true }, nowMs) || Infinity,
    opensInMs(state, { calls: 1, isEdit: false }, nowMs) || (lacksRoom ? Infinity : othersMayStopMs),
  );
  return Math.max(0, Math.min(oldest.untilMs - nowMs, opensMs));
}
