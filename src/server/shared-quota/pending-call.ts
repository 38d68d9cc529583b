/**
 * One call of the inventory lookup for which several people may wait. It continues as long as anybody wants it. It ends
 * with an answer, with a failure that applies to everybody, or with a refusal that concerns only the first asker. The
 * first asker gets the answer before the others, for whom it must be parsed.
 */
import type { SearchQuery } from "../../api/search-items";
import type { RelayedAnswer } from "../answer";
import type { Asker } from "./account-state";
import type { Askers } from "./call";
import { createCancel, type CancelSignal } from "./cancel-signal";

export type CallOutcome =
  | {
      readonly kind: "answered";
      readonly answer: RelayedAnswer;
      readonly query: SearchQuery;
      readonly fetchedAtMs: number;
    }
  /** 429, 5xx, a timeout, or no quota: separate calls for everybody who waits would make it worse. */
  | { readonly kind: "failed"; readonly answer: RelayedAnswer }
  /** Concerns one caller and its token, not the others. */
  | { readonly kind: "refused"; readonly answer: RelayedAnswer }
  /** Nobody wants it any more. */
  | { readonly kind: "left" };

export interface PendingCall {
  /** The requested items, and the lease by which other servers know of the call. */
  readonly values: readonly string[];
  readonly lease: string;
  /** The service's own answer, for a caller that asked for exactly these items; null when nobody wants it any more. */
  readonly answer: Promise<RelayedAnswer | null>;
  /** What the answer means for everybody else. It resolves a moment later. */
  readonly outcome: Promise<CallOutcome>;
  /** Null while the call waits for the quota. */
  readonly sentAtMs: number | null;
  /** Adds somebody who wants the call, until their signal is aborted or the answer arrives. */
  join(asker: Asker, signal: CancelSignal): void;
}

export interface PendingCallPlan {
  readonly values: readonly string[];
  readonly lease: string;
  /** Never rejects. */
  ask(control: PendingCallControl): Promise<RelayedAnswer | null>;
  /** Returns what the answer means. Never rejects. */
  take(answer: RelayedAnswer): Promise<CallOutcome>;
  /** Caches the outcome; nobody waits for it. Never rejects. */
  keep(outcome: CallOutcome): Promise<unknown>;
  /** Called when nobody wants the call any more, or when its outcome is cached. */
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
  let sentAtMs: number | null = null;
  let isAnswered = false;
  let notifyQuota: () => void = () => undefined;

  function join(asker: Asker, signal: CancelSignal): void {
    if (isAnswered || wanting.has(signal) || signal.aborted) return;
    const leave = () => {
      wanting.delete(signal);
      signal.removeEventListener("abort", leave);
      if (wanting.size > 0) {
        notifyQuota();
        return;
      }
      plan.onOver();
      cancelling.cancel();
    };
    wanting.set(signal, { asker, leave });
    signal.addEventListener("abort", leave);
    notifyQuota();
  }

  const askers: Askers = {
    now: () => [...wanting.values()].map(({ asker }) => asker),
    onChange: (listener) => void (notifyQuota = listener),
  };

  async function ask(): Promise<RelayedAnswer | null> {
    // In a later microtask: the first asker has joined by then.
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
    get sentAtMs() {
      return sentAtMs;
    },
  };
}
