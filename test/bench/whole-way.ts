/**
 * The whole way of a sheet through Microsoft's own runtime of custom functions: from the host's message with the calls until the host
 * has the last value. Waits are virtual, and the work of everybody takes its real time: the runtime's, the simulated host's and the
 * contender's. The runtime runs in this process's own context, because another context would make it several times slower.
 */
import { Script } from "node:vm";
import type { FunctionCall } from "../excel/function-host";
import { bridgeOnClock, globalsOfPage, type MicrosoftFunctions } from "../excel/functions-in-node";
import { createExcelHost, type ExcelHost } from "../excel/host";
import { readMicrosoftRuntime } from "../excel/microsoft-runtime";
import { functions, type ExcelFunction } from "./contenders";
import { middle } from "./figures";
import { useLightPlatform } from "./measure";
import { createService } from "./service";
import { pass, untilReady } from "./sheet-run";
import { createVirtualLoop, withVirtualTimers, type Loop } from "./virtual-loop";
import { hasNoData, leastQueries, quantityOf, sheet, type Cell } from "./workloads";

export interface WholeWay {
  /** Milliseconds until the last value, of a first sheet and of one whose answers are fresh. */
  readonly firstMs: number;
  readonly knownMs: number;
  /** Microseconds of processor time for a cell. */
  readonly firstUs: number;
  readonly knownUs: number;
}

const recalculations = 3;
const itemsOfStore = 1_000;

export async function measureWholeWay(contenderId: string, cellCount: string): Promise<WholeWay> {
  useLightPlatform();
  const create = functions[contenderId];
  if (!create) throw new Error(`Unknown: ${contenderId}.`);
  const cells = sheet(Number(cellCount) / itemsOfStore, itemsOfStore);
  const loop = createVirtualLoop(true);
  const service = createService(loop.clock, { quota: null, refused: new Set() });
  service.make(leastQueries(cells));
  const { clock } = loop;
  return withVirtualTimers(clock, async () => {
    const contender = create({
      clock,
      transport: service.transport,
      quota: null,
      baseUrl: "https://service.example",
    });
    const host = await openRuntime(loop, contender.excelFunction);
    await untilReady(loop, contender);
    const run = async (): Promise<{ ms: number; us: number }> => {
      // The runtime sends no results for a while after a message.
      await pass(loop, 61_000);
      return calculate(loop, host, cells);
    };
    const first = await run();
    const known: (typeof first)[] = [];
    for (let round = 0; round < recalculations; round++) known.push(await run());
    return {
      firstMs: first.ms,
      firstUs: first.us,
      knownMs: middle(known.map(({ ms }) => ms)),
      knownUs: middle(known.map(({ us }) => us)),
    };
  });
}

async function openRuntime(loop: Loop, implementation: ExcelFunction): Promise<ExcelHost> {
  const host = createExcelHost(["Sheet1"]);
  const page = { ...globalsOfPage(bridgeOnClock(host, loop.clock, 0)), window: globalThis, self: globalThis };
  for (const [name, value] of Object.entries(page)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  new Script(readMicrosoftRuntime(), { filename: "microsoft-runtime.js" }).runInThisContext();
  const { CustomFunctions } = globalThis as unknown as { CustomFunctions: MicrosoftFunctions };
  CustomFunctions.associate("QTY", implementation);
  await loop.run(() => host.functions.isReady());
  return host;
}

async function calculate(
  loop: Loop,
  host: ExcelHost,
  cells: readonly Cell[],
): Promise<{ ms: number; us: number }> {
  const calls = cells.map(({ store, gtin }, row): FunctionCall => {
    return {
      name: "QTY",
      parameters: [[[store]], [[gtin]], null, null, null],
      address: `Sheet1!C${String(row + 1)}`,
    };
  });
  let arrived = 0;
  let right = 0;
  const startMs = loop.clock.now();
  const cpu = process.cpuUsage();
  for (const [index, result] of host.functions.call(calls).entries()) {
    void result.then((given) => {
      const { store, gtin } = cells[index]!;
      const shown = "value" in given ? (given.value as unknown[][])[0]?.[0] : null;
      arrived++;
      if (hasNoData(store, gtin) ? typeof shown !== "number" : shown === quantityOf(store, gtin)) right++;
    });
  }
  await loop.run(() => arrived === cells.length);
  const used = process.cpuUsage(cpu);
  const ms = loop.clock.now() - startMs;
  if (right !== cells.length) throw new Error(`${String(right)} of ${String(cells.length)} cells are right.`);
  return { ms, us: (used.user + used.system) / cells.length };
}
