/**
 * The latest refresh, as the engine knows it: the outcome of each of its queries, a new answer or the reason why there is none. A
 * calculation that a mark of the refresh has caused gets:
 * - the new answer, however old that is by then;
 * - the last known answer (or the reason) if the query has failed. Nothing is sent;
 * - where the refresh hasn't asked: what any cell gets. In the last stage, an answer of the refresh's epoch. After a cancel the last known
 *   answer, and nothing is sent.
 * A cancelled refresh stays the latest: the host may call functions of marked cells for seconds, and nothing may leave for them.
 */
import type { Clock } from "./clock";
import type { CachedAnswer, Entry } from "./entry";
import type { InvError } from "../domain/errors";
import type { Query } from "../domain/records";
import { unawaited } from "../domain/unawaited";
import { isAnswered, type Outcome, type RefreshOptions, type Work } from "./types";

export interface EngineRefresh {
  readonly epoch: number;
  /** How old a colleague's answer may be that comes now: newer than the start minus the accepted age. */
  readonly acceptedAgeMs: () => number;
  isNew(answer: CachedAnswer<unknown>): boolean;
  marks(cell: string | undefined): boolean;
  /** Whether marked cells want a new answer where the refresh hasn't asked. */
  isLastStage(): boolean;
  /** Keeps the outcome of a query. */
  note(entry: Entry<unknown, unknown>, outcome: Outcome<unknown>): void;
  /** Returns why this query isn't requested again for a marked cell, or null. */
  failureOf(entry: Entry<unknown, unknown>, cell?: string): InvError | null;
  cancel(error: InvError): void;
}

interface RefreshStart extends Pick<RefreshOptions, "isMarked" | "isLastStage" | "asksAnyway"> {
  readonly epoch: number;
  /** How old this page's answers may be at the start, and a colleague's. */
  readonly ageMs: number;
  readonly sharedAgeMs: number;
  /** The refresh that this one continues. Its answers are new. */
  readonly continued: EngineRefresh | null;
}

export function createEngineRefresh(clock: Clock, start: RefreshStart): EngineRefresh {
  const { epoch, ageMs, sharedAgeMs, isMarked, asksAnyway, continued } = start;
  // The steady clock stops while the computer sleeps, and the system clock may be set back.
  const startedAtMs = clock.steadyNow();
  const startedAtSystemMs = clock.now();
  const failed = new Map<string, InvError>();
  let cancelledBecause: InvError | null = null;

  return {
    epoch,
    acceptedAgeMs: () => clock.steadyNow() - startedAtMs + sharedAgeMs,
    isNew(answer) {
      const { sentAt, fetchedAtMs } = answer;
      if (sentAt.epoch >= epoch || continued?.isNew(answer) === true) return true;
      return ageMs > 0 && startedAtMs - sentAt.atMs < ageMs && startedAtSystemMs - fetchedAtMs < ageMs;
    },
    marks: (cell) => cell !== undefined && isMarked?.(cell) === true,
    isLastStage: () => start.isLastStage?.() === true,
    note(entry, outcome) {
      const reason = reasonOf(outcome);
      if (reason !== undefined && cancelledBecause === null) failed.set(entryKey(entry), reason);
    },
    failureOf(entry, cell) {
      const failure = failed.size === 0 ? undefined : failed.get(entryKey(entry));
      if (failure !== undefined || cancelledBecause === null) return failure ?? null;
      return cell !== undefined && asksAnyway?.(cell) === true ? null : cancelledBecause;
    },
    cancel(error) {
      cancelledBecause = error;
    },
  };
}

/** Unique among both operations. Stays the same when the cache has dropped the entry and another one is created. */
function entryKey({ group, value }: Entry<unknown, unknown>): string {
  return `${group.key}|${value}`;
}

type Settle = NonNullable<RefreshOptions["settled"]>;

/**
 * Resolves when every query has its outcome: those of the work, and those that outcomes make necessary. Rejects with the first reason
 * if none was answered.
 */
export async function untilSettled(
  work: Work,
  { settled, alsoNeeds }: Pick<RefreshOptions, "settled" | "alsoNeeds">,
  request: (work: Work, settle: Settle) => void,
): Promise<void> {
  let open = work.items.length + work.histories.length;
  let answered = 0;
  let firstReason: InvError | undefined;
  await new Promise<void>((resolve) => {
    function settle(query: Query, outcome: Outcome<unknown>): void {
      const reason = reasonOf(outcome);
      if (reason === undefined) answered += 1;
      else firstReason ??= reason;
      const more = alsoNeeds?.(query, outcome) ?? null;
      if (more !== null) {
        open += 1;
        // The batcher is settling entries.
        unawaited(Promise.resolve().then(() => request({ items: [], histories: [more] }, settle)));
      }
      settled?.(query, outcome);
      open -= 1;
      if (open === 0) resolve();
    }
    if (open === 0) resolve();
    request(work, settle);
  });
  if (answered === 0 && firstReason !== undefined) throw firstReason;
}

/** Why the outcome isn't a new answer. */
function reasonOf(outcome: Outcome<unknown>): InvError | undefined {
  return isAnswered(outcome) ? outcome.staleBecause : outcome;
}
