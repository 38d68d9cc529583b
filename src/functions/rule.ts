/**
 * What tells one function from another: its rule. A rule is one question, read from the cells of one place; how it
 * is asked; and what the place shows of the answer. It serves a formula of one value and a range formula alike,
 * since what a place reads, asks and shows does not depend on how many places there are (`places`).
 */
import { InvError, toInvError } from "../domain/errors";
import { diagnoseGtin } from "../domain/gtin-hints";
import type { Query } from "../domain/records";
import type { CellCall } from "../cells/cell-register";
import type { Answer, Outcome, Waiter } from "../engine/answer";
import type { Shown } from "./present";
import type { Cells } from "./queries";
import type { FunctionSession } from "./session";
import { refusalOf, type Read, type Refusal } from "./values";

/** One calculation of one INV formula, as its rule sees it. */
export interface Formula {
  readonly session: FunctionSession;
  /** What the cell register is told of it; nothing in a preview. */
  readonly report: CellCall;
  /** Of a part of a formula: nothing is asked that would cost a call. */
  readonly isPreview: boolean;
}

/** What is asked for, with how the function shows the answer. */
export type Question = Query | { readonly query: Query };

export interface AskingRule<Name extends string, Asked extends Question, Value> {
  /** The argument that names the item. */
  readonly item: Name;
  /** Whether the result is a table of one item, so that each argument must be one value. */
  readonly isTable?: boolean;
  /** What is asked, why it cannot be, or null where store or item is blank. */
  question(cells: Cells<Name>, formula: Pick<Formula, "session">): Read<Asked>;
  ask(question: Asked, formula: Formula, waiter: Waiter<Value>): Asking<Value>;
  /** One value; rows where the result is a table. */
  show(answer: Answer<Value>, question: Asked, formula: Formula): Shown | Shown[][];
}

/** A function that asks nobody. */
export interface TellingRule<Name extends string> {
  readonly isTable: true;
  tell(cells: Cells<Name>, formula: Formula): Shown | Shown[][];
}

/** A rule whose questions and answers only it knows. */
export type Rule<Name extends string> = AskingRule<Name, Question, unknown> | TellingRule<Name>;

/**
 * What asking comes to: an outcome; or the waiter will be told of it; or this is a preview, and the answer is
 * not at hand.
 */
export type Asking<T> = Outcome<T> | "waits" | "preview";

/** What is fetched as a promise: the waiter is told how that ends. Null in a preview. */
export function telling<T>(waiter: Waiter<T>, fetched: Promise<Answer<T>> | null): Asking<T> {
  if (fetched === null) return "preview";
  fetched.then(
    (answer) => waiter.settle(answer),
    (error: unknown) => waiter.settle(toInvError(error)),
  );
  return "waits";
}

/**
 * The service's "no" as the cell's refusal. A GTIN that the supplier does not have and whose check digit is not
 * valid is most likely a typing error; only a hint beside the reason, since retailers use such GTINs too.
 */
export function refusalOfNo(error: InvError, query: Query): Refusal {
  const { code, message, details } = error;
  const gtin = code === "not-mapped" ? gtinOf(query) : null;
  const findings = gtin === null ? [] : diagnoseGtin(gtin).findings;
  const wrong = findings.find(({ fault }) => fault === "wrong-check-digit");
  if (wrong === undefined) return refusalOf(error);
  const hint = `Its check digit is not valid: was "${wrong.suggestion ?? ""}" meant?`;
  return refusalOf(new InvError(code, `${message}. ${hint}`, details));
}

function gtinOf(query: Query): string | null {
  if ("gtin" in query) return query.gtin;
  return query.itemType === "gtin" ? query.value : null;
}
