/** A small engine, context and host for the functions' tests: the test sets answers, and the fakes list requests. */
import { InvError, type ErrorCode } from "../../src/domain/errors";
import type { HistoryEvent, HistoryQuery, ItemQuery, ItemRecord } from "../../src/domain/records";
import { createCellRegister } from "../../src/cells/cell-register";
import { createUnanswered } from "../../src/engine/unanswered";
import type { Engine, HistoryAnswer, ItemAnswer } from "../../src/engine/types";
import { createResultThrottle } from "../../src/functions/result-throttle";
import { settleLater } from "../../src/functions/rule";
import type { FunctionContext } from "../../src/functions/context";
import { createVirtualClock, type VirtualClock } from "../helpers/virtual-clock";

export const nowMs = Date.UTC(2026, 10, 20, 12, 0, 0);

/** Excel's CustomFunctions.Error, as far as functions use it. */
export class HostError extends Error {
  constructor(
    readonly code: string,
    message?: string,
  ) {
    super(message);
  }
}

/** Gives each test of the file Excel's `CustomFunctions`, as far as functions use it. */
export function withHost(): void {
  beforeEach(() => {
    Reflect.set(globalThis, "CustomFunctions", { Error: HostError });
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, "CustomFunctions");
  });
}

export interface FakeEngine extends Engine {
  readonly items: ItemQuery[];
  readonly histories: HistoryQuery[];
  readonly cells: (string | undefined)[];
  answerItem: (query: ItemQuery) => ItemAnswer | Promise<ItemAnswer>;
  answerHistory: (query: HistoryQuery) => HistoryAnswer | Promise<HistoryAnswer>;
  knownItem: (query: ItemQuery) => ItemAnswer | undefined;
  knownWhole: (query: HistoryQuery) => HistoryAnswer | undefined;
  fresh: boolean;
  busy: boolean;
}

export function record(overrides: Partial<ItemRecord> = {}): ItemRecord {
  return {
    gtin: null,
    itemNumber: null,
    locations: [
      { locationArea: "STORE", state: "AVAILABLE", quantity: 12 },
      { locationArea: "BACKROOM", state: "AVAILABLE", quantity: 5 },
      { locationArea: "STORE", state: "NET_AVAILABLE", quantity: 10 },
    ],
    cids: [],
    lastUpdatedMs: Date.UTC(2026, 10, 20, 6, 0, 0),
    ...overrides,
  };
}

export function event(eventType: string, quantity: number, createdAtMs = nowMs): HistoryEvent {
  return { eventType, quantity, quantityAfter: null, createdAtMs };
}

export function found<T>(value: T, fetchedAtMs = nowMs): { found: true; value: T; fetchedAtMs: number } {
  return { found: true, value, fetchedAtMs };
}

export function none(
  code: ErrorCode,
  message: string,
): { found: false; error: InvError; fetchedAtMs: number } {
  return { found: false, error: new InvError(code, message), fetchedAtMs: nowMs };
}

/** The query as the engine reads it: without what only its rule reads. */
function withoutChoices(query: HistoryQuery): HistoryQuery {
  const own = { ...query };
  Reflect.deleteProperty(own, "isHeaded");
  return own;
}

/** A fake engine. Members that the functions do not use throw on access. */
function fakeEngine(): FakeEngine {
  const used: Partial<FakeEngine> = {
    items: [],
    histories: [],
    cells: [],
    answerItem: () => found(record()),
    answerHistory: () => found([]),
    knownItem: () => undefined,
    knownWhole: () => undefined,
    fresh: false,
    busy: false,
    unanswered: createUnanswered(() => "demo").queries,
    item(query, cell) {
      engine.items.push(query);
      engine.cells.push(cell);
      return Promise.resolve().then(() => engine.answerItem(query));
    },
    history(query, cell) {
      engine.histories.push(withoutChoices(query));
      engine.cells.push(cell);
      return Promise.resolve().then(() => engine.answerHistory(query));
    },
    requestItem({ storeNumber, itemType, value }, waiter, cell) {
      settleLater(waiter, engine.item({ storeNumber, itemType, value }, cell));
      return null;
    },
    cachedItem: (query) => engine.knownItem(query),
    cachedHistory: (query) => (query.eventType === undefined ? engine.knownWhole(query) : undefined),
    cancelSignal: new AbortController().signal,
    isFresh: () => engine.fresh,
    isComing: () => engine.busy,
    progress: () => ({ busy: engine.busy }) as ReturnType<Engine["progress"]>,
  };
  const engine = new Proxy(used as FakeEngine, {
    get(target, member) {
      if (!(member in target)) {
        throw new Error(`The functions are not expected to use engine.${String(member)}`);
      }
      return Reflect.get(target, member) as unknown;
    },
  });
  return engine;
}

/** A context of the demo on this clock, with a register without cells. The test adds the engine. */
export function contextOn(clock: VirtualClock): Omit<FunctionContext, "engine"> {
  return {
    cells: createCellRegister({ clock }),
    throttle: createResultThrottle(clock),
    eventTypesSeen: new Set(),
    now: () => clock.now(),
    steadyNow: () => clock.steadyNow(),
    formatsTimes: false,
    environmentId: () => "demo",
  };
}

/** Ends the turn of the event loop in which a host calls functions. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** A context whose clock doesn't move, and whose turns are those of the real event loop. */
export function fakeContext(engine: FakeEngine = fakeEngine()): FunctionContext & { engine: FakeEngine } {
  const clock = createVirtualClock({ startMs: nowMs });
  const context = contextOn({ ...clock, nextTurn: (callback) => void setImmediate(callback) });
  return { ...context, engine, now: () => nowMs, steadyNow: () => nowMs };
}

/** What a cell shows: the value, or the error's code and text. */
export async function shownBy(calculation: Promise<unknown[][]>): Promise<unknown> {
  try {
    const matrix = await calculation;
    const shown = matrix.map((row) => row.map(plain));
    return shown.length === 1 && shown[0]?.length === 1 ? shown[0][0] : shown;
  } catch (error) {
    return plain(error);
  }
}

function plain(value: unknown): unknown {
  return value instanceof HostError ? `${value.code} ${value.message}`.trim() : value;
}
