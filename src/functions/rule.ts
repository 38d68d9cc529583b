/**
 * A function's rule: which query it asks at each place of its result, how it asks, and what the place shows of the answer. The
 * same rule serves a formula of one value and a range formula (`places`).
 */
import { InvError, toInvError } from "../domain/errors";
import { diagnoseGtin } from "../domain/gtin-hints";
import type { Query } from "../domain/records";
import type { CellCall } from "../cells/cell-register";
import type { Answer, Outcome, Waiter } from "../engine/answer";
import type { CellResult } from "./present";
import type { Cells } from "./queries";
import type { FunctionSession } from "./session";
import { refusalOf, type ReadResult, type Refusal } from "./values";

/** The arguments at one place, and the session that reads them. */
export interface SessionCells<Name extends string> extends Cells<Name> {
  readonly session: FunctionSession;
}

/** One calculation of one INV formula, as its rule sees it. */
export interface Formula<Name extends string = never> extends SessionCells<Name> {
  /** Reports to the cell register; in a preview it reports nothing. */
  readonly report: CellCall;
  /** Whether Excel calculates only a part of a formula. Nothing is asked then that would cost a call. */
  readonly isPreview: boolean;
}

/** A query, with how the function shows its answer. */
export type Question = Query | { readonly query: Query };

export interface QueryRule<Name extends string, Asked extends Question, Value> {
  /** The argument that names the item. */
  readonly item: Name;
  /** Whether the result is a table of one item, so that each argument must be one value. */
  readonly isTable?: boolean;
  /** Returns the question at this place, why there can't be one, or null if store or item is blank. */
  question(cells: SessionCells<Name>): ReadResult<Asked>;
  ask(question: Asked, formula: Formula, waiter: Waiter<Value>): AskOutcome<Value>;
  /** Returns one value, or rows if the result is a table. */
  show(answer: Answer<Value>, question: Asked, formula: Formula): CellResult | CellResult[][];
}

/** A function that shows what INV itself knows. */
export interface FactRule<Name extends string> {
  readonly isTable: true;
  show(formula: Formula<Name>): CellResult | CellResult[][];
}

/** A rule whose questions and answers only it knows. */
export type Rule<Name extends string> = QueryRule<Name, Question, unknown> | FactRule<Name>;

/** The outcome, if it is known now. Otherwise the waiter is settled later, or, in a preview, nothing is asked. */
export type AskOutcome<T> = Outcome<T> | "waits" | "preview";

/** Settles the waiter when the promise ends. The promise is null in a preview. */
export function settleLater<T>(waiter: Waiter<T>, fetched: Promise<Answer<T>> | null): AskOutcome<T> {
  if (fetched === null) return "preview";
  fetched.then(
    (answer) => waiter.settle(answer),
    (error: unknown) => waiter.settle(toInvError(error)),
  );
  return "waits";
}

/**
 * Returns the refusal for the service's "no such value". A GTIN that the supplier doesn't have and whose check digit is wrong is
 * most likely a typing error. This is only a hint beside the reason, because retailers use such GTINs too.
 */
export function noSuchValueRefusal(error: InvError, query: Query): Refusal {
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
