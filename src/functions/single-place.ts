/**
 * The short way of a formula whose every argument is one value, as most of a sheet's are: from its arguments to
 * the engine without grids, with one promise of its own and one plain record while it waits, since sheets
 * make 100,000 of them at once. What is asked and shown is the rule's.
 */
import { toInvError } from "../domain/errors";
import type { Answer } from "../engine/types";
import { endAtOnce, endOne } from "./calculate";
import { noteFailure, previewPlaceholder, type Call } from "./call";
import { only } from "./grid";
import type { Shown } from "./present";
import { shownOf, type AnyRule } from "./rule";
import { givenText, isRefusal, refusalOf, type Refusal } from "./values";

/** A call that waits for its answer. */
interface Waiting extends Call {
  readonly rule: AnyRule;
  readonly question: unknown;
  /** As given. */
  readonly store: unknown;
  readonly item: unknown;
}

export function calculateSingle(
  rule: AnyRule,
  given: Readonly<Record<string, unknown>>,
  call: Call,
): Promise<unknown[][]> {
  const store = only(given.store);
  const item = only(given[rule.item]);
  let refusal: Refusal;
  try {
    const question = rule.single(given, call);
    if (question === null) return endAtOnce(call, "");
    if (!isRefusal(question)) {
      const asked = rule.ask(question, call);
      if (asked === null) return endAtOnce(call, previewPlaceholder);
      const { session, report } = call;
      const waiting: Waiting = { session, report, rule, question, store, item };
      // Bound to their record: a closure of its own would be twice as large.
      return asked.then(endAnswered.bind(waiting), endUnanswered.bind(waiting));
    }
    refusal = question;
  } catch (error) {
    refusal = refusalOf(toInvError(error));
  }
  noteRefusal(call, refusal, { store, item });
  return endAtOnce(call, refusal);
}

function endAnswered(this: Waiting, answer: Answer<unknown>): unknown[][] {
  return endWaiting(this, shownOf(this.rule, { answer, question: this.question, call: this }));
}

function endUnanswered(this: Waiting, error: unknown): unknown[][] {
  return endWaiting(this, refusalOf(toInvError(error)));
}

function endWaiting(waiting: Waiting, shown: Shown): unknown[][] {
  if (isRefusal(shown)) noteRefusal(waiting, shown, waiting);
  return endOne(waiting, shown);
}

function noteRefusal(
  call: Call,
  refusal: Refusal,
  { store, item }: { readonly store: unknown; readonly item: unknown },
): void {
  noteFailure(call, refusal, { row: 0, col: 0, store: givenText(store), item: givenText(item) });
}
