/**
 * Runs one scenario: the engine with people, colleagues and an unpredictable service. For any order of requests, refreshes,
 * cancels and answers, it checks these promises. No cell shows an older value than before, or takes a value from before its
 * refresh as fresh. Every reason has a cause. Nothing is requested twice, sent after a cancel, or sent over the quota.
 * Everything ends. The file shares no code with the engine. Cells are in `chaos-cells`, the fate of calls in `chaos-log`.
 */
import type { ItemQuery, Query } from "../../src/domain/records";
import { createEngine } from "../../src/engine/engine";
import { isAnswered, type Outcome, type Progress } from "../../src/engine/types";
import { createScriptedService } from "../helpers/scripted-service";
import { createVirtualClock } from "../helpers/virtual-clock";
import { item } from "./bed";
import { createChaosCells, historyNumbered, historyOf, itemNumbered, itemKey } from "./chaos-cells";
import { callStep, type Fault, type FaultName, faults, maxAnswerBytes } from "./chaos-faults";
import { createChaosLog } from "./chaos-log";
import { faultOfPage, burstOf, unique, keysOf, type Scenario, type Step } from "./chaos-scenario";
import { createChaosSheet } from "./chaos-sheet";

const freshnessMs = 60_000;
const longFreshnessMs = 10 * 60_000;
/** Quantities, and sums of each kind. */
const someFormulas = [0, 1, 2, 24, 25, 28, 33, 40];

export async function runScenario(scenario: Scenario): Promise<void> {
  const { quota, seed, turnMs, askAboveCalls, steps, calls } = scenario;
  const clock = createVirtualClock({ seed, turnMs, ...(turnMs > 0 && { steadyStartMs: 5_000 }) });
  let aheadMs = 0;
  let isSilent = false;
  let areFaultsOver = false;
  let made = 0;
  let refreshes = 0;
  /** Counts events that clear all values, and events that change what is fresh. */
  let memory = 0;
  let disturbances = 0;
  const broken: unknown[] = [];
  const arrivals = { search: [] as number[], events: [] as number[] };
  const log = createChaosLog(freshnessMs);
  const service = createScriptedService({ clock, quota, history: historyOf });
  service.script((call) => {
    if (call.operation !== "token") arrivals[call.operation].push(clock.steadyNow());
    verify(call.values.length <= 100 && new Set(call.values).size === call.values.length, "a call's items");
    service.version = call.number * callStep;
    const { era, name, latencyMs } = sent.get(call.signal) ?? { era: "", name: "none", latencyMs: 80 };
    const { of } = faults[name];
    const isKnown =
      call.operation === "search" || of === "way" || (of === "data" && call.operation === "events");
    const fault: Fault = isKnown && !areFaultsOver ? faults[name] : faults.none;
    const endsAtMs = call.sentAtMs + (fault === faults.hang ? Infinity : latencyMs);
    const { operation, sentAtMs, signal } = call;
    log.note({
      operation,
      sentAtMs,
      signal,
      keys: keysOf(call),
      fault: faultOfPage(fault, call),
      endsAtMs,
      era,
    });
    return fault.answer(call);
  });
  const sent = new WeakMap<AbortSignal, { era: string; name: FaultName; latencyMs: number }>();
  const engine = createEngine({
    clock,
    transport(request) {
      verify(!isSilent, "sent after a cancel or without a connection", request.url);
      const [name, latencyMs] = (areFaultsOver ? undefined : calls[made]) ?? (["none", 80] as const);
      made += 1;
      sent.set(request.signal, { era: `${refreshes} ${memory} ${aheadMs}`, name, latencyMs });
      service.latencyMs = latencyMs;
      return service.transport(request);
    },
    // A refresh requests everything anew, so its answers come from later calls.
    settings: { freshnessMs, askAboveCalls, refreshAgeMs: 0 },
    maxAnswerBytes,
  });
  const { environment, credentials } = service.connection;
  // In the demo environment the engine has no requests to save.
  const connection = { environment: { ...environment, kind: "production" as const }, credentials };
  engine.connect(connection);
  let lastProgress: Progress | null = null;
  engine.subscribe((progress) => (lastProgress = progress));

  const cells = createChaosCells({
    engine,
    nowMs: () => clock.steadyNow(),
    log,
    verify,
  });
  const sheet = createChaosSheet({
    clock,
    engine: () => engine,
    freshnessMs: () => engine.settings.freshnessMs,
    verify,
  });

  function ask(query: ItemQuery): Promise<boolean> {
    mayBeSent();
    return cells.ask(query);
  }

  /** A request over a connection ends the silence after a cancel. */
  function mayBeSent(): void {
    if (engine.connection !== null) isSilent = false;
  }

  /** Records problems for the end, because errors thrown in a promise's listener reach nobody. */
  function verify(isTrue: boolean, what: string, ...facts: unknown[]): void {
    if (!isTrue) broken.push([what, ...facts]);
  }

  function forgetAll(): void {
    memory += 1;
    disturbances += 1;
    cells.forgetAll();
  }

  function refresh(numbers: readonly number[]): void {
    const items = unique(numbers.filter((number) => number < 24).map(itemNumbered), itemKey);
    const histories = unique(
      numbers.filter((number) => number >= 24).map(historyNumbered),
      ({ gtin, eventType }) => `${gtin} ${eventType}`,
    );
    mayBeSent();
    const all = Array.from({ length: 24 }, (_, number) => itemNumbered(number));
    const before = all.map((query) => ({
      query,
      fresh: engine.isFresh(query),
      fetchedAtMs: engine.cachedItem(query)?.fetchedAtMs,
    }));
    const firstCall = { search: service.of("search").length, events: service.of("events").length };
    const begunIn = memory;
    refreshes += 1;
    const disturbancesBefore = disturbances;
    const answered: Query[] = [];
    const settled = (query: Query, outcome: Outcome<unknown>): void => {
      if (isAnswered(outcome) && outcome.staleBecause === undefined) answered.push(query);
    };
    engine.refresh({ items, histories }, { settled }).then(
      () => {
        disturbances += 1;
        if (begunIn !== memory) return;
        const newItems = items.filter((query) => answered.includes(query));
        const newHistories = histories.filter((query) => answered.includes(query));
        cells.wantFrom({ items: newItems, histories: newHistories }, firstCall);
        for (const query of newItems) {
          const call = engine.isFresh(query) ? cells.cachedCall(query) : null;
          verify(
            call === null || call >= firstCall.search,
            "fresh, but from before the refresh",
            itemKey(query),
            call,
          );
        }
      },
      (error: unknown) => {
        verify("code" in (error as object), "an error without a code", error);
        if (disturbances !== disturbancesBefore) return;
        for (const { query, fresh, fetchedAtMs } of before) {
          const isSame = engine.cachedItem(query)?.fetchedAtMs === fetchedAtMs;
          // If the clock was set back during the request, the time seems to be in the future and shows no age.
          const ageMs = fetchedAtMs === undefined ? -1 : clock.now() - fetchedAtMs;
          const isYoung = ageMs >= 0 && ageMs < freshnessMs - 30_000;
          if (isSame && (isYoung || !fresh)) {
            verify(engine.isFresh(query) === fresh, "freshness changed by a failure", query);
          }
        }
      },
    );
  }

  function check(): void {
    sheet.check();
    cells.checkCache();
  }

  const others: Record<Step["other"], () => void> = {
    cancel() {
      engine.cancel();
      cells.noteCancel();
      isSilent = true;
    },
    clear() {
      engine.clear();
      forgetAll();
    },
    connect() {
      engine.connect(connection);
      isSilent = false;
      forgetAll();
    },
    disconnect() {
      engine.connect(null);
      isSilent = true;
      forgetAll();
    },
    "try again": () => engine.tryAgain(),
    clock() {
      const byMs = (aheadMs > 0 ? -1 : 1) * 86_400_000;
      aheadMs += byMs;
      clock.setSystem(byMs);
      if (byMs > 0) log.noteClockSetAhead(clock.steadyNow());
      disturbances += 1;
    },
    freshness() {
      const isLong = engine.settings.freshnessMs === longFreshnessMs;
      engine.configure({ freshnessMs: isLong ? freshnessMs : longFreshnessMs });
      disturbances += 1;
    },
    approve: () => engine.approveSpending(),
    rename: () => undefined,
  };

  /** An hour later, a fill-down raises the spending question, whatever happened before. */
  async function checkSpending(): Promise<void> {
    await clock.advance(60 * 60_000);
    const before = service.of("search").length;
    const filled = Array.from({ length: 30 }, (_, store) => ask(item(100 + store, 1)));
    await clock.advance(20_000);
    const sent = service.of("search").length - before;
    if (askAboveCalls > 0) verify(sent <= askAboveCalls, "sent without a question", sent);
    others.cancel();
    await clock.runAll(boundMs);
    await Promise.all(filled);
  }

  for (const { afterMs, kind, numbers, other } of steps) {
    await clock.advance(afterMs);
    check();
    if (kind === "items") for (const number of numbers) void ask(itemNumbered(number));
    if (kind === "burst") for (const query of burstOf(numbers)) void ask(query);
    if (kind === "histories" && numbers.length > 0) {
      mayBeSent();
      numbers.forEach(cells.askHistory);
    }
    if (kind === "refresh") refresh(numbers);
    if (kind === "formulas" && numbers.length > 0) {
      mayBeSent();
      sheet.calculate(numbers);
    }
    if (kind === "other" && other === "rename") numbers.forEach(sheet.rename);
    else if (kind === "other") others[other]();
    await clock.turns();
    check();
  }
  areFaultsOver = true;
  // Every pause lasts at most ten minutes, and each quota is enough for its part of the calls in a minute.
  // A burst that continues without an answer uses half of it.
  const boundMs = 20 * 60_000 + (60_000 * 6 * (cells.asked + 2 * steps.length + 10)) / Math.min(quota, 100);
  await clock.runAll(boundMs);
  expect({ ended: cells.ended, busy: engine.progress().busy }).toEqual({ ended: cells.asked, busy: false });
  expect(sheet.open).toBe(0);
  check();

  isSilent = false;
  if (engine.connection === null) engine.connect(connection);
  engine.tryAgain();
  const recovered = Array.from({ length: 24 }, (_, number) => ask(itemNumbered(number)));
  await clock.runAll(boundMs);
  expect(broken).toEqual([]);
  expect(cells.ended).toBe(cells.asked);
  check();
  engine.clear();
  forgetAll();
  sheet.calculate(someFormulas);
  await clock.runAll(boundMs);
  check();
  expect(sheet.cells.summary()).toMatchObject({ waiting: 0 });
  const good = Array.from({ length: 24 }, (_, number) => ask(itemNumbered(number)));
  await clock.runAll(boundMs);
  for (const hasValue of await Promise.all(good)) verify(hasValue, "no value after the service recovered");
  await Promise.all(recovered);
  await checkSpending();

  const { cells: counts, busy } = engine.progress();
  expect({ ...counts, busy }).toMatchObject({ waiting: 0, inFlight: 0, busy: false });
  expect(counts.done + counts.failed).toBe(counts.requested);
  expect(lastProgress).toMatchObject({ busy: false, cells: counts });
  expect(log.askedTwice).toEqual([]);
  expect(service.mostInFlight).toBeLessThanOrEqual(6);
  for (const times of [arrivals.search, arrivals.events]) {
    times.forEach((atMs, index) => {
      const after = times[index + quota];
      if (after !== undefined) verify(after - atMs >= 60_000, "over the quota", index, after - atMs);
    });
  }
  expect(broken).toEqual([]);
}
