/** Histories: all pages are read, cells that can use a page share it, and endless pages do end. */
import { type LoggedCall, problem } from "../helpers/scripted-service";
import { codeOfError, createBed, history, noQuota, typesIn } from "./bed";

const event = (eventType: string, time: string, quantity = "1") => ({
  event_type: eventType,
  event_qty: quantity,
  event_creation_time: `2026-11-${time}`,
  aggregated_qty: "5",
});

function page(call: LoggedCall, events: readonly unknown[], next: string | null): unknown {
  const gtin = call.url.searchParams.get("gtin");
  return { store_nbr: call.store, gtin, event_history_item_details: events, next_page_token: next };
}

const pageToken = (call: LoggedCall) => call.url.searchParams.get("page_token");
const eventType = (call: LoggedCall) => call.url.searchParams.get("event_type");

describe("a history of several pages", () => {
  it("arrives complete and sorted by time, with one call a page", async () => {
    const bed = createBed({
      ...noQuota,
      history: (call) => {
        const number = Number(pageToken(call) ?? 0);
        const next = number < 4 ? String(number + 1) : null;
        return page(call, [event("SALES", `1${9 - number}T10:00:00`)], next);
      },
    });
    const answer = await bed.clock.until(bed.engine.history(history(1)));
    const times = answer.found ? answer.value.map((each) => each.createdAtMs) : [];
    expect(times).toHaveLength(5);
    expect([...times].sort((a, b) => a - b)).toEqual(times);
    expect(bed.service.of("events")).toHaveLength(5);
  });

  it("keeps the order of events of one time, also from a service that lists the newest first", async () => {
    const bed = createBed({
      ...noQuota,
      history: (call) =>
        page(
          call,
          [
            event("SALES", "19T10:00:00", "3"),
            event("SALES", "18T10:00:00", "2"),
            event("SALES", "18T10:00:00", "1"),
          ],
          null,
        ),
    });
    const answer = await bed.clock.until(bed.engine.history(history(1)));
    expect(answer.found && answer.value.map((each) => each.quantity)).toEqual([1, 2, 3]);
  });

  it("continues with the page that failed once", async () => {
    const bed = createBed({
      ...noQuota,
      history: (call) => page(call, [event("SALES", "19T10:00:00")], pageToken(call) === null ? "2" : null),
    });
    bed.service.script((call) =>
      call.operation === "events" && call.number === 1 ? problem(500, "down") : undefined,
    );
    const answer = await bed.clock.until(bed.engine.history(history(1)));
    expect(typesIn(answer)).toEqual(["SALES", "SALES"]);
    expect(bed.service.of("events").map(pageToken)).toEqual([null, "2", "2"]);
  });

  it.each([
    [500, 500],
    [501, "bad-answer"],
  ])("of %i pages is read up to the most pages: %s", async (pages, expected) => {
    const bed = createBed({
      ...noQuota,
      history(call) {
        const number = Number(pageToken(call) ?? 1);
        return page(call, [event("SALES", "19T10:00:00")], number < pages ? String(number + 1) : null);
      },
    });
    const ended = bed.engine.history(history(1)).then((answer) => typesIn(answer).length, codeOfError);
    expect(await bed.clock.until(ended)).toBe(expected);
  });

  it.each([
    ["is refused", () => problem(400, "Invalid request parameters received.")],
    ["is not found", () => problem(404, "Data not found for the given request parameters.")],
  ])("whose second page %s is an error, not an empty history", async (_, refusal) => {
    const bed = createBed({
      ...noQuota,
      history: (call) => page(call, [event("SALES", "19T10:00:00")], pageToken(call) === null ? "2" : null),
    });
    bed.service.script((call) => (call.operation === "events" && call.number === 1 ? refusal() : undefined));
    await expect(bed.clock.until(bed.engine.history(history(1)))).rejects.toMatchObject({
      code: "bad-answer",
    });
    const again = await bed.clock.until(bed.engine.history(history(1)));
    expect(typesIn(again)).toEqual(["SALES", "SALES"]);
  });

  it.each<[string, (call: LoggedCall) => string, number]>([
    ["repeats a token", (call) => (pageToken(call) === "a" ? "b" : "a"), 4],
    ["never ends", (call) => String(Number(pageToken(call) ?? 0) + 1), 501],
  ])("that %s is an error", async (_, next, most) => {
    const bed = createBed({
      ...noQuota,
      history: (call) => page(call, [event("SALES", "19T10:00:00")], next(call)),
    });
    await expect(bed.clock.until(bed.engine.history(history(1)))).rejects.toMatchObject({
      code: "bad-answer",
    });
    expect(bed.service.of("events").length).toBeLessThanOrEqual(most);
  });
});

describe("a history requested before a refresh", () => {
  it("does not replace the newer one, even after the next refresh", async () => {
    const bed = createBed({
      ...noQuota,
      history: (call) => page(call, [event("SALES", "19T10:00:00", String(call.number))], null),
    });
    const quantity = async () => {
      const answer = await bed.clock.until(bed.engine.history(history(1)));
      return answer.found ? answer.value.map((each) => each.quantity) : [];
    };
    const one = { items: [], histories: [history(1)] };
    await bed.clock.until(bed.engine.history(history(2)));
    bed.service.latencyMs = 10_000;
    void bed.engine.history(history(1));
    await bed.clock.advance(6_000);
    bed.service.latencyMs = 80;
    await bed.clock.until(bed.engine.refresh(one));
    expect(await quantity()).toEqual([2]);
    await bed.clock.until(bed.engine.refresh({ items: [], histories: [history(2), history(1)] }));
    bed.service.script(() => problem(500, "down"));
    await bed.clock.runAll();
    bed.engine.configure({ freshnessMs: 0 });
    expect(await quantity()).toEqual([4]);
  });

  it("is as old as its first page: a refresh asks again if that is too old for it", async () => {
    const bed = createBed({
      ...noQuota,
      history: (call) =>
        page(call, [], pageToken(call) === null ? "2" : pageToken(call) === "2" ? "3" : null),
    });
    bed.service.latencyMs = 14_000;
    await bed.clock.until(bed.engine.history(history(1)));
    expect(bed.service.of("events")).toHaveLength(3);
    bed.service.latencyMs = 80;
    const work = { items: [], histories: [history(1)] };
    await bed.clock.until(bed.engine.refresh(work, { ageMs: 50_000 }));
    expect(bed.service.of("events")).toHaveLength(3);
    await bed.clock.until(bed.engine.refresh(work, { ageMs: 35_000 }));
    expect(bed.service.of("events")).toHaveLength(6);
  });

  it("requests a history again if its first page was requested before the refresh", async () => {
    const bed = createBed({
      ...noQuota,
      history: (call) => page(call, [], pageToken(call) === null ? "next" : null),
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
});

describe("histories that can share", () => {
  it("doesn't answer a type that is requested after a clear with the whole history requested before it", async () => {
    const bed = createBed({
      ...noQuota,
      history: (call) => page(call, [event("SALES", "19T10:00:00", String(call.number))], null),
    });
    await bed.clock.until(bed.engine.history(history(2)));
    void bed.engine.history(history(1));
    await bed.clock.advance(20);
    bed.engine.clear();
    const sales = await bed.clock.until(bed.engine.history(history(1, { eventType: "SALES" })));
    expect(sales.found && sales.value.map((each) => each.quantity)).toEqual([2]);
  });

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

  it("requests equal histories once, with or without the default area", async () => {
    const bed = createBed(noQuota);
    const all = [history(1), history(1), history(1, { locationArea: "STORE" })].map((query) =>
      bed.engine.history(query),
    );
    await bed.clock.until(Promise.all(all));
    expect(bed.service.of("events")).toHaveLength(1);
  });

  it.each([
    ["requested after the whole history", [undefined, "SALES", "LR"]],
    ["requested before the whole history", ["SALES", "LR", undefined]],
  ])("answers one event type with the whole history, %s", async (_, types) => {
    const bed = createBed(noQuota);
    const answers = await bed.clock.until(
      Promise.all(
        types.map((type) => bed.engine.history(history(1, type === undefined ? {} : { eventType: type }))),
      ),
    );
    const expected: Record<string, string[]> = {
      all: ["SALES", "LR", "SALES"],
      SALES: ["SALES", "SALES"],
      LR: ["LR"],
    };
    answers.forEach((answer, index) => expect(typesIn(answer)).toEqual(expected[types[index] ?? "all"]));
    expect(bed.service.of("events")).toHaveLength(1);
  });

  it("requests a single event type with its filter", async () => {
    const bed = createBed(noQuota);
    await bed.clock.until(bed.engine.history(history(1, { eventType: "LR" })));
    expect(bed.service.of("events").map(eventType)).toEqual(["LR"]);
  });

  it("answers one event type from a fresh whole history without a call, but not from a stale one", async () => {
    const bed = createBed({ ...noQuota, settings: { freshnessMs: 60_000 } });
    await bed.clock.until(bed.engine.history(history(1)));
    const part = await bed.clock.until(bed.engine.history(history(1, { eventType: "LR" })));
    expect(typesIn(part)).toEqual(["LR"]);
    expect(bed.service.of("events")).toHaveLength(1);
    await bed.clock.advance(61_000);
    await bed.clock.until(bed.engine.history(history(1, { eventType: "LR" })));
    expect(bed.service.of("events").map(eventType)).toEqual([null, "LR"]);
  });

  it("requests a part on its own if the whole history can't be read", async () => {
    const bed = createBed({ ...noQuota, maxAnswerBytes: 5_000 });
    bed.service.script((call) =>
      call.operation === "events" && eventType(call) === null ? new Response("x".repeat(9_000)) : undefined,
    );
    const whole = bed.engine.history(history(1)).catch(codeOfError);
    const part = bed.engine.history(history(1, { eventType: "LR" }));
    await bed.clock.runAll();
    expect(await whole).toBe("too-large");
    expect(typesIn(await part)).toEqual(["LR"]);
  });

  it("requests the parts of a refresh on their own if the whole history is unreadable", async () => {
    const bed = createBed({ ...noQuota, maxAnswerBytes: 5_000 });
    bed.service.script((call) =>
      call.operation === "events" && eventType(call) === null ? new Response("x".repeat(9_000)) : undefined,
    );
    const parts = ["SALES", "LR"].map((type) => history(1, { eventType: type }));
    const first = history(2, { eventType: "LR" });
    await bed.clock.until(bed.engine.refresh({ items: [], histories: [first, ...parts] }));
    await bed.clock.runAll();
    const known = parts.map((query) => bed.engine.cachedHistory(query));
    expect(known.map((answer) => answer && typesIn(answer))).toEqual([["SALES", "SALES"], ["LR"]]);
  });

  it("caches that a history has no data", async () => {
    const bed = createBed({
      ...noQuota,
      history: () => problem(404, "Data not found for the given request parameters."),
    });
    const answer = await bed.clock.until(bed.engine.history(history(1)));
    expect(answer).toMatchObject({ found: false, error: { code: "no-history" } });
    await bed.clock.until(bed.engine.history(history(1)));
    expect(bed.service.of("events")).toHaveLength(1);
  });

  it("shows the last known history if the new one does not arrive", async () => {
    const bed = createBed({ ...noQuota, settings: { freshnessMs: 60_000 } });
    await bed.clock.until(bed.engine.history(history(1)));
    await bed.clock.advance(61_000);
    bed.service.script(() => problem(503, "down"));
    const whole = await bed.clock.until(bed.engine.history(history(1)));
    const part = await bed.clock.until(bed.engine.history(history(1, { eventType: "LR" })));
    expect(whole.staleBecause?.code).toBe("service-down");
    expect(typesIn(part)).toEqual(["LR"]);
    expect(part.staleBecause?.code).toBe("service-down");
  });
});

describe("event types requested together", () => {
  const grid = (types: readonly string[], gtins: number) =>
    types.flatMap((type) =>
      Array.from({ length: gtins }, (_, index) => history(index + 1, { eventType: type })),
    );
  /** The whole history has `count` pages; each filter has one. */
  const pages = (count: number) => (call: LoggedCall) => {
    const number = Number(pageToken(call) ?? 1);
    const next = eventType(call) === null && number < count ? String(number + 1) : null;
    return page(call, [event(eventType(call) ?? "SALES", "19T10:00:00")], next);
  };

  it.each([
    [6, 1, "whole"],
    [6, 3, "whole"],
    [2, 2, "whole"],
    [2, 3, "filters"],
  ])("%i types of a history of %i pages are requested the cheaper way: %s", async (types, count, way) => {
    const bed = createBed({ ...noQuota, history: pages(count) });
    const histories = grid(["A", "B", "C", "D", "E", "F"].slice(0, types), 20);
    await bed.clock.until(bed.engine.history(history(1)));
    await bed.clock.until(
      Promise.all(Array.from({ length: 20 }, (_, index) => bed.engine.history(history(index + 1)))),
    );
    const before = bed.service.of("events").length;
    const price = bed.engine.price({ items: [], histories }).eventCallsAtLeast;
    expect(price).toBe(20 * Math.min(count, types));
    await bed.clock.until(bed.engine.refresh({ items: [], histories }));
    await bed.clock.until(Promise.all(histories.map((query) => bed.engine.history(query))));
    expect(bed.service.of("events").length - before).toBe(price);
    const isFiltered = bed.service
      .of("events")
      .slice(before)
      .map((call) => eventType(call) !== null);
    expect(new Set(isFiltered)).toEqual(new Set([way === "filters"]));
  });

  it("are requested as whole histories until their pages are known, and each cell gets only its type", async () => {
    const bed = createBed(noQuota);
    const histories = grid(["SALES", "LR"], 3);
    const answers = await bed.clock.until(Promise.all(histories.map((query) => bed.engine.history(query))));
    expect(bed.service.of("events").map(eventType)).toEqual([null, null, null]);
    expect(answers.map((answer) => typesIn(answer).join())).toEqual([
      ...Array<string>(3).fill("SALES,SALES"),
      ...Array<string>(3).fill("LR"),
    ]);
  });
});
