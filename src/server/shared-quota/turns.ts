/**
 * Lets go whose turn it is. Each server carries out its own steps, so in one of them only its own calls leave: when
 * the turn is another's, that one is told, and those behind wait for it. A server without a free connection says so, and
 * holds up nobody else's calls.
 */
import { type AccountState, personOf } from "./account-state";
import { holdsBackMs, nextToGo, type Turn } from "./fairness";
import { standAside } from "./standing";
import { isOpen } from "./window";

/** Connections to the service that are free: to edits all of them, to other calls those beyond a few. */
export interface Room {
  readonly all: number;
  readonly others: number;
}

export interface Stepping {
  /** Whose step it is. */
  readonly server: string;
  readonly room: Room;
  readonly nowMs: number;
  /** How long a call is held at most. */
  readonly holdMs: number;
}

interface NextTurn {
  /** The server whose call is next and could go, where it is another's. */
  readonly turnOf: string | null;
  /** The window is open, and the next call leaves room to others for so long. */
  readonly waitMs: number;
}

const nobody: NextTurn = { turnOf: null, waitMs: 0 };

/** Adds to `go`. */
export function letThrough(state: AccountState, stepping: Stepping, go: string[]): NextTurn {
  const { server, nowMs } = stepping;
  for (;;) {
    noteRoom(state, stepping, go.length);
    if (state.line.size === 0 || !isOpen(state, true, nowMs)) return nobody;
    const edit = nextToGo(state, true);
    const turn = edit ?? (isOpen(state, false, nowMs) ? nextToGo(state, false) : null);
    if (turn === null) return nobody;
    const waitMs = edit === null ? holdsBackMs(state, { ...turn, calls: 1 }, nowMs) : 0;
    if (waitMs > 0) return { turnOf: null, waitMs };
    const waitsAt = state.line.get(turn.id)?.server ?? server;
    if (waitsAt !== server) return { turnOf: waitsAt, waitMs: 0 };
    depart(state, { ...turn, wasEditFirst: edit !== null }, nowMs);
    go.push(turn.id);
  }
}

function noteRoom(state: AccountState, { server, room, nowMs, holdMs }: Stepping, taken: number): void {
  if (taken < room.others) state.full.delete(server);
  else state.full.set(server, { toEdits: taken >= room.all, untilMs: nowMs + holdMs });
}

function depart(
  state: AccountState,
  { id, name, wasEditFirst }: Turn & { readonly wasEditFirst: boolean },
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
