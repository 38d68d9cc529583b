/**
 * The frame around every function: arguments by name in, a matrix out. Waits for the session if it must and for
 * the call's turn, ends it, and turns refusals into the host's errors. What a function does in between is its
 * `Run`; those with one value for each place are made in `places`.
 * Invariant: the promise settles, and it rejects with the host's error or not at all.
 */
import type { Place } from "../cells/cell-register";
import { isInvError, toInvError } from "../domain/errors";
import {
  beginCall,
  createCall,
  endCall,
  noteFailure,
  previewPlaceholder,
  type Call,
  type Settling,
} from "./call";
import { isInvocation, misplacedInvocation, readInvocation, type Arguments, type Invocation } from "./host";
import { layOutSingle, type Layout } from "./queries";
import { envelopeBytes } from "./outlet";
import { bytesOf, bytesOfSingle, fitting, present, presentOne, type Shown, type Taker } from "./present";
import { openedSession, whenOpened } from "./session";
import { isRefusal, refusalOf, type Refusal } from "./values";

/** What a function does with its arguments. It begins and asks in the call's turn (`inItsTurn`), and ends it once; it never throws. */
export type Run<Name extends string> = (given: Arguments<Name>, call: Call) => void;

/**
 * Calculates one formula.
 * @param given the arguments by name; the Invocation may stand among them
 * @param invocation what the host appended to the arguments
 * @returns the matrix; a single error is thrown, so that its text reaches the cell
 */
export function calculate<Name extends string>(
  given: NoInfer<Arguments<Name>>,
  invocation: unknown,
  run: Run<Name>,
): Promise<unknown[][]> {
  const misplaced = isInvocation(invocation) ? null : misplacedInvocation<Name>(given);
  if (misplaced === null) return calculateRead(given, readInvocation(invocation), run);
  return calculateRead({ ...given, [misplaced]: null }, readInvocation(given[misplaced]), run);
}

/** A function whose result is a table of its own: each argument must be one value. */
export function ofSingleValues<Name extends string>(
  table: (layout: Layout<Name>, call: Call) => Promise<Shown[][]>,
): Run<Name> {
  return (given, call) =>
    inItsTurn(call, () => {
      const layout = layOutSingle(given);
      if (isInvError(layout)) {
        endOne(call, refuse(call, refusalOf(layout)));
        return;
      }
      table(layout, call).then(
        (shown) => end(call, shown),
        (error: unknown) => endOne(call, refuse(call, refusalOf(toInvError(error)))),
      );
    });
}

/** A function with one value, known at once. */
export function atOnce(read: (call: Call) => Shown): Run<never> {
  return (_given, call) => inItsTurn(call, () => endOne(call, read(call)));
}

/**
 * Begins the call and what it does, now, or later where the host hands over more than one turn should bear.
 * @param ask ends the call, or leaves somebody who will
 */
export function inItsTurn(call: Call, ask: () => void): void {
  const begin = (): void => {
    try {
      beginCall(call);
      ask();
    } catch (error) {
      endOne(call, refuse(call, refusalOf(toInvError(error))));
    }
  };
  call.session.timeSlices.begin({ begin });
}

let resolveOfLast: Settling["resolve"];
let rejectOfLast: Settling["reject"];
/** One function for all promises: closures of each would cost more than the call. */
function capture(resolve: Settling["resolve"], reject: Settling["reject"]): void {
  resolveOfLast = resolve;
  rejectOfLast = reject;
}

function calculateRead<Name extends string>(
  given: Arguments<Name>,
  invocation: Invocation,
  run: Run<Name>,
): Promise<unknown[][]> {
  const promise = new Promise<unknown[][]>(capture);
  const settling = { resolve: resolveOfLast, reject: rejectOfLast };
  const opened = openedSession();
  if (opened !== null) run(given, createCall(opened, invocation, settling));
  else if (invocation.isPreview) settling.resolve([[previewPlaceholder]]);
  else {
    whenOpened({
      begin: (session) => run(given, createCall(session, invocation, settling)),
      refuse: (failed) => settle(settling, refusalOf(failed.error), failed),
    });
  }
  return promise;
}

/** The whole formula is refused; the activity list names no item. */
export function refuse(call: Call, refusal: Refusal, place?: Partial<Place>): Refusal {
  noteFailure(call, refusal, { row: 0, col: 0, store: "", item: "", ...place });
  return refusal;
}

/** Ends the call with one value; with the host's error where it is a refusal. */
export function endOne(call: Call, shown: Shown): void {
  const { outlet } = call.session;
  const bytes = envelopeBytes + bytesOfSingle(shown);
  if (outlet.takes(bytes)) leaveOne(call, shown);
  else outlet.hold({ bytes, release: () => leaveOne(call, shown) });
}

/** Ends the call with a matrix. */
export function end(call: Call, shown: Shown[][]): void {
  const bytes = envelopeBytes + bytesOf(shown);
  const fits = fitting(shown, bytes);
  const { outlet } = call.session;
  if (isRefusal(fits)) endOne(call, refuse(call, fits));
  else if (outlet.takes(bytes)) leave(call, fits);
  else outlet.hold({ bytes, release: () => leave(call, fits) });
}

/** Only now is the cell settled: what the outlet holds is not in the sheet yet. */
function leaveOne(call: Call, shown: Shown): void {
  endCall(call);
  settle(call, shown, call.session);
}

function leave(call: Call, shown: Shown[][]): void {
  endCall(call);
  try {
    call.resolve(present(shown, call.session));
  } catch (hostError) {
    call.reject(hostError);
  }
}

function settle({ resolve, reject }: Settling, shown: Shown, taker: Taker): void {
  try {
    resolve(presentOne(shown, taker));
  } catch (hostError) {
    reject(hostError);
  }
}
