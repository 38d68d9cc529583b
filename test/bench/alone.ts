/**
 * What INV does and its alternatives don't: their documentation has nothing for it, so there is nothing to compare. On virtual
 * time, with the service's quota, over the engine that the other tables measure.
 */
import type { ItemQuery, Query } from "../../src/domain/records";
import { isAnswered, type Engine, type Outcome } from "../../src/engine/types";
import { connectedEngine } from "./contenders";
import { table } from "./figures";
import { createService } from "./service";
import { pass } from "./sheet-run";
import { createVirtualLoop, type Loop } from "./virtual-loop";
import { makeWorkloads, type Cell } from "./workloads";

const quota = 600;
const minuteMs = 60_000;

interface Bed {
  readonly loop: Loop;
  readonly engine: Engine;
  readonly calls: () => number;
  /** Whether the service answers 503 to everything. */
  isDown: boolean;
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
  readonly errors: number;
  readonly calls: number;
  readonly tookMs: number;
}

/** Refreshes, and says what became of each cell. `meanwhile` runs when the refresh has begun. */
async function refresh(
  { loop, engine, calls }: Bed,
  items: readonly ItemQuery[],
  { continues = false, meanwhile }: { readonly continues?: boolean; readonly meanwhile?: () => void } = {},
): Promise<Refreshed> {
  const startMs = loop.clock.now();
  const callsBefore = calls();
  const kept: ItemQuery[] = [];
  let fresh = 0;
  let errors = 0;
  let lastMs = startMs;
  const settled = (query: Query, outcome: Outcome<unknown>): void => {
    lastMs = loop.clock.now();
    if (!isAnswered(outcome)) errors += 1;
    else if (outcome.staleBecause === undefined) fresh += 1;
    else kept.push(query as ItemQuery);
  };
  let hasEnded = false;
  const end = (): void => void (hasEnded = true);
  void engine.refresh({ items, histories: [] }, { settled, continues }).then(end, end);
  meanwhile?.();
  await loop.run(() => hasEnded);
  return { fresh, kept, errors, calls: calls() - callsBefore, tookMs: lastMs - startMs };
}

const queryOf = ({ store, gtin }: Cell): ItemQuery => ({ storeNumber: store, itemType: "gtin", value: gtin });

export async function measureAlone(): Promise<{ text: string; isHonoured: boolean }> {
  const cells = makeWorkloads()
    .find(({ id }) => id === "c")!
    .cells.map(queryOf);

  const outage = await filled(cells);
  let callsWhileDown = 0;
  const cut = await refresh(outage, cells, {
    meanwhile() {
      outage.loop.clock.setTimeout(() => {
        outage.isDown = true;
        callsWhileDown = -outage.calls();
      }, minuteMs);
    },
  });
  await pass(outage.loop, 5 * minuteMs);
  callsWhileDown += outage.calls();
  outage.isDown = false;
  outage.engine.tryAgain();
  const rest = await refresh(outage, cut.kept, { continues: true });

  const cancelled = await filled(cells);
  let cancelledAtMs = 0;
  let callsAtCancel = 0;
  const stopped = await refresh(cancelled, cells, {
    meanwhile() {
      cancelled.loop.clock.setTimeout(() => {
        cancelledAtMs = cancelled.loop.clock.now();
        callsAtCancel = cancelled.calls();
        cancelled.engine.cancel();
      }, minuteMs);
    },
  });
  const untilSettledMs = cancelled.loop.clock.now() - cancelledAtMs;
  await pass(cancelled.loop, 5 * minuteMs);
  const callsAfterCancel = cancelled.calls() - callsAtCancel;

  const few = cells.filter(({ storeNumber }) => storeNumber < 1_160);
  const again = await filled(few);
  const first = await refresh(again, few);
  await pass(again.loop, minuteMs / 2);
  const second = await refresh(again, few);

  const rows = [
    ["service down for five minutes: calls meanwhile", callsWhileDown],
    ["cells with new values before", cut.fresh],
    ["cells that keep their last known value", cut.kept.length],
    ["cells with an error or none", cut.errors + rest.errors],
    ["calls of the refresh and its rest together", cut.calls + rest.calls],
    ["cancel after a minute: ms until every cell has settled", untilSettledMs],
    ["calls after the cancel", callsAfterCancel],
    ["cells that keep their last known value", stopped.kept.length],
    ["4,000 cells at 160 stores refreshed: calls", first.calls],
    ["refreshed again within a minute: calls", second.calls],
  ] as const;
  const isHonoured =
    cut.errors + rest.errors + stopped.errors === 0 &&
    cut.fresh + rest.fresh === cells.length &&
    callsAfterCancel === 0 &&
    second.calls === 0;
  const text = `## What only INV does

A refresh of 100,000 cells at 4,000 stores whose values are an hour old, with 600 calls in any 60 s. The service fails, or a person
cancels, after a minute. Peers have no refresh, no last known value and no cancel.
[Forty people with one template](team-results.md) cost 200 calls for 8,040 answers.

${table(
  ["event", "INV"],
  rows.map(([title, value]) => [title, value.toLocaleString("en-US")]),
)}
`;
  return { text, isHonoured };
}
