/**
 * Whatever is asked, in whatever order it arrives and whatever the service does, within its limits nothing
 * hangs, nothing gets mixed up, and what can be had is had once the faults are over.
 */
import fc from "fast-check";
import type { ItemQuery } from "../../src/domain/records";
import {
  gateway,
  inventory,
  type LoggedCall,
  offender,
  problem,
  quantityOf,
  record,
  type Scripted,
} from "../helpers/scripted-service";
import { askAll, createBed, type Ended, history, item, typesIn } from "./bed";

type Fault = (call: LoggedCall, version: number) => Scripted;

/** Quantities of another version differ by more than those of other items. */
const versionStep = 1_000_000;

const faults: Readonly<Record<string, Fault>> = {
  none: () => undefined,
  "429": () => new Response("", { status: 429, headers: { "retry-after": "1" } }),
  "429 without a time": () => new Response("", { status: 429 }),
  "500": () => problem(500, "one or more services are unavailable"),
  hang: () => "hang",
  reset: () => "reset",
  "expired token": () => gateway(401, "token validation failed"),
  "not subscribed": () => gateway(403, "not subscribed"),
  "web page": () => new Response("<html>login</html>", { headers: { "content-type": "text/html" } }),
  "wrong address": () => new Response("<html>404</html>", { status: 404 }),
  "broken JSON": () => new Response('{"items":[{"gtin":"000'),
  "other shape": () => Response.json({ items: "none" }),
  "400 without a name": () => problem(400, "invalid request parameters received", []),
  "400 with names": (call) =>
    problem(
      400,
      "invalid",
      call.values.slice(0, 2).map((value, index) => offender(index, value)),
    ),
  "no data": () => problem(404, "No data found"),
  short: (call, version) => Response.json(answerOf(call, call.values.slice(1), version)),
  reordered: (call, version) => Response.json(answerOf(call, [...call.values].reverse(), version)),
  repeated: (call, version) => Response.json(answerOf(call, [...call.values, ...call.values], version)),
  "other store": (call) => inventory({ ...call, store: call.store + 1 }),
  "too large": () => new Response("x".repeat(30_000)),
};

function answerOf(call: LoggedCall, values: readonly string[], version: number): unknown {
  return { store_nbr: call.store, items: values.map((value) => record(call, value, version)) };
}

function keyOf({ storeNumber, value }: ItemQuery): string {
  return `${storeNumber}/${value}`;
}

const faultName = fc.constantFrom(...Object.keys(faults));
const burst = fc.record({
  afterMs: fc.constantFrom(0, 0, 1, 5, 13, 100, 5_000),
  cells: fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 150 })), {
    maxLength: 120,
  }),
  histories: fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(undefined, "SALES", "LR")), {
    maxLength: 4,
  }),
  event: fc.constantFrom("", "", "", "", "cancel", "refresh", "clear", "connect", "try again", "test"),
});

describe("any cells, any arrival, any faults", () => {
  it("settles every promise with its own value or a reason, breaks no limit, and recovers", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(burst, { minLength: 1, maxLength: 6 }),
        fc.array(faultName, { maxLength: 25 }),
        fc.integer(),
        async (bursts, script, seed) => {
          const bed = createBed({
            quota: 40,
            seed,
            maxAnswerBytes: 25_000,
            settings: { freshnessMs: 60_000 },
          });
          const { clock, engine, service } = bed;
          let calls = 0;
          service.script((call) => {
            expect(call.values.length).toBeLessThanOrEqual(100);
            expect(new Set(call.values).size).toBe(call.values.length);
            const name = script[calls++] ?? "none";
            // A token request knows only the faults of the way.
            const isOfData = call.operation === "token" && !/429|500|hang|reset/.test(name);
            const isOfItems =
              call.operation === "events" && /short|reordered|repeated|other store/.test(name);
            return isOfData || isOfItems ? undefined : faults[name]?.(call, service.version);
          });
          const all: { query: ItemQuery; ends: (Ended | undefined)[]; oldest: number }[] = [];
          /** What a refresh that was begun then has to show from its success on, by item. */
          const refreshed = new Map<string, number>();
          let asked = 0;
          let ended = 0;
          for (const { afterMs, cells, histories, event } of bursts) {
            await clock.advance(afterMs);
            for (const [store, number] of cells) {
              const query = item(store, number);
              all.push({ query, ends: askAll(bed, [query]), oldest: refreshed.get(keyOf(query)) ?? 0 });
            }
            for (const [number, eventType] of histories) {
              asked += 1;
              engine
                .history(history(number, eventType === undefined ? {} : { eventType }))
                .then((answer) => {
                  const wanted =
                    eventType === undefined
                      ? ["SALES", "LR", "SALES"]
                      : ["SALES", "LR", "SALES"].filter((type) => type === eventType);
                  if (answer.found) expect(typesIn(answer)).toEqual(wanted);
                })
                .catch((error: unknown) => expect(error).toHaveProperty("code"))
                .finally(() => (ended += 1));
            }
            if (event === "cancel") engine.cancel();
            if (event === "clear") engine.clear();
            if (event === "connect") engine.connect(service.connection);
            if (event === "try again") engine.tryAgain();
            if (event === "test") engine.testConnection().catch(() => undefined);
            if (event === "refresh") {
              const items = all.map(({ query }) => query);
              const version = (service.version += versionStep);
              engine
                .refresh({ items, histories: histories.map(([number]) => history(number)) })
                .then(() => items.forEach((query) => refreshed.set(keyOf(query), version)))
                .catch(() => undefined);
            }
          }
          await clock.runAll();
          // Once more, as when rows are inserted: what is fresh is shown again.
          all.push(
            ...all.map(({ query }) => ({
              query,
              ends: askAll(bed, [query]),
              oldest: refreshed.get(keyOf(query)) ?? 0,
            })),
          );
          await clock.runAll();

          expect(ended).toBe(asked);
          for (const { query, ends, oldest } of all) {
            expect(ends[0]).toBeDefined();
            const { quantity = null, stale = null } = ends[0] ?? {};
            if (quantity === null) continue;
            const version = quantity - quantityOf(query.storeNumber, query.value);
            expect(version % versionStep).toBe(0);
            expect(version).toBeLessThanOrEqual(service.version);
            if (stale === null) expect(version).toBeGreaterThanOrEqual(oldest);
          }
          // A test of the connection, or a refresh of nothing, does not wait for a slot.
          const tests = bursts.filter(({ event }) => event === "test" || event === "refresh").length;
          expect(service.mostInFlight).toBeLessThanOrEqual(6 + tests);
          expect(service.refusals).toBe(0);
          const { cells, busy } = engine.progress();
          expect({ ...cells, busy }).toMatchObject({ waiting: 0, inFlight: 0, busy: false });
          expect(cells.done + cells.failed).toBe(cells.asked);

          service.script(() => undefined);
          engine.tryAgain();
          engine.clear();
          const good = askAll(
            bed,
            all.map(({ query }) => query),
          );
          await clock.runAll();
          all.forEach(({ query }, index) => {
            expect(good[index]?.quantity).toBe(quantityOf(query.storeNumber, query.value, service.version));
          });
          expect(service.refusals).toBe(0);
        },
      ),
      { numRuns: 150 },
    );
  }, 60_000);
});
