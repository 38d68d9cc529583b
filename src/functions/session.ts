/**
 * What the functions calculate with, given once by whoever puts the add-in together. Excel calculates
 * while the add-in is still starting, so calls that come first wait here, and all begin in the order they
 * came when the session opens. From then on nothing is awaited before the engine is asked: a burst of
 * calls stays a burst. Invariant: a call never waits for a start that has failed.
 */
import { toInvError, type InvError } from "../domain/errors";
import type { CellRegister } from "../cells/cell-register";
import type { Engine } from "../engine/types";

export interface FunctionSession {
  readonly engine: Engine;
  readonly cells: CellRegister;
  /** Event codes that answers held, documented or not. */
  readonly eventTypesSeen: Set<string>;
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Whether the host shows a number with the format that it brings. */
  readonly formatsTimes: boolean;
  /** The environment this workbook uses; null while none is chosen. */
  environmentId(): string | null;
}

interface Waiting {
  begin(session: FunctionSession): void;
  fail(error: InvError): void;
}

let current: FunctionSession | null = null;
let failure: InvError | null = null;
let waiting: Waiting[] = [];

/** Opens the session: what waited begins at once, in one turn. A later session replaces an earlier one. */
export function openSession(session: FunctionSession): void {
  current = session;
  failure = null;
  const first = waiting;
  waiting = [];
  for (const call of first) call.begin(session);
}

/** The add-in could not start: what waits, and what comes until a session opens, gets this reason. */
export function failSession(reason: unknown): void {
  current = null;
  failure = toInvError(reason);
  const first = waiting;
  waiting = [];
  for (const call of first) call.fail(failure);
}

/** The session, where a call would begin at once. */
export function openedSession(): FunctionSession | null {
  return current;
}

/** Runs with the session: at once when it is open, else when it opens; or with the reason why it never will. */
export function withSession<T>(
  run: (session: FunctionSession) => Promise<T>,
  refuse: (error: InvError) => Promise<T>,
): Promise<T> {
  if (failure !== null) return refuse(failure);
  if (current !== null) return run(current);
  return new Promise<T>((resolve) => {
    waiting.push({
      begin: (session) => resolve(run(session)),
      fail: (error) => resolve(refuse(error)),
    });
  });
}
