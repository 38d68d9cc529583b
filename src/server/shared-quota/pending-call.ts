/**
 * One call of the inventory lookup for which several people may wait. It uses the first caller's share of the quota, and
 * continues as long as anybody wants it. The first caller gets the answer before the others, for whom it must be parsed.
 */
import type { SearchQuery } from "../../api/search-items";
import type { RelayedAnswer } from "../answer";
import type { SteadyClock } from "../steady-clock";
import { accountOf, type CompanyCall } from "./call";
import { isQuotaRefusal } from "./headers";
import type { KnownAnswers } from "./known-answers";
import type { PacedCalls } from "./paced-calls";

export type CallOutcome =
  | { readonly kind: "answered"; readonly answer: RelayedAnswer; readonly fetchedAtMs: number }
  /** The first caller's share of the quota is used up. Others may still have some of theirs. */
  | { readonly kind: "rejected"; readonly answer: RelayedAnswer }
  /** The service's 429, 5xx, a timeout: separate calls for everybody who waits would make it worse. */
  | { readonly kind: "failed"; readonly answer: RelayedAnswer }
  /** Concerns the first caller and their token, not the others. */
  | { readonly kind: "refused"; readonly answer: RelayedAnswer }
  /** Nobody wants it any more. */
  | { readonly kind: "left" };

export interface PendingCall {
  readonly query: SearchQuery;
  /** Other servers know the call by this ID. */
  readonly claim: string;
  readonly isEdit: boolean;
  /** The service's own answer, for the first caller; null when nobody wants it any more. */
  readonly answer: Promise<RelayedAnswer | null>;
  /** What the answer means for everybody else. It resolves a moment later. */
  readonly outcome: Promise<CallOutcome>;
  /** Null while the call waits for the quota. */
  readonly sentAtMs: number | null;
  /** Adds somebody who wants the call, until their signal is aborted or the answer arrives. */
  join(signal: AbortSignal): void;
}

export interface PendingCallOptions {
  readonly clock: SteadyClock;
  readonly paced: PacedCalls;
  readonly answers: KnownAnswers;
  readonly call: CompanyCall;
  /** The query in the call's body. */
  readonly query: SearchQuery;
  readonly scope: string;
  readonly claim: string;
  /** Called when nobody wants the call any more, or when its outcome is cached. */
  readonly onOver: () => void;
}

export function beginCall(options: PendingCallOptions): PendingCall {
  const { clock, paced, answers, call, query, scope, claim, onOver } = options;
  const cancelling = new AbortController();
  const waitingSignals = new Map<AbortSignal, () => void>();
  let sentAtMs: number | null = null;
  let isAnswered = false;

  function join(signal: AbortSignal): void {
    if (isAnswered || waitingSignals.has(signal) || signal.aborted) return;
    const leave = () => {
      waitingSignals.delete(signal);
      signal.removeEventListener("abort", leave);
      if (waitingSignals.size > 0) return;
      onOver();
      cancelling.abort();
    };
    waitingSignals.set(signal, leave);
    signal.addEventListener("abort", leave);
  }

  async function ask(): Promise<RelayedAnswer | null> {
    const answer = await paced({
      account: accountOf(call, "search"),
      asker: call.asker,
      signal: cancelling.signal,
      send: call.send,
      body: call.body,
      onSent: (atMs) => void (sentAtMs = atMs),
    });
    isAnswered = true;
    for (const [signal, leave] of waitingSignals) signal.removeEventListener("abort", leave);
    return answer;
  }

  async function judge(answer: RelayedAnswer | null): Promise<CallOutcome> {
    if (answer === null) return { kind: "left" };
    const fetchedAtMs = clock.now();
    // In a later turn: by then the answer is on its way to the first caller.
    await new Promise<void>((resolve) => clock.nextTurn(resolve));
    if (isQuotaRefusal(answer)) return { kind: "rejected", answer };
    if (isFailure(answer)) return { kind: "failed", answer };
    if (answer.status !== 200) return { kind: "refused", answer };
    return { kind: "answered", answer: { ...answer, body: ownBytes(answer.body) }, fetchedAtMs };
  }

  async function keep(outcome: CallOutcome): Promise<void> {
    if (outcome.kind === "answered") {
      const { answer, fetchedAtMs } = outcome;
      const nowMs = clock.now();
      const ages = { askedAgoMs: nowMs - (sentAtMs ?? nowMs), fetchedAgoMs: nowMs - fetchedAtMs };
      await answers.keep(scope, { query, body: answer.body, ...ages }, claim);
    } else await answers.release(scope, query.values, claim);
  }

  join(call.signal);
  const answer = ask();
  const outcome = answer.then(judge);
  // An error of the call reaches those who wait for `outcome`; nobody waits for the cache.
  outcome
    .then(keep)
    .catch(() => undefined)
    .finally(onOver);
  return {
    query,
    claim,
    isEdit: call.asker.isEdit,
    answer,
    outcome,
    join,
    get sentAtMs() {
      return sentAtMs;
    },
  };
}

/** Failures that may be temporary and don't concern the caller. */
function isFailure({ status }: RelayedAnswer): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** Bytes that reading from the network may leave around an answer: the response's head. */
const mostBeside = 1_024;

/** Returns a copy if the answer is a small part of a larger buffer, which it would keep in memory. */
function ownBytes(body: Buffer): Buffer {
  if (body.buffer.byteLength <= body.length + mostBeside) return body;
  const copy = Buffer.allocUnsafeSlow(body.length);
  body.copy(copy);
  return copy;
}
