/**
 * The engine among people, colleagues and a service that does what it likes: runs one scenario and watches.
 * Whatever the order of requests, refreshes, cancels and answers, the promises hold that this file checks:
 * nothing older than what was shown before, nothing before its refresh taken for fresh, no reason that nothing gives,
 * nothing asked twice, nothing sent after a cancel, never over the quota, and everything ends. It shares no code with
 * the engine. Cells are in `chaos-cells`, what calls did in `chaos-log`.
 */
import { toInvError } from "../../src/domain/errors";
import type { ItemQuery } from "../../src/domain/records";
import { createEngine } from "../../src/engine/engine";
import type { Progress } from "../../src/engine/types";
import { createScriptedService, type LoggedCall } from "../helpers/scripted-service";
import { createVirtualClock } from "../helpers/virtual-clock";
import { item } from "./bed";
import { createChaosCells, historyNumbered, historyOf, itemNumbered, keyOf } from "./chaos-cells";
import { callStep, type Fault, type FaultName, faults, maxAnswerBytes } from "./chaos-faults";
import { createChaosLog } from "./chaos-log";

export interface Scenario {
  readonly quota: number;
  /** Queries of a refresh that are queued in one turn. */
  readonly queuedPerTurn: number;
  readonly seed: number;
  readonly steps: readonly Step[];
  /** What becomes of each call in turn: its fault, and how long it takes. */
  readonly calls: readonly (readonly [fault: FaultName, latencyMs: number])[];
}

export interface Step {
  readonly afterMs: number;
  readonly kind: "items" | "burst" | "histories" | "refresh" | "other";
  /** Which items or histories. */
  readonly numbers: readonly number[];
  readonly other: "cancel" | "clear" | "connect" | "disconnect" | "try again" | "test" | "clock";
}

const freshnessMs = 60_000;
/** Of the lookup that tests a connection: no cell's. */
const harmlessStore = 1_234;
/** Cells of one store that a burst asks for with each of its numbers: with all eight, more than a call holds. */
const cellsOfANumber = 20;

/** Many cells of one store, and each numbered item beside them. */
function burstOf(numbers: readonly number[]): readonly ItemQuery[] {
  const store = (numbers[0] ?? 0) % 3;
  const many = Array.from({ length: numbers.length * cellsOfANumber }, (_, index) => item(store, 1 + index));
  return [...many, ...numbers.map(itemNumbered)];
}

function keysOf({ operation, store, values, url }: LoggedCall): readonly string[] {
  if (store === harmlessStore) return [];
  if (operation === "search") return values.map((value) => `${store}/${value}`);
  return operation === "events" ? [url.searchParams.get("gtin") ?? ""] : [];
}

/** A page that is refused breaks its history off. */
function asSeen(fault: Fault, { operation, url }: LoggedCall): Fault {
  const isLaterPage = operation === "events" && url.searchParams.has("page_token");
  const isRefusal = fault.code === "refused-request" || fault.kind === "no";
  return isLaterPage && isRefusal ? { ...fault, kind: "failure", code: "bad-answer" } : fault;
}

/** A work names each query once. */
function eachOnce<T>(queries: readonly T[], nameOf: (query: T) => string): readonly T[] {
  return [...new Map(queries.map((query) => [nameOf(query), query])).values()];
}

/** Throws when a promise is broken. */
export async function runScenario(scenario: Scenario): Promise<void> {
  const { quota, queuedPerTurn, seed, steps, calls } = scenario;
  const clock = createVirtualClock({ seed });
  let aheadMs = 0;
  let isSilent = false;
  let areFaultsOver = false;
  let tests = 0;
  let made = 0;
  let refreshes = 0;
  /** Counts what forgets all values, and all that changes what is fresh. */
  let memory = 0;
  let disturbances = 0;
  const broken: unknown[] = [];
  const arrivals = { search: [] as number[], events: [] as number[] };
  const log = createChaosLog(freshnessMs);
  const service = createScriptedService({ clock, quota, history: historyOf });
  service.script((call) => {
    if (call.operation !== "token") arrivals[call.operation].push(clock.now());
    hold(call.values.length <= 100 && new Set(call.values).size === call.values.length, "a call's items");
    service.version = call.number * callStep;
    const { era, name, latencyMs } = sent.get(call.signal) ?? { era: "", name: "none", latencyMs: 80 };
    const { of } = faults[name];
    const isKnown =
      call.operation === "search" || of === "way" || (of === "data" && call.operation === "events");
    const fault: Fault = isKnown && !areFaultsOver ? faults[name] : faults.none;
    const endsAtMs = call.sentAtMs + (fault === faults.hang ? Infinity : latencyMs);
    const { operation, sentAtMs, signal } = call;
    log.note({ operation, sentAtMs, signal, keys: keysOf(call), fault: asSeen(fault, call), endsAtMs, era });
    return fault.answer(call);
  });
  const sent = new WeakMap<AbortSignal, { era: string; name: FaultName; latencyMs: number }>();
  const engine = createEngine({
    clock: { ...clock, now: () => clock.now() + aheadMs },
    transport(request) {
      hold(!isSilent, "sent after a cancel or without a connection", request.url);
      const [name, latencyMs] = (areFaultsOver ? undefined : calls[made]) ?? (["none", 80] as const);
      made += 1;
      sent.set(request.signal, { era: `${refreshes} ${memory} ${aheadMs}`, name, latencyMs });
      service.latencyMs = latencyMs;
      return service.transport(request);
    },
    settings: { freshnessMs },
    maxAnswerBytes,
    queuedPerTurn,
  });
  engine.connect(service.connection);
  let heard: Progress | null = null;
  engine.subscribe((progress) => (heard = progress));

  const cells = createChaosCells({ engine, nowMs: () => clock.now(), log, hold });

  function ask(query: ItemQuery): Promise<boolean> {
    mayBeSent();
    return cells.ask(query);
  }

  /** What is asked with a connection ends the silence after a cancel. */
  function mayBeSent(): void {
    if (engine.connection !== null) isSilent = false;
  }

  /** Kept for the end, since what a listener of a promise throws reaches nobody. */
  function hold(isTrue: boolean, what: string, ...facts: unknown[]): void {
    if (!isTrue) broken.push([what, ...facts]);
  }

  function forgetAll(): void {
    memory += 1;
    disturbances += 1;
    cells.forgetAll();
  }

  function refresh(numbers: readonly number[]): void {
    const items = eachOnce(numbers.filter((number) => number < 24).map(itemNumbered), keyOf);
    const histories = eachOnce(
      numbers.filter((number) => number >= 24).map(historyNumbered),
      ({ gtin, eventType }) => `${gtin} ${eventType}`,
    );
    mayBeSent();
    const all = Array.from({ length: 24 }, (_, number) => itemNumbered(number));
    const before = all.map((query) => ({
      query,
      fresh: engine.isFresh(query),
      fetchedAtMs: engine.known(query)?.fetchedAtMs,
    }));
    const firstCall = { search: service.of("search").length, events: service.of("events").length };
    const begunIn = memory;
    refreshes += 1;
    log.begin(items.map(keyOf));
    const disturbancesBefore = disturbances;
    engine.refresh({ items, histories }).then(
      () => {
        disturbances += 1;
        if (begunIn !== memory) return;
        cells.wantFrom({ items, histories }, firstCall);
        for (const query of items) {
          const call = engine.isFresh(query) ? cells.knownCall(query) : null;
          hold(
            call === null || call >= firstCall.search,
            "fresh, and of before the refresh",
            keyOf(query),
            call,
          );
        }
      },
      (error: unknown) => {
        hold("code" in (error as object), "an error without a code", error);
        if (disturbances !== disturbancesBefore) return;
        for (const { query, fresh, fetchedAtMs } of before) {
          const isSame = engine.known(query)?.fetchedAtMs === fetchedAtMs;
          const isYoung =
            fetchedAtMs !== undefined && clock.now() + aheadMs - fetchedAtMs < freshnessMs - 30_000;
          if (isSame && (isYoung || !fresh)) {
            hold(engine.isFresh(query) === fresh, "freshness by a failure", query);
          }
        }
      },
    );
  }

  const others: Record<Step["other"], () => void> = {
    cancel() {
      engine.cancel();
      cells.givenUp();
      isSilent = true;
    },
    clear() {
      engine.clear();
      forgetAll();
    },
    connect() {
      engine.connect(service.connection);
      isSilent = false;
      forgetAll();
    },
    disconnect() {
      engine.connect(null);
      isSilent = true;
      forgetAll();
    },
    "try again": () => engine.tryAgain(),
    test() {
      tests += 1;
      mayBeSent();
      engine.testConnection().catch(() => undefined);
    },
    clock() {
      aheadMs += (aheadMs > 0 ? -1 : 1) * 86_400_000;
      disturbances += 1;
    },
  };

  for (const { afterMs, kind, numbers, other } of steps) {
    await clock.advance(afterMs);
    if (kind === "items") for (const number of numbers) void ask(itemNumbered(number));
    if (kind === "burst") for (const query of burstOf(numbers)) void ask(query);
    if (kind === "histories" && numbers.length > 0) {
      mayBeSent();
      numbers.forEach(cells.askHistory);
    }
    if (kind === "refresh") refresh(numbers);
    if (kind === "other") others[other]();
  }
  areFaultsOver = true;
  // Every pause is at most ten minutes, and each quota is enough for its part of the calls in a minute.
  const boundMs = 20 * 60_000 + (60_000 * 3 * (cells.asked + 10)) / Math.min(quota, 100);
  await clock.runAll(boundMs);
  expect({ ended: cells.ended, busy: engine.progress().busy }).toEqual({ ended: cells.asked, busy: false });

  isSilent = false;
  if (engine.connection === null) engine.connect(service.connection);
  engine.tryAgain();
  const recovered = Array.from({ length: 24 }, (_, number) => ask(itemNumbered(number)));
  engine
    .testConnection()
    .catch((error: unknown) => hold(toInvError(error).code === "quota", "a test", error));
  await clock.runAll(boundMs);
  expect(broken).toEqual([]);
  expect(cells.ended).toBe(cells.asked);
  engine.clear();
  forgetAll();
  const good = Array.from({ length: 24 }, (_, number) => ask(itemNumbered(number)));
  await clock.runAll(boundMs);
  for (const hasValue of await Promise.all(good)) hold(hasValue, "no value after all is well");
  await Promise.all(recovered);

  const { cells: counts, busy } = engine.progress();
  expect({ ...counts, busy }).toMatchObject({ waiting: 0, inFlight: 0, busy: false });
  expect(counts.done + counts.failed).toBe(counts.asked);
  expect(heard).toMatchObject({ busy: false, cells: counts });
  expect(log.askedTwice).toEqual([]);
  expect(service.mostInFlight).toBeLessThanOrEqual(6 + tests + 1);
  for (const times of [arrivals.search, arrivals.events]) {
    times.forEach((atMs, index) => {
      const after = times[index + quota];
      if (after !== undefined) hold(after - atMs >= 60_000, "over the quota", index, after - atMs);
    });
  }
  expect(broken).toEqual([]);
}
