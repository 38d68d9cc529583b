/** Histories that no other history answers: of another area or other days, or requested before a refresh. */
import { createBed, history, noQuota } from "./bed";

it("requests histories of another area or other days separately", async () => {
  const bed = createBed(noQuota);
  const others = [
    {},
    { locationArea: "BACKROOM" as const },
    { startDate: "2026-11-20" },
    { endDate: "2026-11-20" },
  ];
  await bed.clock.until(Promise.all(others.map((more) => bed.engine.history(history(1, more)))));
  expect(bed.service.of("events")).toHaveLength(4);
});

it("requests a history again if its first page was requested before the refresh", async () => {
  const bed = createBed({
    ...noQuota,
    history: (call) => ({
      store_nbr: call.store,
      gtin: call.url.searchParams.get("gtin"),
      event_history_item_details: [],
      next_page_token: pageToken(call) === null ? "next" : null,
    }),
  });
  await bed.clock.until(bed.engine.history(history(3)));
  void bed.engine.history(history(1));
  await bed.clock.advance(20);
  await bed.clock.until(bed.engine.refresh({ items: [], histories: [history(2), history(1)] }));
  await bed.clock.runAll();
  const ofFirst = bed.service
    .of("events")
    .filter((call) => call.url.searchParams.get("gtin")?.endsWith("01"));
  expect(ofFirst.map(pageToken).sort()).toEqual(["next", "next", null, null]);
});

const pageToken = ({ url }: { readonly url: URL }) => url.searchParams.get("page_token");
