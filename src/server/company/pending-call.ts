/**
 * One call of the inventory lookup that several may wait for. It lives as long as anybody wants it, whoever asked
 * first; and it ends for all who wait, with records, a failure that holds for all, or a refusal that is the
 * business of the first asker alone.
 */
import type { RelayedAnswer } from "../relay/answer";
import type { KnownItem } from "./known-items";
import type { Asker } from "./turns";

export type Outcome =
  | {
      readonly kind: "records";
      readonly items: ReadonlyMap<string, KnownItem>;
      readonly answer: RelayedAnswer;
    }
  /** 429, 5xx, a timeout, the quota's end: asking again for each who waits would make it worse. */
  | { readonly kind: "failed"; readonly answer: RelayedAnswer }
  /** Said to one caller and its token, or not to be trusted: not for others. */
  | { readonly kind: "refused"; readonly answer: RelayedAnswer }
  /** Nobody wanted it any more. */
  | { readonly kind: "left" };

export interface PendingCall {
  readonly outcome: Promise<Outcome>;
  /** Who wants it now. */
  readonly askers: readonly Asker[];
  /** Null while it waits for its turn. */
  readonly sentAtMs: number | null;
  /** Counts somebody in until this signal is aborted or the call has its outcome. */
  join(asker: Asker, signal: AbortSignal): void;
}

export interface PendingCallPlan {
  /** Never rejects. */
  run(control: PendingCallControl): Promise<Outcome>;
  /** The last who wanted it has left, or it has its outcome. */
  onOver(): void;
}

export interface PendingCallControl {
  readonly askers: () => readonly Asker[];
  readonly signal: AbortSignal;
  sent(atMs: number): void;
}

export function beginCall(plan: PendingCallPlan): PendingCall {
  const abort = new AbortController();
  const wanting = new Map<AbortSignal, { readonly asker: Asker; readonly leave: () => void }>();
  let sentAtMs: number | null = null;

  function join(asker: Asker, signal: AbortSignal): void {
    if (wanting.has(signal) || signal.aborted) return;
    const leave = () => {
      wanting.delete(signal);
      signal.removeEventListener("abort", leave);
      if (wanting.size > 0) return;
      plan.onOver();
      abort.abort();
    };
    wanting.set(signal, { asker, leave });
    signal.addEventListener("abort", leave);
  }

  function askers(): readonly Asker[] {
    return [...wanting.values()].map(({ asker }) => asker);
  }

  // Begins in a later turn of the promise queue: who asks has joined by then.
  const outcome = Promise.resolve()
    .then(() => plan.run({ askers, signal: abort.signal, sent: (atMs) => void (sentAtMs = atMs) }))
    .finally(() => {
      plan.onOver();
      for (const [signal, { leave }] of wanting) signal.removeEventListener("abort", leave);
    });

  return {
    outcome,
    join,
    get askers() {
      return askers();
    },
    get sentAtMs() {
      return sentAtMs;
    },
  };
}
