/**
 * Sends the calls whose turn it is. Each server runs its own steps, and only its own calls can be sent in one. If the
 * next call belongs to another server, that server is notified and the calls behind it wait. A server without a free
 * connection is marked as busy, so that it holds up nobody else's calls.
 */
import { type AccountState, dequeue, personOf } from "./account-state";
import type { FreeConnections } from "./connections";
import { nextTurn, paceWaitMs, type Turn } from "./fairness";
import { isOpen } from "./window";

export interface DispatchOptions {
  /** The server whose step this is. */
  readonly server: string;
  readonly connections: FreeConnections;
  readonly nowMs: number;
  /** The longest time a call is held. */
  readonly holdMs: number;
}

interface Blocked {
  /** The server whose call is next and could be sent, if it is another one. */
  readonly turnOfServer: string | null;
  /** The window is open, but the next call has to wait this long. */
  readonly waitMs: number;
}

const byNobody: Blocked = { turnOfServer: null, waitMs: 0 };

/** Adds the ids of sent calls to `sent`, and returns what blocks the next one. */
export function dispatch(state: AccountState, options: DispatchOptions, sent: string[]): Blocked {
  const { server, nowMs } = options;
  for (;;) {
    noteConnections(state, options, sent.length);
    if (state.queue.size === 0 || !isOpen(state, true, nowMs)) return byNobody;
    const edit = nextTurn(state, true);
    const turn = edit ?? (isOpen(state, false, nowMs) ? nextTurn(state, false) : null);
    if (turn === null) return byNobody;
    const waitMs = edit === null ? paceWaitMs(state, { ...turn, calls: 1 }, nowMs) : 0;
    if (waitMs > 0) return { turnOfServer: null, waitMs };
    const owner = state.queue.get(turn.id)?.server ?? server;
    if (owner !== server) return { turnOfServer: owner, waitMs: 0 };
    markSent(state, { ...turn, isPriorityEdit: edit !== null }, nowMs);
    sent.push(turn.id);
  }
}

function noteConnections(
  state: AccountState,
  { server, connections, nowMs, holdMs }: DispatchOptions,
  taken: number,
): void {
  if (taken < connections.others) state.busyServers.delete(server);
  else state.busyServers.set(server, { toEdits: taken >= connections.all, untilMs: nowMs + holdMs });
}

function markSent(
  state: AccountState,
  { id, name, isPriorityEdit }: Turn & { readonly isPriorityEdit: boolean },
  nowMs: number,
): void {
  // Before `dequeue`, which would forget a person without calls.
  const person = personOf(state, name);
  person.used += 1;
  person.inFlight += 1;
  person.lastSentAtMs = nowMs;
  if (isPriorityEdit) {
    person.priorityEdits += 1;
    state.priorityEdits += 1;
  }
  dequeue(state, id);
  state.inFlight.set(id, { person: name, isPriorityEdit, sentAtMs: nowMs });
}
