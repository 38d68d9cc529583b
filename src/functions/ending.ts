/**
 * How a calculation ends: its result is measured, waits if it would exceed Excel's message limit, is reported to the cell register and
 * leaves for the host. A result that is known at once is returned; a later one goes to `resolve`.
 * Invariant: whatever the register or the host throws, the result leaves.
 */
import type { CellReport } from "../cells/cell-register";
import { toInvError } from "../domain/errors";
import type { FunctionContext } from "./context";
import { bytesOf, contentOf, present, tooLargeRefusal, type CellResult, type ResultHost } from "./present";
import { envelopeBytes, type WaitingResult } from "./result-throttle";
import { refusalOf, type Refusal } from "./argument-values";

/** What the host gets. It rejects only with the host's error. */
export type Result = unknown[][] | Promise<never>;

export interface OpenCalculation {
  readonly context: FunctionContext;
  readonly report: CellReport;
  /** Set once the result is late. */
  resolve: ((result: Result) => void) | null;
}

/** Returns the result if it may leave now. Otherwise returns null, and it leaves later. */
export function end(calculation: OpenCalculation, shown: CellResult[][]): Result | null {
  const bytes = envelopeBytes + bytesOf(shown);
  const tooLarge = tooLargeRefusal(shown, bytes);
  if (tooLarge !== null) return refuse(calculation, tooLarge);
  const { throttle } = calculation.context;
  if (throttle.tryRelease(bytes)) return leave(calculation, shown);
  throttle.hold(new HeldResult(bytes, calculation, shown));
  return null;
}

/** Ends it without a value for any place. The problem list then names no item. */
export function refuse(calculation: OpenCalculation, refusal: Refusal): Result | null {
  calculation.report.failed(refusal.error);
  return end(calculation, [[refusal]]);
}

/** Ends it after an error that nobody expected. */
export function breakOff({ context, report }: OpenCalculation, reason: unknown): Result {
  const error = toInvError(reason);
  try {
    report.failed(error);
    report.settled();
  } catch {
    // The report is only for the pane. Without it the formula must not stay #BUSY!.
  }
  return resultOf([[refusalOf(error)]], context);
}

/** Reports only on release, because until then the value isn't in the sheet. */
function leave({ context, report }: OpenCalculation, shown: CellResult[][]): Result {
  try {
    report.settled(contentOf(shown));
  } catch {
    // As above.
  }
  return resultOf(shown, context);
}

export function resultOf(shown: CellResult[][], host: ResultHost): Result {
  try {
    return present(shown, host);
  } catch (hostError) {
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- It is the host's own class.
    return Promise.reject(hostError);
  }
}

/** A class, because a closure in `end` would cost every result memory, even those that leave at once. */
class HeldResult implements WaitingResult {
  constructor(
    readonly bytes: number,
    private readonly calculation: OpenCalculation,
    private readonly shown: CellResult[][],
  ) {}

  release(): void {
    this.calculation.resolve?.(leave(this.calculation, this.shown));
  }
}
