/**
 * The frame around every function: arguments by name in, a matrix out. Waits for the session if it must,
 * begins the call in the cell register and ends it, and turns refusals into the host's errors. What a
 * function does in between is its `Run`; those with one value for each place are made in `places`.
 * Invariant: the promise settles, and it rejects with the host's error or not at all.
 */
import type { Place } from "../cells/cell-register";
import { isInvError, toInvError } from "../domain/errors";
import { beginCall, endCall, noteFailure, previewPlaceholder, type Call } from "./call";
import { isInvocation, misplacedInvocation, readInvocation, type Arguments, type Invocation } from "./host";
import { layOutSingle, type Layout } from "./queries";
import { fitting, present, presentOne, type Shown } from "./present";
import { openedSession, withSession, type FunctionSession } from "./session";
import { isRefusal, refusalOf, type Refusal } from "./values";

/** What a function does with its arguments: it begins all its requests before its first await, and ends the call. */
export type Run<Name extends string> = (given: Arguments<Name>, call: Call) => Promise<unknown[][]>;

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
  return (given, call) => {
    const layout = layOutSingle(given);
    return isInvError(layout)
      ? endAtOnce(call, refuse(call, refusalOf(layout)))
      : ending(call, table(layout, call));
  };
}

/** A function with one value, known at once. */
export function atOnce(read: (call: Call) => Shown): Run<never> {
  return (_given, call) => endAtOnce(call, read(call));
}

function calculateRead<Name extends string>(
  given: Arguments<Name>,
  invocation: Invocation,
  run: Run<Name>,
): Promise<unknown[][]> {
  const opened = openedSession();
  if (opened !== null) return calculateIn(opened, { given, invocation, run });
  if (invocation.isPreview) return Promise.resolve([[previewPlaceholder]]);
  return withSession(
    (session) => calculateIn(session, { given, invocation, run }),
    (error) => presented(refusalOf(error), null),
  );
}

interface Calculation<Name extends string> {
  readonly given: Arguments<Name>;
  readonly invocation: Invocation;
  readonly run: Run<Name>;
}

function calculateIn<Name extends string>(
  session: FunctionSession,
  { given, invocation, run }: Calculation<Name>,
): Promise<unknown[][]> {
  let call: Call | null = null;
  try {
    call = beginCall(session, invocation);
    return run(given, call);
  } catch (error) {
    const refusal = refusalOf(toInvError(error));
    return call === null ? presented(refusal, session) : endAtOnce(call, refuse(call, refusal));
  }
}

/** The whole formula is refused; the activity list names no item. */
export function refuse(call: Call, refusal: Refusal, place?: Partial<Place>): Refusal {
  noteFailure(call, refusal, { row: 0, col: 0, store: "", item: "", ...place });
  return refusal;
}

/** Ends the call with a matrix when it is there. */
export function ending(call: Call, result: Promise<Shown[][]>): Promise<unknown[][]> {
  return result.then(
    (shown) => end(call, shown),
    (error: unknown) => endOne(call, refuse(call, refusalOf(toInvError(error)))),
  );
}

/** Ends the call with one value, in this turn. */
export function endAtOnce(call: Call, shown: Shown): Promise<unknown[][]> {
  endCall(call);
  return presented(shown, call.session);
}

/** Ends the call; throws the host's error where the value is a refusal. */
export function endOne(call: Call, shown: Shown): unknown[][] {
  endCall(call);
  return presentOne(shown, call.session);
}

function end(call: Call, shown: Shown[][]): unknown[][] {
  const fits = fitting(shown);
  if (isRefusal(fits)) return endOne(call, refuse(call, fits));
  endCall(call);
  return present(fits, call.session);
}

function presented(shown: Shown, session: FunctionSession | null): Promise<unknown[][]> {
  if (!isRefusal(shown)) return Promise.resolve(presentOne(shown, session));
  return new Promise((resolve) => resolve(presentOne(shown, session)));
}
