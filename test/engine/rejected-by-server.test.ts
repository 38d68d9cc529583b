/** A team's server that rejects calls and says when it may accept one: the engine waits, and then asks with a single call. */
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

it("asks with one call at a time at the latest time that the server gave, and on all connections once that is answered", async () => {
  const waits = [9_100, 3_100, 5_100, 7_100, 4_100, 6_100, 2_000];
  const bed = createTeamBed(({ number }) => {
    const waitMs = waits[number];
    return waitMs === undefined ? undefined : sentBack(waitMs);
  });
  const cells = await ask(bed, sheet(20, 1));
  const [first, second, ...others] = leftMs(bed).slice(6);
  expect(first).toBe(6_100 + latencyMs);
  expect(second).toBe(8_100 + 2 * latencyMs);
  expect(others.slice(0, 6)).toEqual(Array<number>(6).fill(8_100 + 3 * latencyMs));
  expect(tally(cells)).toEqual({ value: 20 });
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

it("sends an edit at once while other calls wait for their time", async () => {
  const bed = createTeamBed(({ number }) => (number < 6 ? sentBack(10_000) : undefined));
  const cells = askAll(bed, sheet(11, 1));
  await bed.clock.advance(2 * latencyMs);
  await bed.clock.advance(3_000);
  await ask(bed, [item(500, 1)]);
  const [edit, ...others] = leftMs(bed).slice(6);
  expect(edit).toBeLessThan(3_500);
  expect(others.slice(0, 2)).toEqual([10_000 + latencyMs, 10_000 + 2 * latencyMs]);
  expect(tally(cells)).toEqual({ value: 11 });
});

it("sends rejected edits at their own time, the first of them alone", async () => {
  const bed = createTeamBed(({ number }) => (number === 0 ? sentBack(5_000) : undefined));
  askAll(bed, [item(1, 1)]);
  await bed.clock.advance(2 * latencyMs);
  await bed.clock.advance(1_000);
  await ask(bed, [item(2, 1)]);
  expect(leftMs(bed)).toEqual([0, 5_000 + latencyMs, 5_000 + 2 * latencyMs]);
});

it("sends one call after a 429 of the service, whatever times the server gave", async () => {
  const bed = createTeamBed(({ number }) => {
    if (number === 0) return new Response("{}", { status: 429, headers: { "retry-after": "8" } });
    return number < 6 ? sentBack(2_000 + number) : undefined;
  });
  await ask(bed, sheet(20, 1));
  const after = leftMs(bed).slice(6);
  expect(after[0]).toBe(8_000 + latencyMs);
  expect(after[1]).toBeGreaterThanOrEqual(8_000 + 2 * latencyMs);
});

it("waits two minutes for a Redis that was replaced, and no longer whatever the server says", async () => {
  const bed = createTeamBed(({ number }) =>
    number < 2 ? sentBack(number === 0 ? 123_000 : 9_999_999, "redis") : undefined,
  );
  await ask(bed, [item(1, 1)]);
  expect(leftMs(bed)).toEqual([0, 123_000 + latencyMs, 253_000 + 2 * latencyMs]);
});

it("asks again after the single call was cancelled", async () => {
  const bed = createTeamBed(({ number }) =>
    number < 6 ? sentBack(5_000) : number === 6 ? "hang" : undefined,
  );
  const ended = Promise.allSettled(sheet(12, 1).map((query) => bed.engine.item(query)));
  await bed.clock.advance(6_000);
  expect(bed.service.of("search")).toHaveLength(7);
  bed.engine.cancel();
  await ended;
  expect(tally(await ask(bed, sheet(12, 1)))).toEqual({ value: 12 });
});

describe("the time that the server gives calls of a refresh or an edit", () => {
  const rejectedOnce = (isFirst: (call: LoggedCall) => boolean) => {
    const bed = createBed({ environment: { kind: "production", pacedBy: "server" } });
    bed.service.script((call) => {
      if (call.operation === "token") return undefined;
      if (!isFirst(call)) return sentBack(30_000);
      return call.operation === "events"
        ? pageOf({ next_page_token: "2" })
        : problem(400, "Invalid request parameters received");
    });
    return bed;
  };

  it("holds back the next page of an edit's history", async () => {
    const bed = rejectedOnce(({ url }) => !url.searchParams.has("page_token"));
    void bed.engine.history(history(500));
    await bed.clock.advance(29_000);
    expect(bed.service.of("events")).toHaveLength(2);
  });

  it("holds back the next call of an edit's bisection", async () => {
    const bed = rejectedOnce(({ values }) => values.length === 4);
    askAll(
      bed,
      [1, 2, 3, 4].map((number) => item(700, number)),
    );
    await bed.clock.advance(29_000);
    expect(bed.service.of("search")).toHaveLength(2);
  });
});

function pageOf(more: object): Response {
  return Response.json({ event_history_item_details: [], ...more });
}
