/**
 * One call of the inventory lookup that several may wait for. It lives as long as anybody wants it, whoever asked
 * first; and it ends for all who wait, with an answer, a failure that holds for all, or a refusal that is the
 * business of the first asker alone. What others do with an answer takes longer than passing it on, so it comes after.
 */
import type { SearchQuery } from "../../api/search-items";
import type { RelayedAnswer } from "../answer";
import type { Asker } from "./account-state";
import type { Askers } from "./entry";
import { createCancel, type CancelSignal } from "./cancel-signal";

export type CallOutcome =
  | {
      readonly kind: "answered";
      readonly answer: RelayedAnswer;
      readonly query: SearchQuery;
      readonly fetchedAtMs: number;
    }
  /** 429, 5xx, a timeout, the quota's end: asking again for each who waits would make it worse. */
  | { readonly kind: "failed"; readonly answer: RelayedAnswer }
  /** Said to one caller and its token: not for others. */
  | { readonly kind: "refused"; readonly answer: RelayedAnswer }
  /** Nobody wanted it any more. */
  | { readonly kind: "left" };

export interface PendingCall {
  /** The items it asks for, and the lease by which others know that. */
  readonly values: readonly string[];
  readonly lease: string;
  /** As the service gave it, for who asked for just this; null when nobody wanted it any more. */
  readonly answer: Promise<RelayedAnswer | null>;
  /** What it means for everybody else, a moment after. */
  readonly outcome: Promise<CallOutcome>;
  /** Null while it waits for its turn. */
  readonly sentAtMs: number | null;
  /** Counts somebody in until this signal is aborted or the answer is there. */
  join(asker: Asker, signal: CancelSignal): void;
  /** Somebody at another server waits for it who has just typed a cell; they ask anew where nothing comes of it. */
  hurry(person: string): void;
}

export interface PendingCallPlan {
  readonly values: readonly string[];
  readonly lease: string;
  /** Never rejects. */
  ask(control: PendingCallControl): Promise<RelayedAnswer | null>;
  /** Takes an answer that somebody wanted, and tells what it means. Never rejects. */
  take(answer: RelayedAnswer): Promise<CallOutcome>;
  /** Makes it known to those who come later, which nobody who waits has to wait for. Never rejects. */
  keep(outcome: CallOutcome): Promise<unknown>;
  /** The last who wanted it has left, or its answer is known. */
  onOver(): void;
}

export interface PendingCallControl {
  readonly askers: Askers;
  readonly signal: CancelSignal;
  sent(atMs: number): void;
}

export function beginCall(plan: PendingCallPlan): PendingCall {
  const cancelling = createCancel();
  const wanting = new Map<CancelSignal, { readonly asker: Asker; readonly leave: () => void }>();
  /** At other servers, for edits. */
  const elsewhere = new Set<string>();
  let sentAtMs: number | null = null;
  let isAnswered = false;
  let tellOfAskers: () => void = () => undefined;

  function join(asker: Asker, signal: CancelSignal): void {
    if (isAnswered || wanting.has(signal) || signal.aborted) return;
    const leave = () => {
      wanting.delete(signal);
      signal.removeEventListener("abort", leave);
      if (wanting.size > 0) {
        tellOfAskers();
        return;
      }
      plan.onOver();
      cancelling.cancel();
    };
    wanting.set(signal, { asker, leave });
    signal.addEventListener("abort", leave);
    tellOfAskers();
  }

  function hurry(person: string): void {
    if (isAnswered || sentAtMs !== null || elsewhere.has(person)) return;
    elsewhere.add(person);
    tellOfAskers();
  }

  const askers: Askers = {
    now: () => [
      ...[...wanting.values()].map(({ asker }) => asker),
      ...[...elsewhere].map((person) => ({ person, isEdit: true })),
    ],
    onChange: (listener) => void (tellOfAskers = listener),
  };

  async function ask(): Promise<RelayedAnswer | null> {
    // In a later turn of the promise queue: who asks has joined by then.
    await Promise.resolve();
    const answer = await plan.ask({
      askers,
      signal: cancelling.signal,
      sent: (atMs) => void (sentAtMs = atMs),
    });
    isAnswered = true;
    for (const [signal, { leave }] of wanting) signal.removeEventListener("abort", leave);
    return answer;
  }

  const answer = ask();
  const outcome = answer.then((given) => (given === null ? { kind: "left" as const } : plan.take(given)));
  void outcome.then((each) => plan.keep(each)).then(() => plan.onOver());
  return {
    values: plan.values,
    lease: plan.lease,
    answer,
    outcome,
    join,
    hurry,
    get sentAtMs() {
      return sentAtMs;
    },
  };
}
