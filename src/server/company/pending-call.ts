/**
 * One call of the inventory lookup that several may wait for. It lives as long as anybody wants it, whoever asked
 * first; and it ends for all who wait, with records, a failure that holds for all, or a refusal that is the
 * business of the first asker alone. Reading the answer for others takes longer than passing it on, so it comes after,
 * and only when somebody waits for it.
 */
import type { RelayedAnswer } from "../relay/answer";
import type { Asker } from "./account-state";
import type { Askers } from "./entry";
import type { FetchedAnswer } from "./fetched-answer";
import { createLeaving, type LeaveSignal } from "./leaving";
import type { SearchStart } from "./search-query";

export type Outcome =
  /** It can be read, and holds all that its call asked for. */
  | { readonly kind: "records"; readonly answer: FetchedAnswer }
  /** 429, 5xx, a timeout, the quota's end: asking again for each who waits would make it worse. */
  | { readonly kind: "failed"; readonly answer: RelayedAnswer }
  /** Said to one caller and its token, or not to be trusted: not for others. */
  | { readonly kind: "refused"; readonly answer: RelayedAnswer }
  /** Nobody wanted it any more. */
  | { readonly kind: "left" };

export interface PendingCall {
  readonly start: SearchStart;
  /** As the service gave it, for who asked for just this; null when nobody wanted it any more. */
  readonly answer: Promise<RelayedAnswer | null>;
  /** What it means for everybody else, a moment after. Asked for again, it is the same. */
  outcome(): Promise<Outcome>;
  /** Null while it waits for its turn. */
  readonly sentAtMs: number | null;
  /** Counts somebody in until this signal is aborted or the answer is there. */
  join(asker: Asker, signal: LeaveSignal): void;
}

export interface PendingCallPlan {
  readonly start: SearchStart;
  /** Never rejects. */
  ask(control: PendingCallControl): Promise<RelayedAnswer | null>;
  /** Takes an answer that somebody wanted; what it gives tells, once asked, what the answer means. */
  take(answer: RelayedAnswer): Promise<() => Outcome>;
  /** The last who wanted it has left, or its answer was taken. */
  onOver(): void;
}

export interface PendingCallControl {
  readonly askers: Askers;
  readonly signal: LeaveSignal;
  sent(atMs: number): void;
}

export function beginCall(plan: PendingCallPlan): PendingCall {
  const leaving = createLeaving();
  const wanting = new Map<LeaveSignal, { readonly asker: Asker; readonly leave: () => void }>();
  let sentAtMs: number | null = null;
  let isAnswered = false;
  let tellOfAskers: () => void = () => undefined;

  function join(asker: Asker, signal: LeaveSignal): void {
    if (isAnswered || wanting.has(signal) || signal.aborted) return;
    const leave = () => {
      wanting.delete(signal);
      signal.removeEventListener("abort", leave);
      if (wanting.size > 0) {
        tellOfAskers();
        return;
      }
      plan.onOver();
      leaving.leave();
    };
    wanting.set(signal, { asker, leave });
    signal.addEventListener("abort", leave);
    tellOfAskers();
  }

  const askers: Askers = {
    now: () => [...wanting.values()].map(({ asker }) => asker),
    onChange: (listener) => void (tellOfAskers = listener),
  };

  async function ask(): Promise<RelayedAnswer | null> {
    // In a later turn of the promise queue: who asks has joined by then.
    await Promise.resolve();
    const answer = await plan.ask({
      askers,
      signal: leaving.signal,
      sent: (atMs) => void (sentAtMs = atMs),
    });
    isAnswered = true;
    for (const [signal, { leave }] of wanting) signal.removeEventListener("abort", leave);
    return answer;
  }

  const answer = ask();
  const taken = answer
    .then((given) => (given === null ? () => ({ kind: "left" }) as const : plan.take(given)))
    .finally(() => plan.onOver());
  let outcome: Promise<Outcome> | null = null;

  return {
    start: plan.start,
    answer,
    outcome: () => (outcome ??= taken.then((read) => read())),
    join,
    get sentAtMs() {
      return sentAtMs;
    },
  };
}
