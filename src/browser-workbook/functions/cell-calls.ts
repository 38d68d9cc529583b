/**
 * Evaluates one INV function in a cell: prepares the arguments, looks up the call in the table of settled calls or
 * starts it, and returns the result or "pending" to the grid. A call with a wrong argument settles with its reason.
 * Also finds the reason for an error that a cell shows. Independent of the grid's engine.
 */
import { prepareArguments } from "./call-arguments";
import { type Argument, type CallResult, type CellPlace, fault, isFault, pendingText } from "./cell-values";
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
}

export function createCellCalls({ functions, table, addressOf }: CellCallsOptions): CellCalls {
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

  return { evaluate, explain };
}

function faultAt(result: CallResult, offset: { readonly row: number; readonly col: number }) {
  return result.kind === "value" ? result.value : result.rows[offset.row]?.[offset.col];
}
