/**
 * The measurements of one contender, on virtual time: a sheet, one cell, processor time from the first sheet on, and bytes.
 * Each runs in its own process, so that none warms up another's code or fills another's memory.
 */
import { middle } from "./figures";
import { contenders, type Contender, type Create, type Setting } from "./contenders";
import { useLightMessages } from "../helpers/light-messages";
import { createService, type Service } from "./service";
import {
  calculateSheet,
  pass,
  runSheet,
  untilReady,
  type Bench,
  type Calculation,
  type SheetResult,
} from "./sheet-run";
import { createVirtualLoop, withVirtualTimers } from "./virtual-loop";
import { hasNoData, leastQueries, makeWorkloads, type Cell, type Workload } from "./workloads";

export interface EditResult {
  /** Milliseconds from the edit to its value, with no other work and behind 4,000 calls. Null if no value came. */
  readonly aloneMs: number | null;
  readonly behindMs: number | null;
}

/** The first sheet of a fresh process, and the same sheet after three. */
export interface FirstResult {
  /** Microseconds of processor time for a cell. */
  readonly firstUs: number;
  readonly warmUs: number;
  /** The longest turn of the first sheet. */
  readonly blockMs: number;
}

export interface BurstResult {
  readonly firstMs: number;
  readonly knownMs: number;
}

/** Nothing is aborted in the sheets whose processor time is measured. */
class LightAbortController {
  readonly signal = { aborted: false, addEventListener: () => undefined };
}

/** Excludes the platform's own work from measurements of processor time. */
export function useLightPlatform(): void {
  useLightMessages();
  Object.assign(globalThis, { AbortController: LightAbortController });
}

const sheetsBefore = 3;
const recalculations = 3;

export async function measureSheet(contenderId: string, workloadId: string): Promise<SheetResult> {
  const { create, workload } = find(contenderId, workloadId);
  const { bench, setting } = createBench(workload);
  return withVirtualTimers(bench.loop.clock, () => runSheet(bench, create(setting), workload));
}

/** Measures one cell with no other work, and one typed five seconds into the largest sheet. */
export async function measureEdit(contenderId: string): Promise<EditResult> {
  const { create, workload } = find(contenderId);
  const { bench, setting } = createBench(workload);
  return withVirtualTimers(bench.loop.clock, async () => {
    const contender = create(setting);
    const { clock } = bench.loop;
    const edit: Cell = { store: 99, gtin: "00000000000017" };
    const alone = { ...workload, cells: [edit] };
    const { lastMs: aloneMs } = await runSheet(bench, contender, alone);

    const typedMs = clock.now() + 5000;
    const answered: number[] = [];
    for (const [row, cell] of workload.cells.entries()) contender.ask(cell, row).catch(() => undefined);
    clock.setTimeout(() => {
      void contender
        .ask({ ...edit, store: 98 }, workload.cells.length)
        .then(() => answered.push(clock.now()));
    }, 5000);
    await bench.loop.run(() => answered.length > 0);
    const [answeredMs] = answered;
    return { aloneMs, behindMs: answeredMs === undefined ? null : answeredMs - typedMs };
  });
}

/** Measures the sheet through a new contender each time. */
export async function measureFirst(contenderId: string): Promise<FirstResult> {
  useLightPlatform();
  const { create, workload } = find(contenderId);
  const { bench, setting } = createBench(workload);
  bench.service.make(leastQueries(workload.cells));
  const run = async (): Promise<{ us: number; blockMs: number }> => {
    const contender = create(setting);
    const { calculation } = await withVirtualTimers(setting.clock, () =>
      calculateSheet(bench, contender, workload),
    );
    if (bench.service.late() > 0) throw new Error("The service had to make answers while it was measured.");
    return { us: (calculation.cpuMs * 1000) / workload.cells.length, blockMs: calculation.longestTurnMs };
  };
  const first = await run();
  for (let sheet = 1; sheet < sheetsBefore; sheet++) await run();
  const warm = await run();
  return { firstUs: first.us, warmUs: warm.us, blockMs: first.blockMs };
}

/** Microseconds of processor time for recalculating a cell while its answer is fresh. No quota can hide this time. */
export async function measureKnown(contenderId: string): Promise<number> {
  useLightPlatform();
  const { create, workload } = find(contenderId);
  const { bench, setting } = createBench(workload);
  bench.service.make(leastQueries(workload.cells));
  const contender = create(setting);
  const run = (): Promise<{ calculation: Calculation }> =>
    withVirtualTimers(setting.clock, () => calculateSheet(bench, contender, workload));
  await run();
  const rounds: number[] = [];
  for (let round = 0; round < recalculations; round++) {
    const { calculation } = await run();
    rounds.push((calculation.cpuMs * 1000) / workload.cells.length);
  }
  return middle(rounds);
}

/** The longest turn in milliseconds of the first sheet whose cells come in bursts, and of the same sheet while it is fresh. */
export async function measureBursts(contenderId: string): Promise<BurstResult> {
  useLightPlatform();
  const { create, workload } = find(contenderId, "d2");
  const { bench, setting } = createBench(workload);
  bench.service.make(leastQueries(workload.cells));
  const contender = create(setting);
  const run = async (): Promise<number> => {
    const { calculation } = await withVirtualTimers(setting.clock, () =>
      calculateSheet(bench, contender, workload),
    );
    return calculation.longestTurnMs;
  };
  return { firstMs: await run(), knownMs: await run() };
}

/** Bytes that a known cell allocates, most of them for a moment. Needs `--expose-gc`, and room for all of them. */
export async function measureAllocated(contenderId: string): Promise<number> {
  useLightPlatform();
  const { create, workload } = find(contenderId);
  const { bench, setting } = createBench(workload);
  const cells = workload.cells.filter(({ store, gtin }) => !hasNoData(store, gtin)).slice(0, 20_000);
  bench.service.make(leastQueries(cells));
  return withVirtualTimers(bench.loop.clock, async () => {
    const contender = create(setting);
    for (let round = 0; round < 3; round++) await calculateSheet(bench, contender, { ...workload, cells });
    const promises: Promise<unknown>[] = [];
    const beforeBytes = await settledHeapBytes();
    for (const [row, cell] of cells.entries()) promises.push(contender.ask(cell, row));
    await pass(bench.loop, 1_000);
    return (process.memoryUsage().heapUsed - beforeBytes) / promises.length;
  });
}

/** A page keeps its client. The list keeps cached answers in memory until they are counted. */
const residents: Contender[] = [];

/**
 * Bytes that a client keeps for each answered item, once no cell waits and the cells' promises are gone.
 * Needs `--expose-gc`.
 */
export async function measureAnswered(contenderId: string): Promise<number> {
  const { create, workload } = find(contenderId);
  const { bench, setting } = createBench(workload);
  bench.service.make(leastQueries(workload.cells));
  // A separate function, so that nothing refers to the cells' promises after it ends.
  const answer = async (contender: Contender, cells: readonly Cell[]): Promise<void> => {
    await withVirtualTimers(bench.loop.clock, () => calculateSheet(bench, contender, { ...workload, cells }));
  };
  // Another client runs first, so that one-time memory, such as compiled code, doesn't count. Its few cells may be freed late.
  await answer(create(setting), workload.cells.slice(0, 1_000));
  const contender = create(setting);
  residents.push(contender);
  const beforeBytes = await settledHeapBytes();
  await answer(contender, workload.cells);
  return ((await settledHeapBytes()) - beforeBytes) / workload.cells.length;
}

/**
 * Bytes for each waiting cell, beyond its promise and the function that resolves it, which every pending promise needs.
 * Needs `--expose-gc`.
 */
export async function measureWaiting(contenderId: string): Promise<number> {
  const { create, workload } = find(contenderId);
  const { bench, setting } = createBench(workload);
  const { cells } = workload;
  return withVirtualTimers(bench.loop.clock, async () => {
    let isSilent = false;
    const contender = create({
      ...setting,
      transport: (request) => (isSilent ? new Promise(() => undefined) : setting.transport(request)),
    });
    await untilReady(bench.loop, contender);
    isSilent = true;

    const emptyBytes = await settledHeapBytes();
    const held: unknown[] = [];
    const hold = (resolve: unknown): void => void held.push(resolve);
    for (let promise = 0; promise < cells.length; promise++) held.push(new Promise(hold));
    const plainBytes = (await settledHeapBytes()) - emptyBytes;
    held.length = 0;

    const beforeBytes = await settledHeapBytes();
    const asked = cells.map((cell, row) => contender.ask(cell, row));
    await pass(bench.loop, 50);
    const askedBytes = (await settledHeapBytes()) - beforeBytes;
    residents.push(contender);
    return asked.length > 0 ? (askedBytes - plainBytes) / cells.length : NaN;
  });
}

async function settledHeapBytes(): Promise<number> {
  if (globalThis.gc === undefined) throw new Error("Memory is measured with --expose-gc.");
  for (let round = 0; round < 4; round++) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed;
}

/** Finds a contender, and the sheet `c` unless another is named. */
function find(
  contenderId: string,
  workloadId = "c",
): { readonly create: Create; readonly workload: Workload } {
  const create = contenders[contenderId];
  const workload = makeWorkloads().find(({ id }) => id === workloadId);
  if (!create || !workload) throw new Error(`Unknown: ${contenderId} or ${workloadId}.`);
  return { create, workload };
}

function createBench(workload: Workload): { bench: Bench & { service: Service }; setting: Setting } {
  const loop = createVirtualLoop();
  const service = createService(loop.clock, workload);
  return {
    bench: { loop, service },
    setting: {
      clock: loop.clock,
      transport: service.transport,
      quota: workload.quota,
      baseUrl: "https://service.example",
    },
  };
}
