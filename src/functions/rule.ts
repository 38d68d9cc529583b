/**
 * A function with one value for each place of its result, told by the rule of one place: what it asks, and what
 * it shows of the answer. The same rule serves a formula of one place (`single`) and a range formula (`spread`).
 */
import { toInvError } from "../domain/errors";
import type { Answer } from "../engine/types";
import { noteAnswer, type Call } from "./call";
import type { Arguments } from "./host";
import type { Shown } from "./present";
import type { Asked, Layout, QueryAt } from "./queries";
import { refusalOf } from "./values";

export interface Rule<Name extends string, Question, A extends Answer<unknown>> {
  /** The argument that names the item. */
  readonly item: Name;
  /** What is asked where each argument is one value. */
  single(given: Arguments<Name | "store">, call: Call): Asked<Question>;
  /** The same for each place of ranges; every argument cell is read once, however often it stretches. */
  spread(grids: Layout<Name | "store">["grids"], call: Call): QueryAt<Question>;
  /** Null where this is a preview and the answer is not at hand. */
  ask(question: Question, call: Call): Promise<A> | null;
  show(answer: A, question: Question): Shown;
}

/** A rule whose questions and answers only it knows. */
export type AnyRule = Rule<string, unknown, Answer<unknown>>;

/** What a place shows of an answer; reading it never throws, since no place may stay #BUSY!. */
export function shownOf(
  rule: AnyRule,
  {
    answer,
    question,
    call,
  }: { readonly answer: Answer<unknown>; readonly question: unknown; readonly call: Call },
): Shown {
  try {
    noteAnswer(call, answer);
    return rule.show(answer, question);
  } catch (error) {
    return refusalOf(toInvError(error));
  }
}

/** Whether a promise of the engine ended with an answer, the service's "no" included; else with a reason. */
export function isAnswer(outcome: unknown): outcome is Answer<unknown> {
  return typeof outcome === "object" && outcome !== null && "found" in outcome;
}

/** The value of a found answer; the service's "no" as the cell's refusal. */
export function whenFound<T>(answer: Answer<T>, read: (value: T) => Shown): Shown {
  return answer.found ? read(answer.value) : refusalOf(answer.error);
}
