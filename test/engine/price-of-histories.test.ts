/**
 * The cost of histories whose pages have been seen, in every state of the cache: fresh, stale, one event type, the whole,
 * several pages, or one that can't be read to its end. The predicted cost equals the calls that follow.
 */
import { fc } from "../helpers/properties";
import type { HistoryQuery } from "../../src/domain/records";
import type { LoggedCall } from "../helpers/scripted-service";
import { createBed, history, item, noQuota } from "./bed";

const types = [undefined, "SALES", "LR", "RC"] as const;

/** One history at the service: pages of the whole and of each type, and whether the whole's last page is broken. */
const atService = fc.record({
  pages: fc.tuple(...types.map((type) => fc.integer({ min: 1, max: type === undefined ? 5 : 3 }))),
  isBroken: fc.boolean(),
});
type AtService = typeof atService extends fc.Arbitrary<infer T> ? T : never;

const numbers = [1, 2, 3];
const all = numbers.flatMap((number) =>
  types.map((eventType) => history(number, eventType === undefined ? {} : { eventType })),
);
/** Histories to request, with the wait before each. */
const visits = fc.array(fc.tuple(fc.constantFrom(...all), fc.constantFrom(0, 61_000)), { maxLength: 8 });
const wanted = fc.shuffledSubarray(all, { minLength: 1 });

function served(histories: readonly AtService[]) {
  return ({ url }: LoggedCall): unknown => {
    const gtin = Number(url.searchParams.get("gtin"));
    const eventType = url.searchParams.get("event_type") ?? undefined;
    const page = Number(url.searchParams.get("page_token") ?? 1);
    const { pages, isBroken } = histories[gtin - 1]!;
    const last = pages[types.indexOf(eventType as (typeof types)[number])]!;
    if (page === last && eventType === undefined && isBroken) return new Response("{");
    const event = {
      event_type: eventType ?? "SALES",
      event_qty: "1",
      event_creation_time: "2026-11-19T10:00:00",
      aggregated_qty: "5",
    };
    return { event_history_item_details: [event], next_page_token: page < last ? String(page + 1) : null };
  };
}

it("the price of histories with known pages equals the calls that follow", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(atService, atService, atService),
      visits,
      wanted,
      async (histories, before, queries: HistoryQuery[]) => {
        const bed = createBed({
          ...noQuota,
          history: served(histories),
          settings: { freshnessMs: 60_000 },
        });
        const ask = (query: HistoryQuery) => bed.engine.history(query).catch(() => undefined);
        // Each type is requested by itself, to see its pages, and then the whole history.
        for (const query of [...all.filter(({ eventType }) => eventType !== undefined), ...all]) {
          await bed.clock.until(ask(query));
        }
        for (const [query, waitMs] of before) {
          await bed.clock.advance(waitMs);
          await bed.clock.until(ask(query));
        }
        // The refresh starts with an item, so that an unreadable history doesn't stop it.
        const work = { items: [item(1, 1)], histories: queries };
        const sent = bed.service.of("events").length;
        const price = bed.engine.price(work).eventCallsAtLeast;
        const askMarked = (query: HistoryQuery) =>
          bed.engine.history(query, "Plan!A1").catch(() => undefined);
        await bed.clock.until(bed.engine.refresh(work, { isMarked: () => true }));
        await bed.clock.until(Promise.all(queries.map(askMarked)));
        await bed.clock.runAll();
        expect(bed.service.of("events").length - sent).toBe(price);
      },
    ),
    { numRuns: 40 },
  );
});

it("the spending question counts the known pages", async () => {
  const others = Array.from({ length: 20 }, (_, index) => history(index + 2, { eventType: "LR" }));
  const sales = history(1, { eventType: "SALES" });
  const pages: AtService["pages"] = [4, 3, 1, 1];
  const all21 = [sales, ...others].map(() => ({ pages, isBroken: false }));
  const settings = { freshnessMs: 60_000, askAboveCalls: 5 };
  const environment = { kind: "production" as const };
  const bed = createBed({ ...noQuota, history: served(all21), settings, environment });
  await bed.clock.until(bed.engine.history(sales));
  await bed.clock.advance(120_000);
  for (const query of [...others, sales]) void bed.engine.history(query);
  await bed.clock.advance(1_000);
  expect(bed.engine.spendingQuestion()?.calls).toEqual({ search: 0, events: 15 + 3 });
});
