/**
 * A function from the rule of its places. A formula of single values takes the short way; ranges are laid out
 * over their common shape, and every place asks in one turn, row by row.
 */
import { isInvError, toInvError } from "../domain/errors";
import type { Outcome, Waiter } from "../engine/answer";
import { end, endOne, inItsTurn, refuse, type Run } from "./calculate";
import { noteFailure, type Call } from "./call";
import { takeSingle, cellAt, leftOut } from "./grid";
import type { Shown } from "./present";
import { layOut, type Layout, type QueryAt } from "./queries";
import { shownAtOnce, shownOf, type AnyRule, type Rule } from "./rule";
import { calculateSingle } from "./single-place";
import { givenText, isRefusal, refusalOf } from "./values";

/** A function with one value for each place of its ranges. */
export function ofEachPlace<Name extends string, Question, Value>(
  rule: Rule<Name, Question, Value>,
): Run<Name | "store"> {
  return (given, call) => {
    if (takeSingle(given)) {
      calculateSingle(rule, given, call);
      return;
    }
    inItsTurn(call, () => {
      const layout = layOut(given);
      if (isInvError(layout)) endOne(call, refuse(call, refusalOf(layout)));
      else calculateGrid(rule, layout, call);
    });
  };
}

/** A range formula while some of its places wait. */
interface Result {
  readonly call: Call;
  readonly rule: AnyRule;
  readonly grids: Layout<string>["grids"];
  readonly questionAt: QueryAt<unknown>;
  readonly shown: Shown[][];
  open: number;
}

/** One of its places. */
interface Place extends Waiter<unknown> {
  readonly result: Result;
  readonly question: unknown;
  readonly row: number;
  readonly col: number;
}

function calculateGrid(rule: AnyRule, { shape, grids }: Layout<string>, call: Call): void {
  const { rows, cols } = shape;
  const shown = Array.from({ length: rows }, () => new Array<Shown>(cols).fill(""));
  const questionAt = rule.spread(grids, call);
  const result: Result = { call, rule, grids, questionAt, shown, open: rows * cols };
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) askAt(result, row, col);
  }
}

function askAt(result: Result, row: number, col: number): void {
  const { rule, call } = result;
  let shown: Shown | null;
  try {
    const question = result.questionAt(row, col);
    const place: Place = { next: null, ended: endPlace, result, question, row, col };
    shown = shownAtOnce(rule, { question, call }, place);
  } catch (error) {
    shown = refusalOf(toInvError(error));
  }
  if (shown !== null) settle({ result, row, col }, shown);
}

function endPlace(this: Place, outcome: Outcome<unknown>): void {
  const { question, result } = this;
  settle(this, shownOf(result.rule, { question, call: result.call, outcome }));
}

function settle({ result, row, col }: Pick<Place, "result" | "row" | "col">, shown: Shown): void {
  const { call, grids, rule } = result;
  (result.shown[row] as Shown[])[col] = shown;
  // Whatever happens to one place, the formula must not stay #BUSY!.
  try {
    if (isRefusal(shown)) {
      const store = givenText(cellAt(grids.store ?? leftOut, row, col));
      const item = givenText(cellAt(grids[rule.item] ?? leftOut, row, col));
      noteFailure(call, shown, { row, col, store, item });
    }
  } finally {
    result.open--;
    if (result.open === 0) end(call, result.shown);
  }
}
