/**
 * The measurements on virtual time, each of one contender. They are started in processes of their own, so that
 * none warms up another's code or fills another's memory.
 */
import { contenders, type Contender, type Entry, type Setting } from "./contenders";
import { runEmptyTurns, runFloor } from "./floor";
import { useLightPlatform } from "./light-platform";
import { answerText, createService } from "./service";
import { calculateSheet, runSheet, type Bench, type SheetResult } from "./sheet-run";
import { createVirtualLoop } from "./virtual-loop";
import { withVirtualTimers } from "./virtual-timers";
import { functions } from "./whole-way";
import { gridWorkload, leastQueries, makeWorkloads, type Cell, type Workload } from "./workloads";

export interface CpuResult {
  /** Milliseconds of processor time for the whole sheet. */
  readonly ms: number;
  readonly cells: number;
}

/**
 * A client that lives on with its one cell while others come and go. A page keeps its client; where the last
 * object of a shape is gone, the compiler would forget what it learnt of it between two rounds.
 */
const residents: Contender[] = [];

export interface EditResult {
  /** From the edit to its value, with nothing else to do, and behind 4,000 calls; null where none came. */
  readonly aloneMs: number | null;
  readonly behindMs: number | null;
}

export async function measureSheet(contenderId: string, workloadId: string): Promise<SheetResult> {
  const { entry, workload } = find(contenderId, workloadId);
  const { bench, setting } = createBench(workload);
  return withVirtualTimers(bench.loop.clock, () => runSheet(bench, entry.create(setting), workload));
}

/**
 * What runs the sheet once more, in this process, and gives its processor time. No collection of garbage is
 * forced in between: it would shrink the young generation and slow what follows.
 */
export async function createCpuRounds(
  contenderId: string,
  workloadId: string,
): Promise<() => Promise<CpuResult>> {
  if (contenderId === "floor") return createFloorRounds(findWorkload(workloadId));
  const { entry, workload } = find(contenderId, workloadId);
  useLightPlatform();
  const { bench, setting } = createBench(workload);
  const run = (contender: Contender, sheet: Workload) =>
    withVirtualTimers(bench.loop.clock, () => calculateSheet(bench, contender, sheet));
  const resident = entry.create(setting);
  residents.push(resident);
  await run(resident, { ...workload, cells: workload.cells.slice(0, 1) });
  return async () => {
    const { calculation } = await run(entry.create(setting), workload);
    // The turns of the virtual loop are the bench's own.
    const ms = calculation.cpuMs - (await runEmptyTurns(calculation.turns));
    return { ms, cells: workload.cells.length };
  };
}

function createFloorRounds({ cells }: Workload): () => Promise<CpuResult> {
  const answers = leastQueries(cells).map(({ store, gtins }) => answerText(store, gtins));
  return async () => ({ ms: await runFloor(answers, cells), cells: cells.length });
}

/** One cell with nothing else to do, and one typed five seconds into the largest sheet. */
export async function measureEdit(contenderId: string): Promise<EditResult> {
  const { entry, workload } = find(contenderId, "c");
  const { bench, setting } = createBench(workload);
  return withVirtualTimers(bench.loop.clock, async () => {
    const contender = entry.create(setting);
    const { clock } = bench.loop;
    const edit: Cell = { store: 99, gtin: "00000000000017" };
    const alone = { ...workload, cells: [edit] };
    const { lastMs: aloneMs } = await runSheet(bench, contender, alone);

    const typedMs = clock.now() + 5000;
    const answered: number[] = [];
    for (const cell of workload.cells) contender.ask(cell).catch(() => undefined);
    clock.setTimeout(() => {
      void contender.ask({ ...edit, store: 98 }).then(() => answered.push(clock.now()));
    }, 5000);
    await bench.loop.run(() => answered.length > 0);
    const [answeredMs] = answered;
    return { aloneMs, behindMs: answeredMs === undefined ? null : answeredMs - typedMs };
  });
}

/**
 * Bytes per item that was answered, when nothing waits any more and the cells' promises are gone: what a client
 * keeps of it. Needs `--expose-gc`.
 */
export async function measureAnswered(contenderId: string): Promise<number> {
  const { entry, workload } = find(contenderId, "c");
  const { bench, setting } = createBench(workload);
  bench.service.make(leastQueries(workload.cells));
  // In a function of its own, after whose end nothing holds the cells' promises.
  const answer = async (contender: Contender, cells: readonly Cell[]): Promise<void> => {
    await withVirtualTimers(bench.loop.clock, () => calculateSheet(bench, contender, { ...workload, cells }));
  };
  // Another client first: what is made once, as compiled code, is no item's. Few cells, since it may be let go late.
  await answer(entry.create(setting), workload.cells.slice(0, 1_000));
  const contender = entry.create(setting);
  residents.push(contender);
  const beforeBytes = await settledHeapBytes();
  await answer(contender, workload.cells);
  return ((await settledHeapBytes()) - beforeBytes) / workload.cells.length;
}

/**
 * Bytes per cell that waits, beyond a promise that is held: the promise and the function that resolves it,
 * which no pending promise can do without. Needs `--expose-gc`.
 */
export async function measureMemory(contenderId: string): Promise<number> {
  const { entry, workload } = find(contenderId, "c");
  const { bench, setting } = createBench(workload);
  const { cells } = workload;
  return withVirtualTimers(bench.loop.clock, async () => {
    let isReady = false;
    let isSilent = false;
    const contender = entry.create({
      ...setting,
      transport: (request) => (isSilent ? new Promise(() => undefined) : setting.transport(request)),
    });
    void contender.prepare().then(() => (isReady = true));
    await bench.loop.run(() => isReady);
    isSilent = true;

    const emptyBytes = await settledHeapBytes();
    const held: unknown[] = [];
    const hold = (resolve: unknown): void => void held.push(resolve);
    for (let cell = 0; cell < cells.length; cell++) held.push(new Promise(hold));
    const plainBytes = (await settledHeapBytes()) - emptyBytes;
    held.length = 0;

    const beforeBytes = await settledHeapBytes();
    const asked = cells.map((cell) => contender.ask(cell));
    const sentMs = bench.loop.clock.now() + 50;
    bench.loop.clock.setTimeout(() => undefined, 50);
    await bench.loop.run(() => bench.loop.clock.now() >= sentMs);
    const askedBytes = (await settledHeapBytes()) - beforeBytes;
    return (askedBytes - plainBytes) / asked.length;
  });
}

export async function settledHeapBytes(): Promise<number> {
  if (globalThis.gc === undefined) throw new Error("Memory is measured with --expose-gc.");
  for (let round = 0; round < 4; round++) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed;
}

export function find(contenderId: string, workloadId: string): { entry: Entry; workload: Workload } {
  const entry = [...contenders, ...functions].find(({ id }) => id === contenderId);
  if (!entry) throw new Error(`Unknown contender: ${contenderId}.`);
  return { entry, workload: findWorkload(workloadId) };
}

function findWorkload(workloadId: string): Workload {
  const workload = [...makeWorkloads(), gridWorkload()].find(({ id }) => id === workloadId);
  if (!workload) throw new Error(`Unknown workload: ${workloadId}.`);
  return workload;
}

export function createBench(workload: Workload): { bench: Bench; setting: Setting } {
  const loop = createVirtualLoop();
  const service = createService(loop.clock, workload);
  const { clock } = loop;
  const baseUrl = "https://service.example";
  return {
    bench: { loop, service },
    setting: { clock, transport: service.transport, quota: workload.quota, baseUrl },
  };
}
