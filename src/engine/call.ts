/**
 * A call as data: what it asks for, why it was made up, when it left, and what it has been through. It decides
 * nothing. Which calls are made up, and what becomes of them, is the `lane`'s; what they say and hear, the `wire`'s.
 *
 * The epoch is a number that each refresh counts up. A call has the epoch in which it was sent, an answer that of its
 * call, a waiting cell the one that was wanted when it asked. So an answer settles exactly the cells whose epoch is not
 * above its call's, and whatever comes late can be told from what is newer.
 */
import type { Canary } from "./canary";

/** When a call was sent. */
export interface Asked {
  readonly epoch: number;
  /** Counts the calls of a session as they leave: the order of two that left in one moment, too. */
  readonly number: number;
  /** By the steady clock; earlier than the call where a colleague's answer is given. */
  readonly atMs: number;
}

/** `E` is what it holds, an item or a history; `P` what goes on from one call to the next. */
export interface Call<E = unknown, P = unknown> {
  /** What it asks for. Of a whole history first itself, then its parts, which are answered along with it. */
  readonly entries: E[];
  /** What it holds for the calls that follow it. */
  readonly rest: readonly E[];
  /** What the calls before it have brought, when it goes on from them: it cannot be made up anew. */
  readonly goesOn: P | null;
  readonly isEdit: boolean;
  /** More of its store may have been under way when it left. */
  readonly isPartFilled: boolean;
  /** Set while somebody wants to know from it whether the service answers at all. */
  canary: Canary | null;
  /** When the first call of its history left, which says how new the history is; null where it is the first. */
  readonly begun: Asked | null;
  /** When it last left; null until it leaves (again), which will be in the newest epoch. */
  asked: Asked | null;
  /** With which token it last left, and in which round of the circuit. */
  token: string;
  round: number;
  /** Times it failed. */
  attempts: number;
  firstSentAtMs: number | null;
  notBeforeMs: number;
  /** Its token was refused once and has been renewed. */
  isRenewed: boolean;
}

type Load<E, P> = Pick<Call<E, P>, "entries" | "isEdit" | "isPartFilled"> &
  Partial<Pick<Call<E, P>, "rest" | "goesOn" | "canary" | "begun">>;

export function newCall<E, P>(load: Load<E, P>): Call<E, P> {
  return {
    entries: load.entries,
    rest: load.rest ?? [],
    goesOn: load.goesOn ?? null,
    isEdit: load.isEdit,
    isPartFilled: load.isPartFilled,
    canary: load.canary ?? null,
    begun: load.begun ?? null,
    asked: null,
    token: "",
    round: 0,
    attempts: 0,
    firstSentAtMs: null,
    notBeforeMs: 0,
    isRenewed: false,
  };
}

/** When what it brings was asked for; of a call that an answer has come to. */
export function askedOf({ begun, asked }: Call): Asked {
  const since = begun ?? asked;
  if (since === null) throw new Error("An answer came to a call that was not sent.");
  return since;
}

/** The epoch of what it will bring for this entry; Infinity where that will be asked for in the newest. */
export function epochOf(call: Call, entry: unknown): number {
  const since = call.begun ?? call.asked;
  return since === null || call.rest.includes(entry) ? Infinity : since.epoch;
}

/** A canary is somebody's, and what goes on from other calls stands for them. */
export function mayBeMadeUpAnew({ canary, goesOn }: Call): boolean {
  return canary === null && goesOn === null;
}

export function isNewer(asked: Asked, other: Asked): boolean {
  if (asked.epoch !== other.epoch) return asked.epoch > other.epoch;
  return asked.atMs === other.atMs ? asked.number > other.number : asked.atMs > other.atMs;
}
