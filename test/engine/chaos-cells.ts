/**
 * The cells of a scenario. They make requests, and compare each answer and each reason with what was shown before and with
 * what happened to the calls. This file shares no code with the engine.
 */
import { type ErrorCode, type InvError, toInvError } from "../../src/domain/errors";
import type { HistoryEvent, HistoryQuery, ItemQuery, ItemRecord } from "../../src/domain/records";
import type { Answer, Engine, Work } from "../../src/engine/types";
import { type LoggedCall, problem, quantityOf } from "../helpers/scripted-service";
import { history, item } from "./bed";
import { callStep } from "./chaos-faults";
import type { CellOfCall, ChaosLog } from "./chaos-log";

/** Negative answers that the service may give about a value. They count as answers. */
const negativeCodes: readonly ErrorCode[] = ["no-data", "refused-value", "refused-request"];
const types = ["SALES", "LR", "SALES", "OH"];
const partTypes = [undefined, "SALES", "LR", "OH"];
const eventsOfAPage = 2;

export const itemNumbered = (number: number): ItemQuery => item(number % 3, 1 + (number >> 2));
export const historyNumbered = (number: number): HistoryQuery => {
  const eventType = partTypes[number % 4];
  return history(1 + (number >> 4), eventType === undefined ? {} : { eventType });
};
export const itemKey = (query: ItemQuery): string => `${query.storeNumber}/${query.value}`;

const noData = "Data not found. At least one of the given request parameters is invalid.";

/** Each event contains the number of its call. The histories of every second GTIN have several pages. */
export function historyOf({ number, store, url }: LoggedCall): unknown {
  const gtin = url.searchParams.get("gtin") ?? "";
  const wanted = url.searchParams.get("event_type");
  const events = types
    .map((event_type, hour) => ({
      event_type,
      event_qty: String(number),
      event_creation_time: `2026-11-19T0${hour}:00:00`,
      aggregated_qty: "1",
    }))
    .filter(({ event_type }) => wanted === null || event_type === wanted);
  // The service's answer to a filter that matches nothing.
  if (events.length === 0) return problem(404, noData);
  const from = Number(url.searchParams.get("page_token") ?? 0);
  const to = Number(gtin) % 2 === 0 ? events.length : from + eventsOfAPage;
  return {
    store_nbr: store,
    gtin,
    event_history_item_details: events.slice(from, to),
    next_page_token: to < events.length ? String(to) : null,
  };
}

interface Watched extends Pick<CellOfCall, "operation" | "key"> {
  readonly part: string;
}

const ofItem = (query: ItemQuery): Watched => ({ operation: "search", key: itemKey(query), part: "" });
const ofHistory = ({ gtin, eventType }: HistoryQuery): Watched => ({
  operation: "events",
  key: gtin,
  part: eventType ?? "",
});
const nameOf = ({ operation, key, part }: Watched): string => `${operation} ${key} ${part}`;

/** Records a broken promise of the engine with its facts. */
export type Verify = (isTrue: boolean, promise: string, ...facts: unknown[]) => void;

export function createChaosCells({
  engine,
  nowMs,
  log,
  verify,
}: {
  readonly engine: Engine;
  readonly nowMs: () => number;
  readonly log: ChaosLog;
  readonly verify: Verify;
}) {
  const cachedNames = new Set<string>();
  /** For each item or history: the call whose answer was shown last, and the first call that counts as fresh after a refresh. */
  const shown = new Map<string, number>();
  const firstFreshCall = new Map<string, number>();
  let memory = 0;
  let cancels = 0;
  let asked = 0;
  let ended = 0;

  /** Watches one cell and checks that its end has a cause. */
  async function watch<T>(
    promise: Promise<Answer<T>>,
    of: Watched,
    callOf: (value: T) => number,
  ): Promise<Answer<T> | null> {
    asked += 1;
    const cell = { ...of, askedAtMs: nowMs() };
    const name = nameOf(of);
    const isConnected = engine.connection !== null;
    const askedIn = { memory, cancels };
    const leastCall = firstFreshCall.get(name) ?? 0;
    const because = (error: unknown): void => {
      const { code } = toInvError(error);
      const isTrue =
        (code === "not-connected" && !isConnected) ||
        (code === "cancelled" && askedIn.cancels < cancels) ||
        log.explains(cell, code);
      verify(isTrue && code === (error as InvError).code, "a reason without a cause", name, code);
    };
    try {
      const answer = await promise;
      if (answer.staleBecause !== undefined) because(answer.staleBecause);
      if (!answer.found) {
        verify(negativeCodes.includes(answer.error.code), "not an answer of the service", answer.error);
        because(answer.error);
        return answer;
      }
      if (askedIn.memory !== memory) return answer;
      const call = callOf(answer.value);
      verify(call >= (shown.get(name) ?? 0), "older than shown", name, call, shown.get(name));
      if (answer.staleBecause === undefined) {
        verify(call >= leastCall, "from before its refresh", name, call, leastCall);
      }
      shown.set(name, Math.max(call, shown.get(name) ?? 0));
      return answer;
    } catch (error) {
      because(error);
      return null;
    } finally {
      ended += 1;
    }
  }

  function callOfRecord(query: ItemQuery, record: ItemRecord): number {
    const quantity = record.locations[0]?.quantity ?? NaN;
    const call = (quantity - quantityOf(query.storeNumber, query.value)) / callStep;
    verify(Number.isInteger(call), "the value of another item", itemKey(query), call);
    return call;
  }

  function callOfEvents({ eventType }: HistoryQuery, events: readonly HistoryEvent[]): number {
    const wanted = types.filter((type) => eventType === undefined || type === eventType);
    verify(events.map((event) => event.eventType).join() === wanted.join(), "other events", eventType);
    return events[0]?.quantity ?? NaN;
  }

  return {
    /** Resolves with whether the cell has a value in the end. */
    async ask(query: ItemQuery): Promise<boolean> {
      const promise = engine.item(query);
      return (await watch(promise, ofItem(query), (record) => callOfRecord(query, record)))?.found ?? false;
    },
    askHistory(number: number): void {
      const query = historyNumbered(number);
      void watch(engine.history(query), ofHistory(query), (events) => callOfEvents(query, events));
    },
    /** From now on, only answers of these or later calls count as fresh. */
    wantFrom({ items, histories }: Work, firstCall: Readonly<Record<CellOfCall["operation"], number>>): void {
      for (const query of items) firstFreshCall.set(nameOf(ofItem(query)), firstCall.search);
      for (const query of histories) firstFreshCall.set(nameOf(ofHistory(query)), firstCall.events);
    },
    /** The call whose answer is cached for an item, or null. */
    cachedCall(query: ItemQuery): number | null {
      const answer = engine.cachedItem(query);
      return answer?.found === true ? callOfRecord(query, answer.value) : null;
    },
    /** Checks the cache against its earlier content: only a clear or another connection may remove answers. */
    checkCache(): void {
      const each = (name: string, answer: unknown): void => {
        if (answer !== undefined) cachedNames.add(name);
        else verify(!cachedNames.has(name), "cached before, but not any more", name);
      };
      for (let number = 0; number < 24; number += 1) {
        const query = itemNumbered(number);
        each(nameOf(ofItem(query)), engine.cachedItem(query));
      }
      for (let number = 24; number <= 40; number += 1) {
        const query = historyNumbered(number);
        each(nameOf(ofHistory(query)), engine.cachedHistory(query));
      }
    },
    forgetAll(): void {
      cachedNames.clear();
      memory += 1;
      cancels += 1;
      shown.clear();
      firstFreshCall.clear();
    },
    /** Allows all waiting cells to end as cancelled. */
    noteCancel: () => void (cancels += 1),
    get asked() {
      return asked;
    },
    get ended() {
      return ended;
    },
  };
}
