/**
 * Microsoft's runtime of custom functions in its own context in Node, on the test's clock, with INV's functions associated
 * and our host behind its bridge. The host takes time for each message, one after the other. It slices a message that is too
 * large, or refuses the whole message: both are seen (a feature flag of the host, read in the runtime).
 */
import { createContext, Script } from "node:vm";
import type { Clock } from "../../src/engine/clock";
import type { VirtualClock } from "../helpers/virtual-clock";
import { createExcelHost, type ExcelHost } from "./host";
import { readMicrosoftRuntime } from "./microsoft-runtime";

export interface FunctionsExcelOptions {
  readonly clock: VirtualClock;
  readonly functions: Readonly<Record<string, (...given: never[]) => unknown>>;
  /** Milliseconds that the host takes for a message. */
  readonly messageMs?: number;
  /** The runtime slices a refused message. */
  readonly slices?: boolean;
}

/** Resolves when the runtime has reported to the host that functions may be called. */
export async function openFunctionsExcel(options: FunctionsExcelOptions): Promise<ExcelHost> {
  const { clock, functions, messageMs = 0, slices = false } = options;
  const host = createExcelHost(["Sheet1"]);
  if (slices) host.functions.features.push(sliceFeature);
  class VirtualDate extends Date {
    static override now(): number {
      return clock.now();
    }
  }
  const page = {
    ...globalsOfPage(bridgeOnClock(host, clock, messageMs)),
    Date: VirtualDate,
    setTimeout: (callback: (...given: unknown[]) => void, waitMs = 0, ...given: unknown[]) =>
      clock.setTimeout(() => callback(...given), waitMs),
    clearTimeout: clock.clearTimeout,
    ...{ console, fetch, performance },
  };
  script ??= new Script(readMicrosoftRuntime(), { filename: "microsoft-runtime.js" });
  script.runInContext(createContext(Object.assign(page, { window: page, self: page })));
  const { CustomFunctions } = page as unknown as { CustomFunctions: MicrosoftFunctions };
  for (const id in functions) CustomFunctions.associate(id, functions[id]);
  // INV's functions take their error class from this global.
  Reflect.set(globalThis, "CustomFunctions", CustomFunctions);
  await clock.advance(60_000);
  if (!host.functions.isReady()) {
    throw new Error("Microsoft's runtime did not tell the host that it is ready.");
  }
  return host;
}

/** Returns a bridge whose messages take the host some time, one after the other. */
export function bridgeOnClock(
  { bridge: hosts }: ExcelHost,
  clock: Pick<Clock, "now" | "setTimeout">,
  messageMs: number,
): ExcelHost["bridge"] {
  let freeAtMs = 0;
  const bridge: ExcelHost["bridge"] = {
    sendMessageToHost(text) {
      freeAtMs = Math.max(freeAtMs, clock.now()) + messageMs;
      clock.setTimeout(() => hosts.sendMessageToHost(text), freeAtMs - clock.now());
    },
  };
  hosts.onMessageFromHost = (text) => bridge.onMessageFromHost?.(text);
  return bridge;
}

/** Returns what a page in Excel has, as far as the runtime of custom functions reads it. */
export function globalsOfPage(bridge: ExcelHost["bridge"]): object {
  const office = {
    onReady: (then: (info: object) => void) => Promise.resolve({ host: "Excel" }).then(then),
    HostType: { Excel: "Excel" },
    context: { requirements: { isSetSupported: () => true } },
  };
  return {
    Office: office,
    document: { readyState: "complete" },
    OSF: { DDA: {}, _OfficeAppFactory: { getHostInfo: () => ({ flags: 2, hostPlatform: "win32" }) } },
    OSFAriaLogger: { AriaLogger: {} },
    CustomFunctionMappings: {},
    _richApiNativeBridge: bridge,
    navigator: { userAgent: "" },
  };
}

const sliceFeature = 1;
let script: Script | undefined;

export interface MicrosoftFunctions {
  associate(id: string, implementation: unknown): void;
}
