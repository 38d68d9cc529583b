/**
 * A function with one value for each place of its result, told by the rule of one place: what it asks, and what
 * it shows of the answer. The same rule serves a formula of one place (`single`) and a range formula (`spread`).
 */
import { toInvError } from "../domain/errors";
import { type Answer, isAnswered, type Outcome, type Waiter } from "../engine/answer";
import { noteAnswer, previewPlaceholder, type Asking, type Call } from "./call";
import type { Arguments } from "./host";
import type { Shown } from "./present";
import type { Asked, Layout, QueryAt } from "./queries";
import { isRefusal, refusalOf } from "./values";

export interface Rule<Name extends string, Question, Value> {
  /** The argument that names the item. */
  readonly item: Name;
  /** What is asked where each argument is one value, without its matrix. */
  single(given: Arguments<Name | "store">, call: Call): Asked<Question>;
  /** The same for each place of ranges; every argument cell is read once, however often it stretches. */
  spread(grids: Layout<Name | "store">["grids"], call: Call): QueryAt<Question>;
  ask(question: Question, call: Call, waiter: Waiter<Value>): Asking<Value>;
  show(answer: Answer<Value>, question: Question): Shown;
}

/** A rule whose questions and answers only it knows. */
export type AnyRule = Rule<string, unknown, unknown>;

/** What a place asks; null where there is nothing to ask, or why it cannot. */
interface Questioned {
  readonly question: unknown;
  readonly call: Call;
}

/** The same, and how it ended. */
interface Ended extends Questioned {
  readonly outcome: Outcome<unknown>;
}

/** Asks for a place. What it shows, where that is known at once; else null, and its waiter is told. */
export function shownAtOnce(rule: AnyRule, place: Questioned, waiter: Waiter<unknown>): Shown | null {
  const { question, call } = place;
  if (question === null) return "";
  if (isRefusal(question)) return question;
  const asking = rule.ask(question, call, waiter);
  if (asking === "waits") return null;
  return asking === "preview" ? previewPlaceholder : shownOf(rule, { question, call, outcome: asking });
}

/** What a place shows in the end; reading an answer never throws, since no place may stay #BUSY!. */
export function shownOf(rule: AnyRule, { question, call, outcome }: Ended): Shown {
  if (!isAnswered(outcome)) return refusalOf(outcome);
  try {
    noteAnswer(call, outcome);
    return rule.show(outcome, question);
  } catch (error) {
    return refusalOf(toInvError(error));
  }
}

/** The value of a found answer; the service's "no" as the cell's refusal. */
export function whenFound<T>(answer: Answer<T>, read: (value: T) => Shown): Shown {
  return answer.found ? read(answer.value) : refusalOf(answer.error);
}
