/**
 * The part of the host that calculates custom functions: sends calls as Excel does, in arrays of a message,
 * and takes results from `SetInvocationArrayResults`. A message that the host refuses is not taken at all;
 * Microsoft's runtime then tries it again for 60 seconds, and afterwards its cells stay #BUSY! for good.
 */
import type { HostObject } from "./rich-api";

export interface FunctionCall {
  /** Id of the function, as functions.json has it. */
  readonly name: string;
  readonly parameters: readonly unknown[];
  /** `Sheet1!C2`. */
  readonly address: string;
}

/** What a cell is given: a value (a matrix for most functions), or an error with its text. */
export type CellResult =
  { readonly value: unknown } | { readonly error: ExcelErrorName; readonly text: string };

type ExcelErrorName = "#VALUE!" | "#N/A" | "#NUM!" | "#DIV/0!" | "#NULL!";

export interface FunctionHost {
  /** For the requests: what `Microsoft.ExcelServices.CustomFunctions` answers. */
  readonly service: HostObject;
  /** Whether the runtime has said that functions may be called. */
  isReady(): boolean;
  /** Features that the runtime is told of when it starts: 1 slices a message that was refused for its size. */
  readonly features: number[];
  /** Sends calls in one message; each result comes when its cell has one. */
  call(calls: readonly FunctionCall[]): Promise<CellResult>[];
}

const callMessage = { messageCategory: 1, messageType: 1000, targetId: "", id: 0 };
/** An error may stand as an argument. */
const allowErrorFlag = 4;
/** As the runtime numbers errors in results. */
const errorNames: Readonly<Record<number, ExcelErrorName>> = {
  1: "#N/A",
  5: "#DIV/0!",
  6: "#NUM!",
  8: "#NULL!",
};

/** @param sendEntries hands entries of a message to the page */
export function createFunctionHost(sendEntries: (entries: readonly object[]) => void): FunctionHost {
  const waiting = new Map<number, (result: CellResult) => void>();
  const features: number[] = [];
  let isReady = false;
  let lastId = 0;

  return {
    isReady: () => isReady,
    features,
    service: {
      _setOsfControlContainerReadyForCustomFunctions: () => void (isReady = true),
      _getEnabledFeatures: () => features,
      setInvocationArrayResults(results: readonly InvocationResult[]) {
        for (const [id, isValue, content, code] of results) {
          waiting.get(id)?.(isValue ? { value: content } : errorOf(code, content));
          waiting.delete(id);
        }
      },
    },
    call(calls) {
      const entries: object[] = [];
      const results = calls.map(
        ({ name, parameters, address }) =>
          new Promise<CellResult>((resolve) => {
            lastId += 1;
            waiting.set(lastId, resolve);
            entries.push({ ...callMessage, message: [lastId, name, parameters, address, allowErrorFlag] });
          }),
      );
      sendEntries(entries);
      return results;
    },
  };
}

type InvocationResult = readonly [id: number, isValue: boolean, content: unknown, code?: number];

function errorOf(code: number | undefined, text: unknown): CellResult {
  return { error: errorNames[code ?? 0] ?? "#VALUE!", text: String(text) };
}
