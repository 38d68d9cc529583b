/**
 * What a person waits for: the first sheet after the host has started, whole way from the function that it calls
 * to the value that leaves it, and the same sheet in a process that has calculated others. And a grid from one
 * formula. Each in a process of its own, so that nothing is warm that would not be.
 */
import { useLightPlatform } from "./light-platform";
import { createBench, find, settledHeapBytes } from "./measure";
import { calculateSheet } from "./sheet-run";
import { withVirtualTimers } from "./virtual-timers";
import { createGridFunction } from "./whole-way";
import { hasNoData, leastQueries } from "./workloads";

export interface FirstResult {
  /** Microseconds of processor time for a cell. */
  readonly firstUs: number;
  /** The same after three sheets. */
  readonly warmUs: number;
}

export interface GridResult {
  /** Microseconds of processor time for a value: of the first grid, and after three. */
  readonly firstUs: number;
  readonly warmUs: number;
  /** Longest block of the thread, first grid and after three. */
  readonly firstBlockMs: number;
  readonly warmBlockMs: number;
  /** While all of them wait. */
  readonly bytes: number;
}

const sheetsBefore = 3;

/** `c` through an engine or a function that is new with each sheet. */
export async function measureFirst(contenderId: string, workloadId: string): Promise<FirstResult> {
  useLightPlatform();
  const { entry, workload } = find(contenderId, workloadId);
  const { bench, setting } = createBench(workload);
  bench.service.make(leastQueries(workload.cells));
  const run = async (): Promise<number> => {
    const { calculation } = await withVirtualTimers(setting.clock, () =>
      calculateSheet(bench, entry.create(setting), workload),
    );
    if (bench.service.late() > 0) throw new Error("The service had to make answers while it was measured.");
    return (calculation.cpuMs * 1000) / workload.cells.length;
  };
  const firstUs = await run();
  for (let sheet = 1; sheet < sheetsBefore; sheet++) await run();
  return { firstUs, warmUs: await run() };
}

/** All stores across and all items down, from one cell. */
export async function measureGrid(_contenderId: string, workloadId: string): Promise<GridResult> {
  useLightPlatform();
  const { workload } = find("qty", workloadId);
  const { bench, setting } = createBench(workload);
  const { loop, service } = bench;
  service.make(leastQueries(workload.cells));
  const stores = [...new Set(workload.cells.map(({ store }) => store))];
  const gtins = [...new Set(workload.cells.map(({ gtin }) => gtin))];
  const values = stores.length * gtins.length;
  const withData = workload.cells.filter(({ store, gtin }) => !hasNoData(store, gtin)).length;

  async function prepared(isSilent = () => false) {
    const grid = createGridFunction({
      ...setting,
      transport: (request) => (isSilent() ? new Promise(() => undefined) : setting.transport(request)),
    });
    let isReady = false;
    void grid.contender.prepare().then(() => (isReady = true));
    await loop.run(() => isReady);
    return grid;
  }

  async function run(): Promise<{ us: number; blockMs: number }> {
    const grid = await prepared();
    loop.takeLongestTurnMs();
    const cpu = process.cpuUsage();
    let result: unknown[][] = [];
    loop.clock.nextTurn(() => void grid.askGrid(stores, gtins).then((shown) => (result = shown)));
    await loop.run(() => result.length > 0);
    const used = process.cpuUsage(cpu);
    const shown = result.flat().filter((value) => typeof value === "number").length;
    if (shown !== withData) throw new Error("The grid lacks values.");
    return { us: (used.user + used.system) / values, blockMs: loop.takeLongestTurnMs() };
  }

  return withVirtualTimers(loop.clock, async () => {
    const first = await run();
    for (let grid = 1; grid < sheetsBefore; grid++) await run();
    const warm = await run();

    let isSilent = false;
    const silent = await prepared(() => isSilent);
    isSilent = true;
    const beforeBytes = await settledHeapBytes();
    const asked = silent.askGrid(stores, gtins);
    const sentMs = loop.clock.now() + 50;
    loop.clock.setTimeout(() => undefined, 50);
    await loop.run(() => loop.clock.now() >= sentMs);
    const bytes = ((await settledHeapBytes()) - beforeBytes) / values;
    void asked;
    return {
      firstUs: first.us,
      warmUs: warm.us,
      firstBlockMs: first.blockMs,
      warmBlockMs: warm.blockMs,
      bytes,
    };
  });
}
