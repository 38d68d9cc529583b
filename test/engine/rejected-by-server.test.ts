/** A team's server that rejects calls, each with its own retry time: the engine sends one call at each of these times. */
import { problem, type LoggedCall, type Scripted } from "../helpers/scripted-service";
import { createBed, history, item, sheet, askAll, tally, type Bed, ask } from "./bed";

/** A bed whose environment is paced by the server. The script answers lookups. */
function createTeamBed(script: (call: LoggedCall) => Scripted): Bed {
  const bed = createBed({ environment: { kind: "production", pacedBy: "server" } });
  bed.service.script((call) => (call.operation === "search" ? script(call) : undefined));
  return bed;
}

/** The server's refusal: whole seconds for simple clients, and the exact time. */
function sentBack(waitMs: number, why: "quota" | "redis" = "quota"): Response {
  const headers = {
    "retry-after": String(Math.ceil(waitMs / 1_000)),
    "inv-refusal": why,
    "inv-wait-ms": String(waitMs),
  };
  return new Response("{}", { status: 429, headers });
}

const latencyMs = 80;
/** When each call in the service's log left, in milliseconds since the first. */
function leftMs({ service }: Bed): number[] {
  const sentMs = service.of("search").map(({ sentAtMs }) => sentAtMs);
  return sentMs.map((ms) => Math.round(ms - sentMs[0]!));
}

it("sends one call at each reserved time, the earliest first, and no more meanwhile", async () => {
  const waits = [9_100, 3_100, 5_100, 7_100, 11_100, 13_100];
  const bed = createTeamBed(({ number }) => {
    const waitMs = waits[number];
    return waitMs === undefined ? undefined : sentBack(waitMs);
  });
  const cells = await ask(bed, sheet(6, 1));
  const givenAtMs = [...waits].sort((left, right) => left - right).map((waitMs) => waitMs + latencyMs);
  expect(leftMs(bed)).toEqual([0, 0, 0, 0, 0, 0, ...givenAtMs]);
  expect(tally(cells)).toEqual({ value: 6 });
});

it("sends as many at once as it has connections when all reservations are used", async () => {
  const bed = createTeamBed(({ number }) => (number < 6 ? sentBack(1_000 * (number + 1)) : undefined));
  await ask(bed, sheet(30, 1));
  const atLast = leftMs(bed).filter((ms) => ms === 6_000 + latencyMs);
  expect(atLast).toHaveLength(6);
  expect(bed.service.of("search")).toHaveLength(36);
});

it("waits for the server's Redis as for the quota, reports it, and keeps its pace afterwards", async () => {
  const bed = createTeamBed(({ number }) => (number < 6 ? sentBack(5_000, "redis") : undefined));
  const cells = askAll(bed, sheet(60, 1));
  await bed.clock.advance(2 * latencyMs);
  expect(bed.engine.progress().quota.search).toMatchObject({ awaitsSharedStore: true });
  await bed.clock.advance(5_000);
  expect(bed.engine.progress().quota.search).toMatchObject({ awaitsSharedStore: false });
  await bed.clock.runAll();
  expect(tally(cells)).toEqual({ value: 60 });
  expect(bed.service.of("search")).toHaveLength(66);
});

it("uses whole seconds if the server sends no exact time", async () => {
  const bed = createTeamBed(({ number }) =>
    number === 0
      ? new Response("{}", { status: 429, headers: { "retry-after": "4", "inv-refusal": "quota" } })
      : undefined,
  );
  await ask(bed, [item(1, 1)]);
  expect(leftMs(bed)).toEqual([0, 4_000 + latencyMs]);
});

it("sends an edit at once while other calls wait for their times", async () => {
  const bed = createTeamBed(({ number }) => (number < 6 ? sentBack(10_000 + 1_000 * number) : undefined));
  const cells = askAll(bed, sheet(11, 1));
  await bed.clock.advance(2 * latencyMs);
  await bed.clock.advance(3_000);
  await ask(bed, [item(500, 1)]);
  const [edit, ...others] = leftMs(bed).slice(6);
  expect(edit).toBeLessThan(3_500);
  expect(others.slice(0, 5)).toEqual([10_080, 11_080, 12_080, 13_080, 14_080]);
  expect(tally(cells)).toEqual({ value: 11 });
});

it("sends a rejected edit at its own time", async () => {
  const bed = createTeamBed(({ number }) => (number === 0 ? sentBack(5_000) : undefined));
  askAll(bed, [item(1, 1)]);
  await bed.clock.advance(2 * latencyMs);
  await bed.clock.advance(1_000);
  await ask(bed, [item(2, 1)]);
  expect(leftMs(bed)).toEqual([0, 5_000 + latencyMs, 5_000 + latencyMs]);
});

it("sends one call after a 429 of the service, whatever times the server reserved", async () => {
  const bed = createTeamBed(({ number }) => {
    if (number === 0) return new Response("{}", { status: 429, headers: { "retry-after": "8" } });
    return number < 6 ? sentBack(2_000 + number) : undefined;
  });
  await ask(bed, sheet(20, 1));
  const after = leftMs(bed).slice(6);
  expect(after[0]).toBe(8_000 + latencyMs);
  expect(after[1]).toBeGreaterThanOrEqual(8_000 + 2 * latencyMs);
});

describe("reservations of cancelled calls", () => {
  /** A bed with six reservations that are five seconds old, because their calls were cancelled. */
  async function bedAfterCancel(operation: "search" | "events", script: (call: LoggedCall) => Scripted) {
    const bed = createBed({ environment: { kind: "production", pacedBy: "server" } });
    let isBefore = true;
    bed.service.script((call) => {
      if (call.operation !== operation) return undefined;
      return isBefore ? sentBack(5_000) : script(call);
    });
    const ends =
      operation === "search"
        ? sheet(12, 1).map((query) => bed.engine.item(query))
        : Array.from({ length: 12 }, (_, number) => bed.engine.history(history(number)));
    const ended = Promise.allSettled(ends);
    await bed.clock.advance(2 * latencyMs);
    bed.engine.cancel();
    await ended;
    await bed.clock.advance(10_000);
    isBefore = false;
    const before = bed.service.of(operation).length;
    return { ...bed, sent: () => bed.service.of(operation).length - before };
  }

  it("don't let the calls of a refresh leave before their own time", async () => {
    const bed = await bedAfterCancel("search", () => sentBack(30_000));
    bed.engine.refresh({ items: sheet(12, 1), histories: [] }).catch(() => undefined);
    await bed.clock.advance(10_000);
    // One for each connection.
    expect(bed.sent()).toBe(6);
    await bed.clock.advance(19_000);
    expect(bed.sent()).toBe(6);
  });

  it("don't let the next page of an edit's history leave before its own time", async () => {
    const bed = await bedAfterCancel("events", ({ url }) =>
      url.searchParams.has("page_token") ? sentBack(30_000) : pageOf({ next_page_token: "2" }),
    );
    void bed.engine.history(history(500));
    await bed.clock.advance(10_000);
    expect(bed.sent()).toBe(2);
  });

  it("don't let the next call of an edit's bisection leave before its own time", async () => {
    const bed = await bedAfterCancel("search", ({ values }) =>
      values.length === 4 ? problem(400, "Invalid request parameters received") : sentBack(30_000),
    );
    askAll(
      bed,
      [1, 2, 3, 4].map((number) => item(700, number)),
    );
    await bed.clock.advance(10_000);
    expect(bed.sent()).toBe(2);
  });
});

function pageOf(more: object): Response {
  return Response.json({ event_history_item_details: [], ...more });
}
