/**
 * Evaluates one INV function in a cell: prepares the arguments, looks up the call in the table of settled calls or
 * starts it, and returns the result or "pending" to the grid. A call with a wrong argument settles with its reason.
 * Also finds the reason for an error that a cell shows. Independent of the grid's engine.
 */
import { beyondLimitWords } from "../../workbook/cell-limit";
import { prepareArguments } from "./call-arguments";
import {
  type Argument,
  type CallResult,
  type CellPlace,
  fault,
  isFault,
  pendingText,
  placeKey,
} from "./cell-values";
import type { CustomFunctions } from "./custom-functions";
import type { FunctionDescription } from "./functions-file";
import type { SettledCalls } from "./settled-calls";

export interface CellCallsOptions {
  readonly functions: Pick<CustomFunctions, "call">;
  readonly table: SettledCalls;
  addressOf(place: CellPlace): string;
}

export interface CellCalls {
  evaluate(
    description: FunctionDescription,
    place: CellPlace,
    callArguments: readonly Argument[],
  ): CallResult;
  /** Returns the reason for the error in a formula's cell; `row` and `col` count from the first cell of its spill. */
  explain(
    place: CellPlace,
    error: string,
    offset?: { readonly row: number; readonly col: number },
  ): string | null;
  /** The cells beyond the limit, by their keys, as their formulas were last calculated. Empty if there is room again. */
  refused(): ReadonlyMap<string, CellPlace>;
}

/**
 * The grid calculates in one piece, during which the page takes no key. With this many INV formulas an edit takes 0.1 s and a
 * calculation of all 0.4 s (measured); both grow with the number.
 */
export const maxCells = 5_000;

const tooMany = fault("#VALUE!", beyondLimitWords(maxCells));

const noCells: ReadonlyMap<string, CellPlace> = new Map();

export function createCellCalls({ functions, table, addressOf }: CellCallsOptions): CellCalls {
  const refused = new Map<string, CellPlace>();

  function evaluate(
    description: FunctionDescription,
    place: CellPlace,
    callArguments: readonly Argument[],
  ): CallResult {
    const prepared = prepareArguments(description, callArguments);
    // The sheet's own error needs no explanation.
    if ("fault" in prepared && prepared.fault.reason === null) {
      return { kind: "value", value: prepared.fault };
    }
    refused.delete(placeKey(place));
    if (!table.has(place) && table.cells >= maxCells) {
      refused.set(placeKey(place), place);
      return { kind: "value", value: tooMany };
    }
    const given = "fault" in prepared ? prepared.fault : prepared.parameters;
    const result = table.evaluate({
      place,
      key: `${description.id}${JSON.stringify(given)}`,
      start: () =>
        "fault" in prepared
          ? Promise.resolve({ kind: "value", value: prepared.fault })
          : functions.call({
              id: description.id,
              parameters: prepared.parameters,
              address: addressOf(place),
            }),
    });
    return result ?? { kind: "value", value: fault(pendingText) };
  }

  function explain(place: CellPlace, error: string, offset = { row: 0, col: 0 }): string | null {
    if (error === tooMany.error && refused.has(placeKey(place))) return tooMany.reason;
    const results = table.results(place);
    const atOffset = results.map((result) => faultAt(result, offset));
    const anywhere = results.flatMap((result) =>
      result.kind === "rows" ? result.rows.flat() : [result.value],
    );
    for (const content of [...atOffset, ...anywhere]) {
      if (content !== undefined && isFault(content) && content.error === error && content.reason !== null) {
        return content.reason;
      }
    }
    return null;
  }

  return { evaluate, explain, refused: () => (table.cells >= maxCells ? refused : noCells) };
}

function faultAt(result: CallResult, offset: { readonly row: number; readonly col: number }) {
  return result.kind === "value" ? result.value : result.rows[offset.row]?.[offset.col];
}
