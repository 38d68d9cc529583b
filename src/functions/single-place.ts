/**
 * The short way of a formula whose every argument is one value, as most of a sheet's are: from its arguments to
 * the engine without grids, and one plain record while it waits, since sheets make 100,000 of them at once.
 * What is asked and shown is the rule's.
 */
import { toInvError } from "../domain/errors";
import type { Outcome, Waiter } from "../engine/answer";
import { endOne } from "./calculate";
import { beginCall, noteFailure, type Call } from "./call";
import type { Shown } from "./present";
import { shownAtOnce, shownOf, type AnyRule } from "./rule";
import type { LateCall } from "./time-slices";
import { givenText, isRefusal, refusalOf } from "./values";

/** @param given the values, taken out of their matrices */
export function calculateSingle(rule: AnyRule, given: Given, call: Call): void {
  const { store } = given;
  const item = given[rule.item];
  const single: Single = { next: null, begin, ended, call, rule, given, question: null, store, item };
  call.session.timeSlices.begin(single);
}

type Given = Readonly<Record<string, unknown>>;

/** Such a formula until it ends. */
interface Single extends LateCall, Waiter<unknown> {
  readonly call: Call;
  readonly rule: AnyRule;
  /** Until it begins. */
  given: Given | null;
  /** What it has asked. */
  question: unknown;
  /** As given. */
  readonly store: unknown;
  readonly item: unknown;
}

function begin(this: Single): void {
  const { call, rule, given } = this;
  let shown: Shown | null;
  try {
    beginCall(call);
    this.question = rule.single(given ?? {}, call);
    this.given = null;
    shown = shownAtOnce(rule, this, this);
  } catch (error) {
    shown = refusalOf(toInvError(error));
  }
  if (shown !== null) finish(this, shown);
}

function ended(this: Single, outcome: Outcome<unknown>): void {
  const { rule, question, call } = this;
  finish(this, shownOf(rule, { question, call, outcome }));
}

function finish({ call, store, item }: Single, shown: Shown): void {
  if (isRefusal(shown)) {
    noteFailure(call, shown, { row: 0, col: 0, store: givenText(store), item: givenText(item) });
  }
  endOne(call, shown);
}
