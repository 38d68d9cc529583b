/**
 * Calculates a formula: takes the host's call and returns a promise of a matrix. A calculation waits for the add-in's start, then
 * asks for each place of its result (`places.ts`). A function that a sheet calls 100,000 times has no closure in it, because its
 * variables would then cost memory at each call.
 * Invariant: the promise settles, and it rejects only with the host's error. Nothing throws, because the caller has other
 * calculations to begin or settle.
 */
import { beginWhenStarted, currentContext } from "./context";
import { breakOff, type OpenCalculation, refuse, type Result, resultOf } from "./ending";
import { previewPlaceholder, RangeCalculation, silentReport, SingleCalculation } from "./places";
import { type Arguments, layOutArguments, RangePlaces, SinglePlace } from "./queries";
import type { Rule } from "./rule";
import { refusalOf } from "./argument-values";

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
  if (misplaced !== null) return calculate({ ...given, [misplaced]: null }, given[misplaced], rule);
  const isPreview = isPreviewInvocation(invocation);
  if (isPreview && isRuleInvocation(invocation)) {
    invocation.receiveRule(rule, given);
    return Promise.resolve([]);
  }
  // Read before the first await, because the address was seen to change after one (reported for Excel on the web).
  const address = isPreview ? null : addressOf(invocation);
  const context = currentContext();
  if (context === null) {
    return isPreview ? Promise.resolve([[previewPlaceholder]]) : calculateLater(given, address, rule);
  }
  let report = silentReport;
  try {
    if (!isPreview) report = context.cells.begin(address, context.environmentId());
    const places = layOutArguments(given, context);
    if (places instanceof SinglePlace) {
      const calculation = new SingleCalculation(rule, context, report);
      return promiseOf(calculation.run(places), calculation);
    }
    if (places instanceof RangePlaces) {
      const calculation = new RangeCalculation(rule, context, report);
      return promiseOf(calculation.run(places), calculation);
    }
    const refused: OpenCalculation = { context, report, resolve: null };
    return promiseOf(refuse(refused, refusalOf(places)), refused);
  } catch (error) {
    return Promise.resolve(breakOff({ context, report, resolve: null }, error));
  }
}

/** @param result null if it comes later */
function promiseOf(result: Result | null, calculation: OpenCalculation): Promise<unknown[][]> {
  return result === null ? laterResult(calculation) : Promise.resolve(result);
}

function laterResult(calculation: OpenCalculation): Promise<unknown[][]> {
  return new Promise((resolve) => (calculation.resolve = resolve));
}

/** Calculates the formula when the add-in has started. */
function calculateLater<Name extends string>(
  given: NoInfer<Arguments<Name>>,
  address: string | null,
  rule: Rule<Name>,
): Promise<unknown[][]> {
  return new Promise((resolve) => {
    beginWhenStarted({
      addInStarted: () => resolve(calculate(given, { address }, rule)),
      addInFailed: (failure) => resolve(resultOf([[refusalOf(failure.error)]], failure)),
    });
  });
}

/** A preview passes this instead of the host's Invocation, to get a formula's rule and arguments without calculating. */
export interface RuleInvocation {
  readonly isInValuePreview: true;
  receiveRule(rule: Rule<string>, given: Arguments<string>): void;
}

function isRuleInvocation(invocation: unknown): invocation is RuleInvocation {
  return isObject(invocation) && "receiveRule" in invocation;
}

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

/** Returns the address of the cell, or null if the host doesn't provide it. */
function addressOf(invocation: unknown): string | null {
  const address: unknown = isObject(invocation) ? Reflect.get(invocation, "address") : null;
  return typeof address === "string" && address !== "" ? address : null;
}

function isPreviewInvocation(invocation: unknown): boolean {
  // The type definitions declare a text, the documentation a boolean.
  return isObject(invocation) && Boolean(Reflect.get(invocation, "isInValuePreview"));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Whether the host passed this value as the Invocation. */
function isInvocation(value: unknown): value is object {
  if (!isObject(value) || Array.isArray(value)) return false;
  // Data types are objects too, and a picture's has an address of its own.
  if ("basicType" in value || "basicValue" in value) return false;
  return "address" in value || invocationMembers.some((member) => member in value);
}
