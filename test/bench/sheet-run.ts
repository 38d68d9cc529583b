/**
 * One sheet through one contender: it requests every cell as Excel would, waits for all of them, and can check every
 * value. It counts little while the clock runs, because counting is part of the processor time.
 */
import type { Contender } from "./contenders";
import type { Service } from "./service";
import type { Loop } from "./virtual-loop";
import { hasNoData, isTypo, quantityOf, type Workload } from "./workloads";

/** Numbers that don't need the values. */
export interface Calculation {
  readonly calls: number;
  /** Calls that the service refused because of its quota. */
  readonly refusals: number;
  /** Milliseconds from the first cell to the last value. Null if no value came. */
  readonly lastMs: number | null;
  readonly cpuMs: number;
  readonly stuck: number;
  /** Cells that waited and settled in one turn. Cells whose answer is known settle in the host's turn. */
  readonly mostSettledInTurn: number;
  readonly longestTurnMs: number;
}

export interface SheetResult extends Calculation {
  readonly good: number;
  /** Good cells without their value, and cells with a wrong one. */
  readonly lost: number;
  readonly wrong: number;
}

export interface Bench {
  readonly loop: Loop;
  readonly service: Pick<Service, "calls" | "refusals" | "reset">;
}

/** Calculates the sheet and checks every value. */
export async function runSheet(bench: Bench, contender: Contender, workload: Workload): Promise<SheetResult> {
  const { promises, calculation } = await calculateSheet(bench, contender, workload);
  return { ...calculation, ...(await judge(contender, workload, promises)) };
}

export async function calculateSheet(
  bench: Bench,
  contender: Contender,
  workload: Workload,
): Promise<{ readonly promises: readonly Promise<unknown>[]; readonly calculation: Calculation }> {
  const { loop, service } = bench;
  await prepare(bench, contender);
  const tally = createTally(loop);
  const ask = (from: number, to: number): void => {
    tally.askedInTurn = loop.turns();
    for (let index = from; index < to; index++) tally.follow(contender.ask(workload.cells[index]!, index));
  };

  const startMs = loop.clock.now();
  const cpu = process.cpuUsage();
  loop.takeLongestTurnMs();
  let asked = 0;
  for (let round = 0; round <= workload.recalculations; round++) {
    startBursts(loop, workload, ask);
    asked += workload.cells.length;
    const all = asked;
    await loop.run(() => tally.settled === all);
  }
  const used = process.cpuUsage(cpu);

  const calculation = {
    calls: service.calls(),
    refusals: service.refusals(),
    lastMs: tally.values === 0 ? null : tally.lastMs - startMs,
    cpuMs: (used.user + used.system) / 1000,
    mostSettledInTurn: tally.mostInTurn,
    longestTurnMs: loop.takeLongestTurnMs(),
    stuck: asked - tally.settled,
  };
  return { promises: tally.promises, calculation };
}

/** Waits a minute after the preparation, so that its calls don't count against the quota. */
async function prepare({ loop, service }: Bench, contender: Contender): Promise<void> {
  await untilReady(loop, contender);
  await pass(loop, 61_000);
  service.reset();
}

export async function untilReady(loop: Loop, contender: Contender): Promise<void> {
  let isReady = false;
  void contender.prepare().then(() => (isReady = true));
  await loop.run(() => isReady);
}

export async function pass(loop: Loop, waitMs: number): Promise<void> {
  const endMs = loop.clock.now() + waitMs;
  loop.clock.setTimeout(() => undefined, waitMs);
  await loop.run(() => loop.clock.now() >= endMs);
}

/** Each burst schedules the next, so that a timer due at the same moment runs before it, as in a host. */
function startBursts(loop: Loop, workload: Workload, ask: (from: number, to: number) => void): void {
  const { cells, bursts } = workload;
  const size = bursts?.cells ?? cells.length;
  const burst = (from: number): void => {
    const to = Math.min(from + size, cells.length);
    ask(from, to);
    if (to < cells.length) loop.clock.setTimeout(() => burst(to), bursts?.everyMs ?? 0);
  };
  loop.clock.nextTurn(() => burst(0));
}

/** Counts the settled promises in the same way for all contenders, so that its cost favours none. */
function createTally(loop: Loop) {
  const promises: Promise<unknown>[] = [];
  const tally = { settled: 0, values: 0, askedInTurn: -1, mostInTurn: 0, lastMs: 0, follow, promises };
  let turn = -1;
  let inTurn = 0;

  function settle(): void {
    tally.settled++;
    if (tally.askedInTurn === loop.turns()) return;
    inTurn = turn === loop.turns() ? inTurn + 1 : 1;
    turn = loop.turns();
    if (inTurn > tally.mostInTurn) tally.mostInTurn = inTurn;
  }

  function onValue(): void {
    settle();
    tally.values++;
    tally.lastMs = loop.clock.now();
  }

  function follow(promise: Promise<unknown>): void {
    promise.then(onValue, settle);
    promises.push(promise);
  }

  return tally;
}

async function judge(
  contender: Contender,
  workload: Workload,
  promises: readonly Promise<unknown>[],
): Promise<Pick<SheetResult, "good" | "lost" | "wrong">> {
  let good = 0;
  let lost = 0;
  let wrong = 0;
  const pending = Symbol("pending");
  for (const [index, promise] of promises.entries()) {
    const { store, gtin } = workload.cells[index % workload.cells.length]!;
    const isGood = !isTypo(gtin) && !workload.refused.has(gtin) && !hasNoData(store, gtin);
    const result: unknown = await Promise.race([promise, Promise.resolve(pending)]).catch(() => pending);
    const quantity = result === pending ? null : contender.quantity(result);
    if (isGood) good++;
    if (isGood && result === pending) lost++;
    else if (quantity !== (isGood ? quantityOf(store, gtin) : null)) wrong++;
  }
  return { good, lost, wrong };
}
