/**
 * When calls leave: the send slots, the token at the moment of leaving, and the rule that makes calls as
 * full as they can be. What a call carries and what its answer means is left to the lanes and desks.
 *
 * The rule. Requests join lines and nothing is sent in their own turn of the event loop; the decision is
 * taken in the next turn and again at every answer, so it needs no timer (hidden panes slow timers down).
 * - A call is made up only when a slot, the quota and the token are free: it takes all that waits by then.
 * - Full calls, and edits, go whenever those are free.
 * - While cells keep arriving, at most one part-filled call is under way: the first value comes after one
 *   latency, and as its store's later cells cost at most one call more, a sheet that takes a second to
 *   arrive costs about a dozen calls more than the fewest, whatever its size.
 * - Once cells have stopped arriving, as many as fit. A timer stands by for that moment only.
 */
import type { CallOptions } from "../../api/call-options";
import { readCompanyUse } from "../../api/company";
import type { Failure } from "../../api/outcomes";
import type { InvError } from "../../domain/errors";
import type { Arrivals } from "./arrivals";
import { type Attempt, type AttemptTools, beginAttempt } from "./attempt";
import type { Answered, Call } from "./call";
import type { TimerId } from "../clock";
import type { Departure, Desk } from "./desk";
import type { TokenKeeper } from "./token";

export interface Dispatcher {
  /** Something joined a line: decide in the next turn. */
  wake(): void;
  decide(): void;
  /** Gives up every call under way and fails all that waits. */
  dropAll(error: InvError): void;
  close(): void;
  inFlight(): number;
}

export interface DispatcherOptions extends AttemptTools {
  readonly desks: readonly Desk[];
  readonly token: TokenKeeper;
  readonly consumerId: string;
  readonly page: string | null;
  readonly connections: number;
  readonly arrivals: Arrivals;
  /** The turn's requests are all in. */
  readonly onTurn: (isEdit: boolean) => void;
  readonly onSent: () => void;
  /** A call was answered after so long. */
  readonly onAnswered: (latencyMs: number) => void;
  readonly onTokenRefused: (error: InvError) => void;
  readonly onChange: () => void;
}

interface Flight {
  readonly desk: Desk;
  readonly departure: Departure;
  readonly attempt: Attempt<Failure | Answered>;
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { clock, desks, token, arrivals } = options;
  const flights = new Set<Flight>();
  let partFilledInFlight = 0;
  let isTurnBegun = false;
  let isClosed = false;
  let firstDesk = 0;
  let timer: TimerId = null;
  let timerAtMs = Infinity;

  function wake(): void {
    if (isTurnBegun) return;
    isTurnBegun = true;
    clock.nextTurn(() => {
      isTurnBegun = false;
      options.onTurn(arrivals.endTurn());
      decide();
    });
  }

  function decide(): void {
    if (isClosed) return;
    const sinceMs = clock.now();
    failWhatFaultsStop();
    while (flights.size < options.connections && desks.some((desk) => desk.isWaiting())) {
      const accessToken = token.current();
      if (accessToken === null || !sendOne(accessToken)) break;
    }
    setTimer(sinceMs);
    options.onChange();
  }

  /** Requests that came after the fault; they join a line first so that they settle like all others. */
  function failWhatFaultsStop(): void {
    for (const desk of desks) {
      const fault = desk.fault();
      if (fault !== null && desk.isWaiting()) desk.failAll(fault);
    }
  }

  /** Edits before all else; the operations take turns, so that neither waits for the other's backlog. */
  function sendOne(accessToken: string): boolean {
    const partFilled = !arrivals.isArriving() ? "all" : partFilledInFlight === 0 ? "after-full" : "none";
    firstDesk = (firstDesk + 1) % desks.length;
    for (const kind of ["edit", partFilled] as const) {
      for (let index = 0; index < desks.length; index += 1) {
        const desk = desks[(firstDesk + index) % desks.length];
        const call = desk?.next(kind) ?? null;
        if (desk !== undefined && call !== null) {
          send(desk, call, accessToken);
          return true;
        }
      }
    }
    return false;
  }

  function send(desk: Desk, call: Call, accessToken: string): void {
    const departure = desk.depart(call, accessToken);
    if (call.isPartFilled) partFilledInFlight += 1;
    options.onSent();
    const attempt = beginAttempt<Failure | Answered>(options, {
      build: (signal) => call.build(callOptions(call, accessToken, signal)),
      read(response) {
        const use = readCompanyUse(response.headers);
        if (use !== null) desk.quota.told(use);
        return call.read(response);
      },
    });
    const flight: Flight = { desk, departure, attempt };
    flights.add(flight);
    void attempt.outcome.then((outcome) => land(flight, outcome));
  }

  function callOptions({ isEdit }: Call, accessToken: string, signal: AbortSignal): CallOptions {
    const { consumerId, page } = options;
    const company = page === null ? null : { page, isEdit, maxAgeMs: 0 };
    return { consumerId, accessToken, signal, company };
  }

  function land(flight: Flight, outcome: Failure | Answered): void {
    if (!leave(flight)) return;
    const { desk, departure } = flight;
    if (outcome.kind === "answered") options.onAnswered(clock.now() - departure.sentAtMs);
    const refused = desk.land(departure, outcome);
    if (refused !== null) options.onTokenRefused(refused);
    decide();
  }

  /** False when the call has been given up before. */
  function leave(flight: Flight): boolean {
    if (!flights.delete(flight)) return false;
    if (flight.departure.call.isPartFilled) partFilledInFlight -= 1;
    return true;
  }

  /**
   * By the time at which the decision began, not by now: what has opened since may have been looked at just
   * before, and if the timer took it for open already, nobody would come back to it.
   */
  function setTimer(sinceMs: number): void {
    const atMs = opensAtMs(sinceMs);
    if (atMs >= timerAtMs) return;
    clock.clearTimeout(timer);
    timerAtMs = atMs;
    timer = clock.setTimeout(
      () => {
        timerAtMs = Infinity;
        decide();
      },
      Math.max(0, atMs - clock.now()),
    );
  }

  /** The next moment after this one that may let a call go without an answer before it; Infinity for none. */
  function opensAtMs(sinceMs: number): number {
    const waiting = desks.filter((desk) => desk.isWaiting());
    if (waiting.length === 0 || flights.size >= options.connections) return Infinity;
    const tokenAtMs = token.current() === null ? token.opensAtMs() : 0;
    const quietAtMs = arrivals.isArriving() ? clock.now() + arrivals.quietInMs() : Infinity;
    const atMs = waiting.map((desk) => Math.max(desk.opensAtMs(sinceMs), tokenAtMs));
    return Math.min(...atMs.filter((ms) => ms > sinceMs), quietAtMs);
  }

  function dropAll(error: InvError): void {
    for (const flight of [...flights]) {
      leave(flight);
      flight.desk.abandon(flight.departure, error);
      flight.attempt.abort();
    }
    for (const desk of desks) desk.failAll(error);
    options.onChange();
  }

  return {
    wake,
    decide,
    dropAll,
    close() {
      isClosed = true;
      clock.clearTimeout(timer);
    },
    inFlight: () => flights.size,
  };
}
