/**
 * The short way of a formula whose every argument is one value, as most of a sheet's are: from its arguments to
 * the engine without grids, with one promise of its own and one plain record while it waits, since sheets
 * make 100,000 of them at once. What is asked and shown is the rule's.
 */
import { toInvError } from "../domain/errors";
import { endAtOnce, endOne } from "./calculate";
import { noteFailure, previewPlaceholder, type Call } from "./call";
import { only } from "./grid";
import { isAnswer, shownOf, type AnyRule } from "./rule";
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
      // Bound to its record, and the same for both ends: closures of its own would be four times as large.
      const end = endWaiting.bind(waiting);
      return asked.then(end, end);
    }
    refusal = question;
  } catch (error) {
    refusal = refusalOf(toInvError(error));
  }
  noteRefusal(call, refusal, { store, item });
  return endAtOnce(call, refusal);
}

/** Ends with an answer, or with the reason why none came. */
function endWaiting(this: Waiting, outcome: unknown): unknown[][] {
  const shown = isAnswer(outcome)
    ? shownOf(this.rule, { answer: outcome, question: this.question, call: this })
    : refusalOf(toInvError(outcome));
  if (isRefusal(shown)) noteRefusal(this, shown, this);
  return endOne(this, shown);
}

function noteRefusal(
  call: Call,
  refusal: Refusal,
  { store, item }: { readonly store: unknown; readonly item: unknown },
): void {
  noteFailure(call, refusal, { row: 0, col: 0, store: givenText(store), item: givenText(item) });
}
