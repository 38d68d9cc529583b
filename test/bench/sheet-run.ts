/**
 * One sheet through one contender on virtual time: asks every cell as Excel would, waits for all of them, and
 * where wanted looks at every single value. What is counted while the clock runs is kept small, because it is
 * part of the processor time.
 */
import type { Contender } from "./contenders";
import type { Service } from "./service";
import { createTally } from "./tally";
import type { VirtualLoop } from "./virtual-loop";
import { hasNoData, isTypo, quantityOf, type Workload } from "./workloads";

/** What can be told without a look at the values. */
export interface Calculation {
  readonly calls: number;
  /** Calls the service refused because of its quota. */
  readonly refusals: number;
  /** Virtual time from the first cell to the first and to the last value; null where no value came. */
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  readonly cpuMs: number;
  readonly turns: number;
  /** Cells that never settled. */
  readonly stuck: number;
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
  readonly loop: VirtualLoop;
  readonly service: Service;
}

/** Calculates the sheet and looks at every value. */
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
    for (let index = from; index < to; index++) tally.follow(contender.ask(workload.cells[index]!));
  };

  const startMs = loop.clock.now();
  const cpu = process.cpuUsage();
  const turnsBefore = loop.turns();
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
    firstMs: tally.values === 0 ? null : tally.firstMs - startMs,
    lastMs: tally.values === 0 ? null : tally.lastMs - startMs,
    cpuMs: (used.user + used.system) / 1000,
    turns: loop.turns() - turnsBefore,
    mostSettledInTurn: tally.mostInTurn,
    longestTurnMs: loop.takeLongestTurnMs(),
    stuck: asked - tally.settled,
  };
  return { promises: tally.promises, calculation };
}

/** Then waits a minute, so that nothing of the preparation counts against the quota. */
async function prepare({ loop, service }: Bench, contender: Contender): Promise<void> {
  let isReady = false;
  void contender.prepare().then(() => (isReady = true));
  await loop.run(() => isReady);
  const restedMs = loop.clock.now() + 61_000;
  loop.clock.setTimeout(() => undefined, 61_000);
  await loop.run(() => loop.clock.now() >= restedMs);
  service.reset();
}

/** Each burst sets off the next, so that a timer due at the same moment runs before it, as it would in a host. */
function startBursts(loop: VirtualLoop, workload: Workload, ask: (from: number, to: number) => void): void {
  const { cells, bursts } = workload;
  const size = bursts?.cells ?? cells.length;
  const burst = (from: number): void => {
    const to = Math.min(from + size, cells.length);
    ask(from, to);
    if (to < cells.length) loop.clock.setTimeout(() => burst(to), bursts?.everyMs ?? 0);
  };
  loop.clock.nextTurn(() => burst(0));
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
