/**
 * The part of the host that calculates custom functions. It sends calls as Excel does, many in one message, and takes
 * results from `SetInvocationArrayResults`. If the host refuses a message, it takes nothing from it. Microsoft's runtime
 * then retries for 60 seconds; after that, the message's cells stay #BUSY! for good.
 */
import type { HostObject } from "./rich-api";

export interface FunctionCall {
  /** Id of the function in functions.json. */
  readonly name: string;
  readonly parameters: readonly unknown[];
  /** `Sheet1!C2`. */
  readonly address: string;
}

/** Result of a cell: a value (a matrix for most functions), or an error with its text. */
export type CellResult =
  | { readonly value: unknown }
  | { readonly error: ExcelErrorName; readonly text: string };

type ExcelErrorName = "#VALUE!" | "#N/A" | "#NUM!" | "#DIV/0!" | "#NULL!";

export interface FunctionHost {
  /** Answers requests to `Microsoft.ExcelServices.CustomFunctions`. */
  readonly service: HostObject;
  /** Whether the runtime has reported that functions may be called. */
  isReady(): boolean;
  /** Features that the runtime receives when it starts. 1: it slices a message that was refused for its size. */
  readonly features: number[];
  /** Sends calls in one message. Each promise resolves when its cell has a result. */
  call(calls: readonly FunctionCall[]): Promise<CellResult>[];
}

const callMessage = { messageCategory: 1, messageType: 1000, targetId: "", id: 0 };
/** An argument may be an error. */
const allowErrorFlag = 4;
/** Numbers of errors in the runtime's results. */
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
