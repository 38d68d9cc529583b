/**
 * The guard on the cost of a fill-down: some calls leave without asking, the visible sheet's first. The rest waits for an
 * answer, and continues slowly without one. Nothing ever hangs.
 */
import type { ItemQuery } from "../../src/domain/records";
import { inventory, type LoggedCall, problem } from "../helpers/scripted-service";
import { askAll, type Bed, createBed, item } from "./bed";

const holdMs = 30_000;

/** Each cell needs one call, because every store has one item. */
const fillDown = (calls: number, from = 0): ItemQuery[] =>
  Array.from({ length: calls }, (_, index) => item(from + index, 1));

function createGuardedBed(
  options: { readonly kind?: "production" | "demo"; readonly askAboveCalls?: number } = {},
): Bed {
  const { kind = "production", askAboveCalls = 10 } = options;
  return createBed({ quota: 60, settings: { askAboveCalls }, environment: { kind } });
}

const rejected = () =>
  new Response("{}", { status: 429, headers: { "inv-refusal": "quota", "inv-wait-ms": "100" } });

function cached(call: LoggedCall): Response {
  const response = inventory(call);
  response.headers.set("inv-cached", "1");
  return response;
}

const sent = ({ service }: Bed): number => service.of("search").length;
const settled = (ended: readonly unknown[]): number => ended.filter((end) => end !== undefined).length;

function mostInAMinute({ service }: Bed, fromMs: number): number {
  const times = service.of("search").map(({ sentAtMs }) => sentAtMs);
  const later = times.filter((atMs) => atMs >= fromMs);
  return Math.max(
    0,
    ...later.map((atMs) => times.filter((other) => other > atMs - 60_000 && other <= atMs).length),
  );
}

it.each([1, 9, 10])("does not ask about %i calls", async (calls) => {
  const bed = createGuardedBed();
  const ended = askAll(bed, fillDown(calls));
  await bed.clock.advance(100);
  expect(bed.engine.spendingQuestion()).toBeNull();
  await bed.clock.advance(20_000);
  expect(settled(ended)).toBe(calls);
});

it("holds back calls above the limit, reports their price, and continues with half of the quota", async () => {
  const bed = createGuardedBed();
  const startedMs = bed.clock.now();
  const ended = askAll(bed, fillDown(80));
  await bed.clock.advance(100);
  const first = bed.engine.spendingQuestion();
  expect(first?.continuesAtMs).toBeLessThanOrEqual(startedMs + holdMs + 100);
  await bed.clock.advance(20_000);
  expect(sent(bed)).toBe(10);
  expect(settled(ended)).toBe(10);
  expect(bed.engine.spendingQuestion()).toMatchObject({
    calls: { search: 70, events: 0 },
    continuesAtMs: first?.continuesAtMs,
  });
  expect(bed.engine.spendingQuestion()?.durationMs).toBeGreaterThan(1_000);

  await bed.clock.advance(5 * 60_000);
  expect(settled(ended)).toBe(80);
  expect(mostInAMinute(bed, startedMs)).toBeLessThanOrEqual(30);
  expect(bed.engine.spendingQuestion()).toBeNull();
  expect(bed.engine.progress().busy).toBe(false);
});

it("sends everything after the approval, without asking again when the quota pauses", async () => {
  const bed = createGuardedBed();
  const ended = askAll(bed, fillDown(150));
  await bed.clock.advance(5_000);
  bed.engine.approveSpending();
  const asked: unknown[] = [];
  bed.engine.subscribe(() => asked.push(bed.engine.spendingQuestion()));
  await bed.clock.advance(65_000);
  expect(sent(bed)).toBeGreaterThan(60);
  await bed.clock.advance(4 * 60_000);
  expect(settled(ended)).toBe(150);
  expect(asked.every((question) => question === null)).toBe(true);
});

it("sends nothing more after a cancel, and asks again about the next fill-down", async () => {
  const bed = createGuardedBed();
  const ended = askAll(bed, fillDown(80));
  await bed.clock.advance(20_000);
  bed.engine.cancel();
  await bed.clock.advance(5 * 60_000);
  expect(settled(ended)).toBe(80);
  expect(sent(bed)).toBe(10);
  expect(bed.engine.spendingQuestion()).toBeNull();
  askAll(bed, fillDown(30, 2_000));
  await bed.clock.advance(20_000);
  expect(sent(bed)).toBe(20);
  expect(bed.engine.spendingQuestion()).toMatchObject({ calls: { search: 20 } });
});

describe("asks again about the next fill-down, an hour after one that", () => {
  const outage = (bed: Bed): void => bed.service.script(() => problem(503, "down"));
  const refusal = (bed: Bed): void => bed.service.script(() => problem(403, "not subscribed"));
  const well = (bed: Bed): void => {
    bed.service.script(() => undefined);
    bed.engine.tryAgain();
  };

  it.each([
    ["ended in an outage after approval", outage, true],
    ["ended in an outage without an answer", outage, false],
    ["was refused after approval", refusal, true],
    ["was refused without an answer", refusal, false],
  ])("%s", async (_, fails, isApproved) => {
    const bed = createGuardedBed({ askAboveCalls: 5 });
    const first = askAll(bed, fillDown(80));
    await bed.clock.advance(2_000);
    expect(bed.engine.spendingQuestion()).not.toBeNull();
    if (isApproved) bed.engine.approveSpending();
    fails(bed);
    await bed.clock.advance(5 * 60_000);
    expect(settled(first)).toBe(80);
    await bed.clock.advance(60 * 60_000);
    well(bed);
    const before = sent(bed);
    askAll(bed, fillDown(60, 2_000));
    expect(bed.engine.spendingQuestion()).toBeNull();
    await bed.clock.advance(20_000);
    expect(sent(bed) - before).toBe(5);
    expect(bed.engine.spendingQuestion()).toMatchObject({ calls: { search: 55 } });
  });
});

it("treats work as one burst while calls are in flight, however slow the service is", async () => {
  const bed = createGuardedBed();
  const queries = fillDown(40);
  bed.service.latencyMs = 14_000;
  await bed.clock.until(bed.engine.refresh({ items: queries, histories: [] }));
  const ended = askAll(bed, queries);
  await bed.clock.advance(5_000);
  expect(bed.engine.spendingQuestion()).toBeNull();
  await bed.clock.advance(3 * 60_000);
  expect(settled(ended)).toBe(40);
});

it.each([
  ["rejected by the team's server", rejected, [20]],
  ["answered from the company's cache", cached, [12, 20]],
])("doesn't count calls that were %s", async (_, free, rounds) => {
  const bed = createBed({
    quota: 60,
    settings: { askAboveCalls: 20 },
    environment: { kind: "production", pacedBy: "server" },
  });
  bed.service.script((call) => (call.operation === "search" && call.number < 12 ? free(call) : undefined));
  for (const [round, calls] of rounds.entries()) {
    const ended = askAll(bed, fillDown(calls, round * 100));
    await bed.clock.advance(9_000);
    expect([bed.engine.spendingQuestion(), settled(ended)]).toEqual([null, calls]);
  }
  expect(sent(bed)).toBe(32);
});

it("answers an edit while other calls are held back", async () => {
  const bed = createGuardedBed();
  askAll(bed, fillDown(80));
  await bed.clock.advance(20_000);
  const [edit] = await Promise.all([bed.clock.until(bed.engine.item(item(5_000, 7)))]);
  expect(edit.found).toBe(true);
  expect(sent(bed)).toBe(11);
});

it("sends the sheet in view first", async () => {
  const bed = createGuardedBed();
  bed.engine.preferSheet("View");
  const hidden = askAll(bed, fillDown(40), (index) => `Other!C${index + 2}`);
  const inView = askAll(bed, fillDown(8, 1_000), (index) => `View!C${index + 2}`);
  await bed.clock.advance(20_000);
  expect(settled(inView)).toBe(8);
  expect(settled(hidden)).toBe(2);
});

it("does not ask about a refresh, whose price was shown before", async () => {
  const bed = createGuardedBed();
  const queries = fillDown(40);
  const refreshing = bed.engine.refresh({ items: queries, histories: [] });
  await bed.clock.until(refreshing);
  const ended = askAll(bed, queries);
  await bed.clock.advance(60_000);
  expect(settled(ended)).toBe(40);
  expect(bed.engine.spendingQuestion()).toBeNull();
});

it.each([
  ["calls of the demo", { kind: "demo" as const }],
  ["calls if the limit is 0", { askAboveCalls: 0 }],
])("does not hold back %s", async (_, options) => {
  const bed = createGuardedBed(options);
  const ended = askAll(bed, fillDown(50));
  await bed.clock.advance(20_000);
  expect(settled(ended)).toBe(50);
});

it.each([
  [9_000, "still", null],
  [11_000, "no longer", { search: 70, events: 0 }],
])("%i ms after the work, an approval %s counts", async (quietMs, _, calls) => {
  const bed = createBed({ settings: { askAboveCalls: 10 }, environment: { kind: "production" } });
  askAll(bed, fillDown(40));
  await bed.clock.advance(1_000);
  bed.engine.approveSpending();
  await bed.clock.advance(5_000);
  expect(sent(bed)).toBe(40);
  const lastMs = Math.max(...bed.service.of("search").map(({ sentAtMs }) => sentAtMs));
  await bed.clock.advance(lastMs + 80 + quietMs - bed.clock.now());
  askAll(bed, fillDown(80, 100));
  await bed.clock.advance(5_000);
  expect(bed.engine.spendingQuestion()?.calls ?? null).toEqual(calls);
});
