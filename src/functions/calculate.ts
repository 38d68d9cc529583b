/**
 * The frame around every function: arguments by name in, a matrix out. Waits for the session if it must,
 * lays the arguments out once, lets the function ask for all its cells in one turn, and turns refusals into
 * the host's errors. Invariant: the promise settles, and it rejects with the host's error or not at all.
 */
import type { Place } from "../cells/cell-register";
import { isInvError, toInvError, type InvError } from "../domain/errors";
import type { Answer } from "../engine/types";
import { beginCall, endCall, noteAnswer, noteFailure, previewPlaceholder, type Call } from "./call";
import type { Shape } from "./grid";
import { isInvocation, misplacedInvocation, readInvocation, type Arguments, type Invocation } from "./host";
import { layOut, layOutSingle, type Layout } from "./queries";
import { fitting, present, type Shown } from "./present";
import { isSessionOpen, withSession, type FunctionSession } from "./session";
import { isRefusal, refusalOf, type Refusal } from "./values";

/** What a function does with its arguments; it begins all its requests before its first await. */
export type Run<Name extends string> = (given: Arguments<Name>, call: Call) => Promise<Shown[][]>;

/** The same once the arguments are laid out as grids of one common shape. */
type RunLaidOut<Name extends string> = (layout: Layout<Name>, call: Call) => Promise<Shown[][]>;

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

/** A function with one result for each place of its ranges. */
export function overRanges<Name extends string>(run: RunLaidOut<Name>): Run<Name> {
  return (given, call) => runLaidOut(layOut(given), call, run);
}

/** A function whose result is a table of its own: each argument must be one value. */
export function ofSingleValues<Name extends string>(run: RunLaidOut<Name>): Run<Name> {
  return (given, call) => runLaidOut(layOutSingle(given), call, run);
}

function runLaidOut<Name extends string>(
  layout: Layout<Name> | InvError,
  call: Call,
  run: RunLaidOut<Name>,
): Promise<Shown[][]> {
  if (isInvError(layout)) return Promise.resolve([[refuse(call, refusalOf(layout))]]);
  return run(layout, call);
}

function calculateRead<Name extends string>(
  given: Arguments<Name>,
  invocation: Invocation,
  run: Run<Name>,
): Promise<unknown[][]> {
  if (invocation.isPreview && !isSessionOpen()) return Promise.resolve([[previewPlaceholder]]);
  let within: FunctionSession | null = null;
  return withSession((session) => {
    within = session;
    const call = beginCall(session, invocation);
    const end = (shown: Shown[][]): Shown[][] => {
      const fits = fitting(shown);
      const ended = isRefusal(fits) ? [[refuse(call, fits)]] : fits;
      endCall(call);
      return ended;
    };
    const fail = (error: unknown): Shown[][] => end([[refuse(call, refusalOf(toInvError(error)))]]);
    try {
      return run(given, call).then(end, fail);
    } catch (error) {
      return Promise.resolve(fail(error));
    }
  }).then(
    (shown) => present(shown, within),
    (error: unknown) => present([[refusalOf(toInvError(error))]], within),
  );
}

/** The whole formula is refused; the activity list names no item. */
export function refuse(call: Call, refusal: Refusal, place?: Partial<Place>): Refusal {
  noteFailure(call, refusal, { row: 0, col: 0, store: "", item: "", ...place });
  return refusal;
}

export interface GridPlan<A extends Answer<unknown>> {
  readonly shape: Shape;
  /** What a cell waits for, or what it shows at once; null shows the preview's placeholder. */
  ask(row: number, col: number): Promise<A> | Shown | null;
  read(answer: A, row: number, col: number): Shown;
  /** Store and item as given. */
  given(row: number, col: number): { readonly store: string; readonly item: string };
}

/** Asks for every cell in one turn, row by row, and puts the answers in their places. */
export function evaluateGrid<A extends Answer<unknown>>(plan: GridPlan<A>, call: Call): Promise<Shown[][]> {
  const { rows, cols } = plan.shape;
  const shown: Shown[][] = Array.from({ length: rows }, () => new Array<Shown>(cols).fill(""));
  return new Promise((resolve) => {
    let open = rows * cols;

    function settle(row: number, col: number, value: Shown): void {
      (shown[row] as Shown[])[col] = value;
      // Whatever happens to one cell, the formula must not stay #BUSY!.
      try {
        if (isRefusal(value)) noteFailure(call, value, { row, col, ...plan.given(row, col) });
      } finally {
        open--;
        if (open === 0) resolve(shown);
      }
    }

    function ask(row: number, col: number): void {
      const asked = safely(() => plan.ask(row, col) ?? previewPlaceholder);
      if (typeof asked !== "object" || !("then" in asked)) {
        settle(row, col, asked);
        return;
      }
      asked.then(
        (answer) =>
          settle(
            row,
            col,
            safely(() => read(answer, row, col)),
          ),
        (error: unknown) => settle(row, col, refusalOf(toInvError(error))),
      );
    }

    function read(answer: A, row: number, col: number): Shown {
      noteAnswer(call, answer);
      return plan.read(answer, row, col);
    }

    for (let row = 0; row < rows; row++) {
      for (let col = 0; col < cols; col++) ask(row, col);
    }
  });
}

/** The value of a found answer; the service's "no" as the cell's refusal. */
export function whenFound<T>(answer: Answer<T>, read: (value: T) => Shown): Shown {
  return answer.found ? read(answer.value) : refusalOf(answer.error);
}

function safely<T>(work: () => T): T | Refusal {
  try {
    return work();
  } catch (error) {
    return refusalOf(toInvError(error));
  }
}
