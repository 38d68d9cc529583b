/**
 * Decides which call leaves now, and when to look again if none may. It changes nothing: the pipeline carries the decision out.
 * A call leaves when all of these allow it:
 *
 * - slots: at most as many calls are in flight as there are connections. A call is assembled only when a slot is free, so that it
 *   includes everything that is queued by then.
 * - token: a call reads it when it leaves.
 * - arrivals: full calls and edits leave at once. While cells keep arriving, at most one part-filled call is in flight. So the
 *   first value arrives after one latency. A sheet that takes a second to arrive costs about a dozen calls more than the minimum,
 *   whatever its size. Once cells have stopped arriving, as many leave as fit.
 * - fault, circuit breaker and quota of the operation (`opensAtMs` of the sender).
 * - spending guard: it asks a person about calls that nothing else delays. Edits pass it.
 */
import type { CallKind } from "../queue";
import type { Sender } from "./sender";
import type { Gate } from "./spending";

/** What the decision needs to know. */
export interface DispatchState<S extends Pick<Sender, "opensAtMs">> {
  readonly nowMs: number;
  /** The operations in the order in which they may send, so that neither waits for the other's backlog. */
  readonly senders: readonly S[];
  readonly hasFreeSlot: boolean;
  /** When there is a token for a call; Infinity if a token request must end first. */
  readonly tokenAtMs: number;
  readonly isPartFilledInFlight: boolean;
  /** When cells have stopped arriving, if no more come. */
  readonly quietAtMs: number;
  readonly spendingGate: (sender: S) => Gate;
}

export interface Decision<S> {
  /** The call that leaves now; null if none may. */
  readonly next: { readonly sender: S; readonly kind: CallKind } | null;
  /** When to look again; Infinity if only a request or an answer can change the decision. */
  readonly lookAgainAtMs: number;
  /** Whether a person must be asked about the cost. */
  readonly asksAboutSpending: boolean;
}

export function decide<S extends Pick<Sender, "opensAtMs">>(state: DispatchState<S>): Decision<S> {
  const { nowMs, senders, hasFreeSlot, tokenAtMs, quietAtMs, spendingGate } = state;
  const openings: number[] = [];
  let asksAboutSpending = false;

  function opensAtMs(sender: S, kind: CallKind): number {
    const atMs = Math.max(tokenAtMs, sender.opensAtMs(kind, nowMs));
    if (kind === "edit" || atMs > nowMs) return atMs;
    const gate = spendingGate(sender);
    asksAboutSpending ||= gate.asks;
    return gate.opensAtMs;
  }

  if (hasFreeSlot) {
    const kindNow = kindThatMayLeave(state);
    for (const kind of ["edit", kindNow] as const) {
      for (const sender of senders) {
        const atMs = opensAtMs(sender, kind);
        if (atMs <= nowMs) return { next: { sender, kind }, lookAgainAtMs: nowMs, asksAboutSpending };
        openings.push(atMs);
      }
    }
    if (kindNow !== "any") {
      for (const sender of senders) openings.push(opensAtMs(sender, "any"));
      openings.push(quietAtMs);
    }
  }
  const later = openings.filter((atMs) => atMs > nowMs);
  return { next: null, lookAgainAtMs: Math.min(...later), asksAboutSpending };
}

type Arriving = Pick<DispatchState<never>, "nowMs" | "quietAtMs" | "isPartFilledInFlight">;

function kindThatMayLeave({ nowMs, quietAtMs, isPartFilledInFlight }: Arriving): CallKind {
  if (nowMs >= quietAtMs) return "any";
  return isPartFilledInFlight ? "full" : "full-or-one-partial";
}
