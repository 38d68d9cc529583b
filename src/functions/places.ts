/**
 * A function from the rule of its places. A formula of single values takes the short way; ranges are laid out
 * over their common shape, and every place asks in one turn, row by row.
 */
import { isInvError, toInvError } from "../domain/errors";
import type { Answer } from "../engine/types";
import { endAtOnce, ending, refuse, type Run } from "./calculate";
import { noteFailure, previewPlaceholder, type Call } from "./call";
import { areSingle, cellAt, leftOut } from "./grid";
import type { Shown } from "./present";
import { layOut, type Layout, type QueryAt } from "./queries";
import { isAnswer, shownOf, type AnyRule, type Rule } from "./rule";
import { calculateSingle } from "./single-place";
import { givenText, isRefusal, refusalOf } from "./values";

/** A function with one value for each place of its ranges. */
export function ofEachPlace<Name extends string, Question, A extends Answer<unknown>>(
  rule: Rule<Name, Question, A>,
): Run<Name | "store"> {
  return (given, call) => {
    if (areSingle(given)) return calculateSingle(rule, given, call);
    const layout = layOut(given);
    if (isInvError(layout)) return endAtOnce(call, refuse(call, refusalOf(layout)));
    return ending(call, calculateGrid(rule, layout, call));
  };
}

/** A range formula while some of its places wait. */
interface Result {
  readonly call: Call;
  readonly rule: AnyRule;
  readonly grids: Layout<string>["grids"];
  readonly questionAt: QueryAt<unknown>;
  readonly shown: Shown[][];
  readonly resolve: (shown: Shown[][]) => void;
  open: number;
}

/** One that waits. */
interface Place {
  readonly result: Result;
  readonly question: unknown;
  readonly row: number;
  readonly col: number;
}

function calculateGrid(rule: AnyRule, { shape, grids }: Layout<string>, call: Call): Promise<Shown[][]> {
  const { rows, cols } = shape;
  const shown = Array.from({ length: rows }, () => new Array<Shown>(cols).fill(""));
  const questionAt = rule.spread(grids, call);
  return new Promise((resolve) => {
    const result: Result = { call, rule, grids, questionAt, shown, resolve, open: rows * cols };
    for (let row = 0; row < rows; row++) {
      for (let col = 0; col < cols; col++) askAt(result, row, col);
    }
  });
}

function askAt(result: Result, row: number, col: number): void {
  let shown: Shown = "";
  try {
    const question = result.questionAt(row, col);
    if (isRefusal(question)) shown = question;
    else if (question !== null) {
      const asked = result.rule.ask(question, result.call);
      if (asked !== null) {
        const place: Place = { result, question, row, col };
        // Bound to its record, and the same for both ends: closures of its own would be four times as large.
        const end = endPlace.bind(place);
        asked.then(end, end);
        return;
      }
      shown = previewPlaceholder;
    }
  } catch (error) {
    shown = refusalOf(toInvError(error));
  }
  settle({ result, row, col }, shown);
}

function endPlace(this: Place, outcome: unknown): void {
  const { question, result } = this;
  const { rule, call } = result;
  settle(
    this,
    isAnswer(outcome) ? shownOf(rule, { answer: outcome, question, call }) : refusalOf(toInvError(outcome)),
  );
}

function settle({ result, row, col }: Omit<Place, "question">, shown: Shown): void {
  (result.shown[row] as Shown[])[col] = shown;
  // Whatever happens to one place, the formula must not stay #BUSY!.
  try {
    if (isRefusal(shown)) {
      const { call, grids, rule } = result;
      const store = givenText(cellAt(grids.store ?? leftOut, row, col));
      const item = givenText(cellAt(grids[rule.item] ?? leftOut, row, col));
      noteFailure(call, shown, { row, col, store, item });
    }
  } finally {
    result.open--;
    if (result.open === 0) result.resolve(result.shown);
  }
}
