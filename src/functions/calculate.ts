/**
 * Calculates a formula: takes the host's call and returns a promise of a matrix. A calculation waits for the add-in's start, then
 * asks for each place of its result. When the last place has settled, the promise resolves. All of its state is one object, because
 * a sheet may start 100,000 calculations at once.
 * Invariant: the promise settles, and it rejects only with the host's error. No call of a calculation throws, because the caller has
 * other calculations to begin or settle.
 */
import type { CellReport } from "../cells/cell-register";
import type { Query } from "../domain/records";
import { type InvError, isInvError, toInvError } from "../domain/errors";
import type { Outcome, Waiter } from "../engine/types";
import { onePlace, type Shape } from "./grid";
import { envelopeBytes } from "./result-throttle";
import { askPlaces, previewPlaceholder, settleOnlyPlace, type PlacedCalculation } from "./places";
import { bytesOf, contentOf, present, tooLargeRefusal, type CellResult, type ResultHost } from "./present";
import { layOutArguments, type Arguments } from "./queries";
import type { Rule } from "./rule";
import {
  currentContext,
  beginWhenStarted,
  type PendingCalculation,
  type FailedStart,
  type FunctionContext,
} from "./context";
import { refusalOf, type Refusal } from "./argument-values";

/**
 * Calculates one formula.
 * @param given the arguments by name; the Invocation may be among them
 * @param invocation what the host appended to the arguments
 * @returns the matrix; a scalar error is thrown, so that its text reaches the cell
 */
export function calculate<Name extends string>(
  given: NoInfer<Arguments<Name>>,
  invocation: unknown,
  rule: Rule<Name>,
): Promise<unknown[][]> {
  const misplaced = isInvocation(invocation) ? null : misplacedInvocation<Name>(given);
  const hostInvocation = misplaced === null ? invocation : given[misplaced];
  const ownArguments = misplaced === null ? given : { ...given, [misplaced]: null };
  const calculation = new FormulaCalculation(rule, ownArguments, hostInvocation);
  if (calculation.isPreview && isRuleInvocation(hostInvocation)) {
    hostInvocation.receiveRule(rule, ownArguments);
    return Promise.resolve([]);
  }
  return calculation.run();
}

/** A preview passes this instead of the host's Invocation, to get a formula's rule and arguments without calculating. */
export interface RuleInvocation {
  readonly isInValuePreview: true;
  receiveRule(rule: Rule<string>, given: Arguments<string>): void;
}

function isRuleInvocation(invocation: unknown): invocation is RuleInvocation {
  return typeof invocation === "object" && invocation !== null && "receiveRule" in invocation;
}

class FormulaCalculation implements PlacedCalculation, PendingCalculation {
  // `declare` avoids initializing the fields twice.
  declare readonly rule: Rule<string>;
  declare private readonly address: string | null;
  declare readonly isPreview: boolean;
  declare readonly given: Arguments<string>;
  declare shape: Shape;
  declare row: number;
  declare col: number;
  declare readValues: PlacedCalculation["readValues"];
  declare range: PlacedCalculation["range"];
  declare query: Query | null;
  // For the engine's list of waiters.
  declare next: Waiter<unknown> | null;
  declare epoch: number;
  declare report: CellReport;
  declare context: FunctionContext;
  /** Set if the result is ready before `run` returns, as with most cached values. */
  declare private result: Promise<unknown[][]> | null;
  declare private resolve: ((result: unknown[][] | Promise<never>) => void) | null;

  constructor(rule: Rule<string>, given: Arguments<string>, invocation: unknown) {
    this.rule = rule;
    const isObject = typeof invocation === "object" && invocation !== null;
    // Read before the first await, because the address was seen to change after one (reported for Excel on the web).
    const address: unknown = isObject ? Reflect.get(invocation, "address") : null;
    this.address = typeof address === "string" && address !== "" ? address : null;
    // The type definitions declare a text, the documentation a boolean.
    this.isPreview = isObject && Boolean(Reflect.get(invocation, "isInValuePreview"));
    this.given = given;
    this.shape = onePlace;
    this.row = 0;
    this.col = 0;
    this.readValues = null;
    this.range = null;
    this.query = null;
    this.next = null;
    this.epoch = 0;
    this.report = silent;
    this.result = null;
    this.resolve = null;
  }

  /** Returns the host's promise. */
  run(): Promise<unknown[][]> {
    if (this.isPreview && currentContext() === null) return Promise.resolve([[previewPlaceholder]]);
    beginWhenStarted(this);
    return this.result ?? new Promise((resolve) => (this.resolve = resolve));
  }

  addInStarted(context: FunctionContext): void {
    this.context = context;
    try {
      this.begin(context);
    } catch (error) {
      this.breakOff(error);
    }
  }

  private begin(context: FunctionContext): void {
    const { address, given } = this;
    let shape: Shape | InvError;
    try {
      if (!this.isPreview) this.report = context.cells.begin(address, context.environmentId());
      shape = layOutArguments(given);
    } catch (error) {
      shape = toInvError(error);
    }
    if (isInvError(shape)) {
      this.refuse(refusalOf(shape));
      return;
    }
    this.shape = shape;
    if (shape !== onePlace) this.readValues = new Map();
    askPlaces(this);
  }

  addInFailed(failure: FailedStart): void {
    this.present([[refusalOf(failure.error)]], failure);
  }

  /** Called with the outcome of the only place. */
  settle(outcome: Outcome<unknown>): void {
    try {
      settleOnlyPlace(this, outcome);
    } catch (error) {
      this.breakOff(error);
    }
  }

  breakOff(reason: unknown): void {
    const error = toInvError(reason);
    this.present([[refusalOf(error)]], this.context);
    this.tryReport(() => {
      this.report.failed(error);
      this.report.settled();
    });
  }

  refuse(refusal: Refusal): void {
    this.report.failed(refusal.error);
    this.end([[refusal]]);
  }

  end(shown: CellResult[][]): void {
    const bytes = envelopeBytes + bytesOf(shown);
    const tooLarge = tooLargeRefusal(shown, bytes);
    const { throttle } = this.context;
    if (tooLarge !== null) this.refuse(tooLarge);
    else if (throttle.tryRelease(bytes)) this.leave(shown);
    else throttle.hold({ bytes, release: () => this.leave(shown) });
  }

  /** Reports only on release, because until then the value isn't in the sheet. */
  private leave(shown: CellResult[][]): void {
    this.tryReport(() => this.report.settled(contentOf(shown)));
    this.present(shown, this.context);
  }

  private tryReport(tell: () => void): void {
    try {
      tell();
    } catch {
      // The report is only for the pane. Without it the formula must not stay #BUSY!.
    }
  }

  private present(shown: CellResult[][], host: ResultHost): void {
    let result: unknown[][] | Promise<never>;
    try {
      result = present(shown, host);
    } catch (hostError) {
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- It is the host's own class.
      result = Promise.reject(hostError);
    }
    if (this.resolve === null) this.result = Promise.resolve(result);
    else this.resolve(result);
  }
}

const ignore = (): void => undefined;
/** The report of a preview, and of a calculation that hasn't begun. */
const silent: CellReport = {
  address: null,
  requests: ignore,
  answered: ignore,
  showsAge: ignore,
  failed: ignore,
  settled: ignore,
};

/**
 * Returns the argument in whose place the Invocation is, or null. Excel appends the Invocation to the arguments in its metadata,
 * which may be up to a day older than this code.
 */
function misplacedInvocation<Name extends string>(given: Arguments<Name>): Name | null {
  for (const name in given) if (isInvocation(given[name])) return name;
  return null;
}

const invocationMembers = [
  "functionName",
  "isInValuePreview",
  "parameterAddresses",
  "onCanceled",
  "setResult",
];

/** Whether the host passed this value as the Invocation. */
function isInvocation(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  // Data types are objects too, and a picture's has an address of its own.
  if ("basicType" in value || "basicValue" in value) return false;
  return "address" in value || invocationMembers.some((member) => member in value);
}
