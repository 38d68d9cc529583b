/**
 * What INV does and its alternatives don't: their documentation has nothing for it, so there is nothing to compare. On virtual
 * time, with the service's quota, over the engine that the other tables measure.
 */
import type { ItemQuery, Query } from "../../src/domain/records";
import { isAnswered, type Engine, type Outcome } from "../../src/engine/types";
import { connectedEngine } from "./contenders";
import { createService } from "./service";
import { pass } from "./sheet-run";
import { createVirtualLoop, type Loop } from "./virtual-loop";
import { makeWorkloads } from "./workloads";

export interface AloneResult {
  /** A refresh whose service answers 503 from the first minute on, for five minutes, and then a refresh of the rest. */
  readonly outage: {
    readonly callsMeanwhile: number;
    /** Cells with new values, and with their last known ones, when the service failed. */
    readonly fresh: number;
    readonly kept: number;
    /** Cells without their new value in the end. */
    readonly withoutValue: number;
    readonly calls: number;
  };
  /** A refresh that is cancelled after a minute. */
  readonly cancel: {
    readonly settledAfterMs: number;
    /** The same in real time, in which the machine settles the cells. */
    readonly settledAfterRealMs: number;
    readonly callsAfter: number;
    readonly fresh: number;
    readonly kept: number;
    readonly withoutValue: number;
  };
  /** Two refreshes of 4,000 cells, half a minute apart. */
  readonly again: { readonly calls: number; readonly callsOfSecond: number };
}

const quota = 600;
const minuteMs = 60_000;

interface Bed {
  readonly loop: Loop;
  readonly engine: Engine;
  readonly calls: () => number;
  /** Whether the service answers 503 to everything. */
  isDown: boolean;
}

export async function measureAlone(): Promise<AloneResult> {
  const cells = makeWorkloads()
    .find(({ id }) => id === "c")!
    .cells.map(({ store, gtin }): ItemQuery => ({ storeNumber: store, itemType: "gtin", value: gtin }));
  const few = cells.filter(({ storeNumber }) => storeNumber < 1_160);
  return { outage: await outage(cells), cancel: await cancel(cells), again: await again(few) };
}

async function outage(cells: readonly ItemQuery[]): Promise<AloneResult["outage"]> {
  const bed = await filled(cells);
  let callsBefore = 0;
  const cut = await refresh(bed, cells, {
    afterAMinute() {
      bed.isDown = true;
      callsBefore = bed.calls();
    },
  });
  await pass(bed.loop, 5 * minuteMs);
  const callsMeanwhile = bed.calls() - callsBefore;
  bed.isDown = false;
  bed.engine.tryAgain();
  const rest = await refresh(bed, cut.kept, { continues: true });
  return {
    callsMeanwhile,
    fresh: cut.fresh,
    kept: cut.kept.length,
    withoutValue: cells.length - cut.fresh - rest.fresh,
    calls: cut.calls + rest.calls,
  };
}

async function cancel(cells: readonly ItemQuery[]): Promise<AloneResult["cancel"]> {
  const bed = await filled(cells);
  let cancelledAtMs = 0;
  let cancelledAtRealMs = 0;
  let callsBefore = 0;
  const { fresh, kept, lastMs, lastRealMs } = await refresh(bed, cells, {
    afterAMinute() {
      cancelledAtMs = bed.loop.clock.now();
      cancelledAtRealMs = performance.now();
      callsBefore = bed.calls();
      bed.engine.cancel();
    },
  });
  await pass(bed.loop, 5 * minuteMs);
  return {
    settledAfterMs: lastMs - cancelledAtMs,
    settledAfterRealMs: lastRealMs - cancelledAtRealMs,
    callsAfter: bed.calls() - callsBefore,
    fresh,
    kept: kept.length,
    withoutValue: cells.length - fresh - kept.length,
  };
}

async function again(cells: readonly ItemQuery[]): Promise<AloneResult["again"]> {
  const bed = await filled(cells);
  const { calls } = await refresh(bed, cells);
  await pass(bed.loop, minuteMs / 2);
  return { calls, callsOfSecond: (await refresh(bed, cells)).calls };
}

/** An engine that has an answer for each cell, of an hour ago. */
async function filled(queries: readonly ItemQuery[]): Promise<Bed> {
  const loop = createVirtualLoop();
  const service = createService(loop.clock, { quota, refused: new Set() });
  let calls = 0;
  const transport = (request: Request): Promise<Response> => {
    if (!request.url.endsWith("/token")) calls += 1;
    if (!bed.isDown) return service.transport(request);
    return new Promise((resolve) => {
      loop.clock.setTimeout(() => resolve(new Response("{}", { status: 503 })), 80);
    });
  };
  const engine = connectedEngine({ clock: loop.clock, transport, quota, baseUrl: "https://service.example" });
  const bed: Bed = { loop, engine, calls: () => calls, isDown: false };
  let open = queries.length;
  for (const query of queries) void engine.item(query).finally(() => (open -= 1));
  await loop.run(() => open === 0);
  await pass(loop, 60 * minuteMs);
  return bed;
}

interface Refreshed {
  readonly fresh: number;
  readonly kept: readonly ItemQuery[];
  readonly calls: number;
  /** When the last cell settled, in virtual and in real time. */
  readonly lastMs: number;
  readonly lastRealMs: number;
}

/** Refreshes, and says what became of each cell. */
async function refresh(
  { loop, engine, calls }: Bed,
  items: readonly ItemQuery[],
  {
    continues = false,
    afterAMinute,
  }: { readonly continues?: boolean; readonly afterAMinute?: () => void } = {},
): Promise<Refreshed> {
  const callsBefore = calls();
  const kept: ItemQuery[] = [];
  let fresh = 0;
  let lastMs = loop.clock.now();
  let lastRealMs = 0;
  const settled = (query: Query, outcome: Outcome<unknown>): void => {
    lastMs = loop.clock.now();
    lastRealMs = performance.now();
    if (!isAnswered(outcome)) return;
    if (outcome.staleBecause === undefined) fresh += 1;
    else kept.push(query as ItemQuery);
  };
  let hasEnded = false;
  const end = (): void => void (hasEnded = true);
  void engine.refresh({ items, histories: [] }, { settled, continues }).then(end, end);
  if (afterAMinute) loop.clock.setTimeout(afterAMinute, minuteMs);
  await loop.run(() => hasEnded);
  return { fresh, kept, calls: calls() - callsBefore, lastMs, lastRealMs };
}
