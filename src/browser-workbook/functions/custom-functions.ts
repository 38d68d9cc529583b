/**
 * The browser workbook's `CustomFunctions`: functions register here by id, and cells call them by id.
 * A function is looked up when it is called, never before: the pane's frame may still be loading, or be
 * loaded again, and then its functions are new ones. Invariant: every call ends. A call made
 * before its function came waits for it; a call whose frame was replaced is made again.
 */
import { createNotices } from "../../domain/notices";
import type { CustomFunctionsHost } from "../../workbook/browser-host";
import { CustomFunctionError, errorCodes, readThrown, readResult } from "./call-result";
import { type CallResult, fault } from "./cell-values";
import type { Parameters } from "./call-arguments";

export interface FunctionCall {
  /** Id of the function, as in functions.json. */
  readonly id: string;
  readonly parameters: Parameters;
  /** Address of the calling cell; absent where no cell asks. */
  readonly address?: string;
}

export interface CustomFunctions {
  /** What the add-in sees as its global `CustomFunctions`. */
  readonly host: CustomFunctionsHost;
  /** Calls the function now, or as soon as it registers. Never rejects. */
  call(call: FunctionCall): Promise<CallResult>;
  has(id: string): boolean;
  /** The add-in's page is going: its functions will not answer any more, so calls wait for those of the next one. */
  unload(): void;
  /** What has not registered by now will not come: calls that wait for it end with this reason, until it registers. */
  giveUp(reason: string): void;
  /** Told of each registration. */
  onAssociate(listener: (id: string) => void): void;
}

interface OpenCall {
  readonly call: FunctionCall;
  readonly end: (result: CallResult) => void;
  /** The implementation it was last made with. */
  implementation: Implementation | null;
}

type Implementation = (...parameters: unknown[]) => unknown;

export function createCustomFunctions(): CustomFunctions {
  const implementations = new Map<string, Implementation>();
  const open = new Map<string, Set<OpenCall>>();
  const associated = createNotices<string>();
  let givenUp: string | null = null;

  function associate(id: string, implementation: Implementation): void {
    const key = id.toUpperCase();
    implementations.set(key, implementation);
    for (const one of open.get(key) ?? []) make(one, implementation);
    associated.tell(key);
  }

  function make(one: OpenCall, implementation: Implementation): void {
    one.implementation = implementation;
    const finish = (result: CallResult) => {
      if (one.implementation === implementation) one.end(result);
    };
    const invocation = one.call.address === undefined ? {} : { address: one.call.address };
    try {
      const returned = implementation(...one.call.parameters, invocation);
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

  function call(given: FunctionCall): Promise<CallResult> {
    const key = given.id.toUpperCase();
    const implementation = implementations.get(key);
    if (implementation === undefined && givenUp !== null) return Promise.resolve(failed(givenUp));
    return new Promise((resolve) => {
      const calls = open.get(key) ?? new Set<OpenCall>();
      open.set(key, calls);
      const one: OpenCall = {
        call: given,
        implementation: null,
        end(result) {
          calls.delete(one);
          resolve(result);
        },
      };
      calls.add(one);
      if (implementation !== undefined) make(one, implementation);
    });
  }

  function unload(): void {
    implementations.clear();
    givenUp = null;
  }

  function giveUp(reason: string): void {
    givenUp = reason;
    for (const [id, calls] of open) {
      if (implementations.has(id)) continue;
      for (const one of [...calls]) one.end(failed(reason));
    }
  }

  return {
    host: { associate, Error: CustomFunctionError, ErrorCode: errorCodes },
    call,
    has: (id) => implementations.has(id.toUpperCase()),
    unload,
    giveUp,
    onAssociate: (listener) => void associated.subscribe(listener),
  };
}

function failed(reason: string): CallResult {
  return { kind: "value", value: fault("#NAME?", reason) };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "then") === "function";
}
