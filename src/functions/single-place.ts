/**
 * The short way of a formula whose every argument is one value, as most of a sheet's are: from its arguments to
 * the engine without grids, and one plain record while it waits, since sheets make 100,000 of them at once.
 * What is asked and shown is the rule's.
 */
import { toInvError } from "../domain/errors";
import type { Outcome, Waiter } from "../engine/waiter";
import { endOne } from "./calculate";
import { noteFailure, previewPlaceholder, type Call } from "./call";
import { only } from "./grid";
import type { Shown } from "./present";
import { shownOf, type AnyRule } from "./rule";
import { givenText, isRefusal, refusalOf } from "./values";

export function calculateSingle(rule: AnyRule, given: Readonly<Record<string, unknown>>, call: Call): void {
  const store = only(given.store);
  const item = only(given[rule.item]);
  let shown: Shown = "";
  try {
    const question = rule.single(given, call);
    if (isRefusal(question)) shown = question;
    else if (question !== null) {
      const waiting: Waiting = { next: null, ended: endWaiting, call, rule, question, store, item };
      const asking = rule.ask(question, call, waiting);
      if (asking === "waits") return;
      shown = asking === "preview" ? previewPlaceholder : shownOf(rule, { question, call, outcome: asking });
    }
  } catch (error) {
    shown = refusalOf(toInvError(error));
  }
  finish({ call, store, item }, shown);
}

/** A call that waits for its answer. */
interface Waiting extends Waiter<unknown> {
  readonly call: Call;
  readonly rule: AnyRule;
  readonly question: unknown;
  /** As given. */
  readonly store: unknown;
  readonly item: unknown;
}

function endWaiting(this: Waiting, outcome: Outcome<unknown>): void {
  const { rule, question, call } = this;
  finish(this, shownOf(rule, { question, call, outcome }));
}

function finish({ call, store, item }: Pick<Waiting, "call" | "store" | "item">, shown: Shown): void {
  if (isRefusal(shown)) {
    noteFailure(call, shown, { row: 0, col: 0, store: givenText(store), item: givenText(item) });
  }
  endOne(call, shown);
}
