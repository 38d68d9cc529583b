/**
 * The engine among people, colleagues and a service that does what it likes: runs one scenario and watches.
 * Whatever the order of requests, refreshes, cancels and answers, the promises hold that this file checks:
 * nothing older than what was shown before, nothing before its refresh taken for fresh, nothing sent after a
 * cancel, never over the quota, and everything ends. It shares no code with the engine.
 */
import { type InvError, toInvError } from "../../src/domain/errors";
import type { ItemQuery } from "../../src/domain/records";
import { createEngine } from "../../src/engine/engine";
import type { Progress } from "../../src/engine/types";
import { createScriptedService, type LoggedCall, quantityOf } from "../helpers/scripted-service";
import { createVirtualClock } from "../helpers/virtual-clock";
import { history, item } from "./bed";
import { callStep, faults, ofItems, ofTheWay } from "./chaos-faults";

export interface Scenario {
  readonly quota: number;
  readonly seed: number;
  readonly steps: readonly Step[];
  /** What becomes of each call in turn: its fault, and how long it takes. */
  readonly calls: readonly (readonly [fault: string, latencyMs: number])[];
}

export interface Step {
  readonly afterMs: number;
  readonly kind: "items" | "burst" | "histories" | "refresh" | "other";
  /** Which items or histories. */
  readonly numbers: readonly number[];
  readonly other: "cancel" | "clear" | "connect" | "disconnect" | "try again" | "test" | "clock";
}

const freshnessMs = 60_000;
/** What the service may say of a value: these are answers. */
const noes = ["no-data", "not-mapped", "refused-value", "refused-request"];
const types = ["SALES", "LR", "SALES", "OH"];
const partTypes = [undefined, "SALES", "LR", "OH"];

function historyOf({ number, store, url }: LoggedCall): unknown {
  const wanted = url.searchParams.get("event_type");
  const events = types.map((event_type, hour) => ({
    event_type,
    event_qty: String(number),
    event_creation_time: `2026-11-19T0${hour}:00:00`,
    aggregated_qty: "1",
  }));
  return {
    store_nbr: store,
    gtin: url.searchParams.get("gtin"),
    event_history_item_details: events.filter(({ event_type }) => wanted === null || event_type === wanted),
    next_page_token: null,
  };
}

const itemNumbered = (number: number): ItemQuery => item(number % 3, 1 + (number >> 2));
const historyNumbered = (number: number) => {
  const eventType = partTypes[number % 4];
  return history(1 + (number >> 4), eventType === undefined ? {} : { eventType });
};
const keyOf = ({ storeNumber, value }: ItemQuery): string => `${storeNumber}/${value}`;

/** Throws when a promise is broken. */
export async function runScenario({ quota, seed, steps, calls }: Scenario): Promise<void> {
  const clock = createVirtualClock({ seed });
  let aheadMs = 0;
  let isSilent = false;
  let areFaultsOver = false;
  let tests = 0;
  let made = 0;
  const arrivals = { search: [] as number[], events: [] as number[] };
  const service = createScriptedService({ clock, quota, history: historyOf });
  service.script((call) => {
    if (call.operation !== "token") arrivals[call.operation].push(clock.now());
    hold(call.values.length <= 100 && new Set(call.values).size === call.values.length, "a call's items");
    service.version = call.number * callStep;
    const name = areFaultsOver ? "none" : (faultOf.get(call.signal) ?? "none");
    const isKnown = call.operation === "search" || !ofItems.test(name);
    return isKnown && (call.operation !== "token" || ofTheWay.test(name)) ? faults[name]?.(call) : undefined;
  });
  const faultOf = new WeakMap<AbortSignal, string>();
  const engine = createEngine({
    clock: { ...clock, now: () => clock.now() + aheadMs },
    transport(request) {
      hold(!isSilent, "sent after a cancel or without a connection", request.url);
      const [fault, latencyMs] = (areFaultsOver ? undefined : calls[made]) ?? ["none", 80];
      made += 1;
      faultOf.set(request.signal, fault);
      service.latencyMs = latencyMs;
      return service.transport(request);
    },
    settings: { freshnessMs },
  });
  engine.connect(service.connection);
  let heard: Progress | null = null;
  engine.subscribe((progress) => (heard = progress));

  /** By item: the call whose answer was shown last, and the first call that a refresh lets pass for fresh. */
  const shown = new Map<string, number>();
  const floor = new Map<string, number>();
  const historyShown = new Map<string, number>();
  /** Counts what forgets all values, and all that changes what is fresh. */
  let memory = 0;
  let disturbances = 0;
  let asked = 0;
  let ended = 0;
  const broken: unknown[] = [];

  function ask(query: ItemQuery): Promise<number | null> {
    asked += 1;
    isSilent = isSilent && engine.connection === null;
    const key = keyOf(query);
    const askedIn = memory;
    const leastCall = floor.get(key) ?? 0;
    return engine.item(query).then(
      (answer) => {
        ended += 1;
        if (!answer.found) {
          hold(noes.includes(answer.error.code), "no answer, and taken for one", answer.error);
          return null;
        }
        const quantity = answer.value.locations[0]?.quantity ?? NaN;
        const call = (quantity - quantityOf(query.storeNumber, query.value)) / callStep;
        hold(Number.isInteger(call), "another's value", key, call);
        if (askedIn !== memory) return quantity;
        hold(call >= (shown.get(key) ?? 0), "older than shown", key, call, shown.get(key));
        if (answer.staleBecause === undefined) {
          hold(call >= leastCall, "of before its refresh", key, call, leastCall);
        }
        shown.set(key, Math.max(call, shown.get(key) ?? 0));
        return quantity;
      },
      (error: unknown) => {
        ended += 1;
        hold(toInvError(error).code === (error as InvError).code, "an error without a code", error);
        return null;
      },
    );
  }

  function askHistory(number: number): void {
    asked += 1;
    isSilent = isSilent && engine.connection === null;
    const query = historyNumbered(number);
    const key = `${query.gtin} ${query.eventType ?? ""}`;
    const askedIn = memory;
    engine
      .history(query)
      .then((answer) => {
        if (!answer.found) return;
        const wanted = types.filter((type) => query.eventType === undefined || type === query.eventType);
        hold(answer.value.map(({ eventType }) => eventType).join() === wanted.join(), "other events", key);
        const call = answer.value[0]?.quantity ?? NaN;
        if (askedIn !== memory) return;
        hold(call >= (historyShown.get(key) ?? 0), "an older history than shown", key, call);
        historyShown.set(key, Math.max(call, historyShown.get(key) ?? 0));
      })
      .catch((error: unknown) => hold("code" in (error as object), "an error without a code", error))
      .finally(() => (ended += 1));
  }

  /** Kept for the end, since what a listener of a promise throws reaches nobody. */
  function hold(isTrue: boolean, what: string, ...facts: unknown[]): void {
    if (!isTrue) broken.push([what, ...facts]);
  }

  function forgetAll(): void {
    memory += 1;
    disturbances += 1;
    for (const map of [shown, floor, historyShown]) map.clear();
  }

  function refresh(numbers: readonly number[]): void {
    const items = numbers.filter((number) => number < 24).map(itemNumbered);
    const histories = numbers.filter((number) => number >= 24).map(historyNumbered);
    if (engine.connection !== null) isSilent = false;
    const all = Array.from({ length: 24 }, (_, number) => itemNumbered(number));
    const before = all.map((query) => ({
      query,
      fresh: engine.isFresh(query),
      fetchedAtMs: engine.known(query)?.fetchedAtMs,
    }));
    const firstCall = service.of("search").length;
    const begunIn = memory;
    const disturbancesBefore = disturbances;
    engine.refresh({ items, histories }).then(
      () => {
        disturbances += 1;
        if (begunIn !== memory) return;
        for (const query of items) {
          const key = keyOf(query);
          floor.set(key, Math.max(firstCall, floor.get(key) ?? 0));
          const answer = engine.known(query);
          if (!engine.isFresh(query) || answer?.found !== true) continue;
          const quantity = answer.value.locations[0]?.quantity ?? NaN;
          const call = (quantity - quantityOf(query.storeNumber, query.value)) / callStep;
          hold(call >= firstCall, "fresh, and of before the refresh", key, call, firstCall);
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
      if (engine.connection !== null) isSilent = false;
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
    if (kind === "burst") for (let number = 0; number < 330; number += 1) void ask(itemNumbered(number));
    if (kind === "histories") for (const number of numbers) askHistory(number);
    if (kind === "refresh") refresh(numbers);
    if (kind === "other") others[other]();
  }
  areFaultsOver = true;
  // Every pause is at most ten minutes, and each quota is enough for its part of the calls in a minute.
  const boundMs = 20 * 60_000 + (60_000 * 3 * (asked + 10)) / Math.min(quota, 100);
  await clock.runAll(boundMs);
  expect({ ended, busy: engine.progress().busy }).toEqual({ ended: asked, busy: false });

  isSilent = false;
  if (engine.connection === null) engine.connect(service.connection);
  engine.tryAgain();
  const recovered = Array.from({ length: 24 }, (_, number) => ask(itemNumbered(number)));
  engine
    .testConnection()
    .catch((error: unknown) => hold(toInvError(error).code === "quota", "a test", error));
  await clock.runAll(boundMs);
  expect(broken).toEqual([]);
  expect(ended).toBe(asked);
  engine.clear();
  forgetAll();
  const good = Array.from({ length: 24 }, (_, number) => ask(itemNumbered(number)));
  await clock.runAll(boundMs);
  for (const value of await Promise.all(good)) hold(value !== null, "no value after all is well");
  await Promise.all(recovered);

  const { cells, busy } = engine.progress();
  expect({ ...cells, busy }).toMatchObject({ waiting: 0, inFlight: 0, busy: false });
  expect(cells.done + cells.failed).toBe(cells.asked);
  expect(heard).toMatchObject({ busy: false, cells });
  expect(service.mostInFlight).toBeLessThanOrEqual(6 + tests + 1);
  for (const times of [arrivals.search, arrivals.events]) {
    times.forEach((atMs, index) => {
      const after = times[index + quota];
      if (after !== undefined) hold(after - atMs >= 60_000, "over the quota", index, after - atMs);
    });
  }
  expect(broken).toEqual([]);
}
