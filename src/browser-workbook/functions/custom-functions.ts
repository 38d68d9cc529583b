/**
 * The browser workbook's `CustomFunctions`: functions register here by id, and cells call them by id.
 * It looks up a function only when a cell calls it, because the pane's frame may still be loading. A frame that
 * reloads brings new functions.
 * Invariant: every call ends. A call waits until its function registers, and is repeated if the frame is replaced.
 */
import type { CustomFunctionsHost } from "../../workbook/browser-host";
import { CustomFunctionError, errorCodes, readThrown, readResult } from "./call-result";
import { type CallResult, fault } from "./cell-values";
import type { Parameters } from "./call-arguments";

interface FunctionCall {
  readonly id: string;
  readonly parameters: Parameters;
  /** Of the calling cell. */
  readonly address: string;
}

export interface CustomFunctions {
  readonly host: CustomFunctionsHost;
  /** Calls the function now, or as soon as it registers. Never rejects. */
  call(call: FunctionCall): Promise<CallResult>;
  /** Call when the add-in's page unloads. Its functions no longer answer, so calls wait for those of the next page. */
  unload(): void;
  /**
   * Call when no more functions are expected. Calls to a function that has not registered end with this reason, until
   * it does.
   */
  giveUp(reason: string): void;
}

interface OpenCall {
  readonly call: FunctionCall;
  readonly end: (result: CallResult) => void;
  /** The implementation of the latest attempt. */
  implementation: Implementation | null;
}

type Implementation = (...parameters: unknown[]) => unknown;

export function createCustomFunctions(): CustomFunctions {
  const implementations = new Map<string, Implementation>();
  const openCalls = new Map<string, Set<OpenCall>>();
  let failureReason: string | null = null;

  function associate(id: string, implementation: Implementation): void {
    const key = id.toUpperCase();
    implementations.set(key, implementation);
    for (const openCall of openCalls.get(key) ?? []) start(openCall, implementation);
  }

  function start(openCall: OpenCall, implementation: Implementation): void {
    openCall.implementation = implementation;
    const finish = (result: CallResult) => {
      if (openCall.implementation === implementation) openCall.end(result);
    };
    const { parameters, address } = openCall.call;
    try {
      const returned = implementation(...parameters, { address });
      if (isThenable(returned)) {
        returned.then(
          (value) => finish(readResult(value)),
          (reason: unknown) => finish(readThrown(reason)),
        );
      } else finish(readResult(returned));
    } catch (thrown) {
      finish(readThrown(thrown));
    }
  }

  function enqueueCall(call: FunctionCall): Promise<CallResult> {
    const key = call.id.toUpperCase();
    const implementation = implementations.get(key);
    if (implementation === undefined && failureReason !== null) return Promise.resolve(failed(failureReason));
    return new Promise((resolve) => {
      const calls = openCalls.get(key) ?? new Set<OpenCall>();
      openCalls.set(key, calls);
      const openCall: OpenCall = {
        call,
        implementation: null,
        end(result) {
          calls.delete(openCall);
          resolve(result);
        },
      };
      calls.add(openCall);
      if (implementation !== undefined) start(openCall, implementation);
    });
  }

  function unload(): void {
    implementations.clear();
    failureReason = null;
  }

  function giveUp(reason: string): void {
    failureReason = reason;
    for (const [id, calls] of openCalls) {
      if (implementations.has(id)) continue;
      for (const openCall of [...calls]) openCall.end(failed(reason));
    }
  }

  return {
    host: { associate, Error: CustomFunctionError, ErrorCode: errorCodes },
    call: enqueueCall,
    unload,
    giveUp,
  };
}

function failed(reason: string): CallResult {
  return { kind: "value", value: fault("#NAME?", reason) };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "then") === "function";
}
