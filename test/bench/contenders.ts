/**
 * INV and its alternatives, each in the strongest setup that its documentation describes. An alternative has several windows, of
 * which the best counts, and as many connections as INV. It checks GTINs before it requests them and validates answers with INV's
 * code. Its small batches go first, as an edit's do. If a 400 names items, it asks again without them. With a quota it uses
 * Bottleneck's reservoir and retries.
 */
import { createCellRegister } from "../../src/cells/cell-register";
import { buildSearchRequest, readSearchResponse } from "../../src/api/search-items";
import type { ItemOutcome } from "../../src/api/outcomes";
import type { Transport } from "../../src/api/transport";
import { parseGtin } from "../../src/domain/identifiers";
import type { Environment } from "../../src/domain/environment";
import type { Clock } from "../../src/engine/clock";
import { anyItem } from "../../src/engine/test-connection";
import { createEngine } from "../../src/engine/engine";
import type { Engine, ItemAnswer } from "../../src/engine/types";
import { qty } from "../../src/functions/catalogue/inventory";
import { startFunctions } from "../../src/functions/context";
import { createResultThrottle } from "../../src/functions/result-throttle";
import { benchToken } from "./service";
import { connections, isTypo, type Cell } from "./workloads";
import Bottleneck from "bottleneck";
import DataLoader from "dataloader";

export interface Setting {
  readonly clock: Clock;
  readonly transport: Transport;
  /** Calls allowed in any 60 s. */
  readonly quota: number | null;
  readonly baseUrl: string;
}

export interface Contender {
  /** Requests the value of the cell in this row. */
  ask(cell: Cell, row: number): Promise<unknown>;
  /** The number in the result of `ask`, or null. */
  quantity(result: unknown): number | null;
  /** Runs before the clock starts: what a client does once, not for each sheet. */
  prepare(): Promise<unknown>;
}

/** A function as Excel calls INV's: a matrix for each argument, null for those left out, and the Invocation at the end. */
export type ExcelFunction = typeof qty;

interface FunctionContender extends Contender {
  readonly excelFunction: ExcelFunction;
}

export type Create<C = Contender> = (setting: Setting) => C;

/** What Excel calls for a cell. Peers are written as the guides show it, but take what INV takes. */
export const functions: Readonly<Record<string, Create<FunctionContender>>> = {
  qty: createQty,
  "qty-dataloader": inMatrices(dataloader(100)),
  "qty-dataloader-0": inMatrices(dataloader(0)),
  "qty-window": inMatrices(collected(100)),
  "qty-nothing": () =>
    calledByExcel(
      () => Promise.resolve([[0]]),
      () => Promise.resolve(),
    ),
};

/**
 * Contenders by the name under which they are measured. A peer has one for each window, in milliseconds. The last ones are functions
 * for one cell; the `plain` ones take single values instead of matrices.
 */
export const contenders: Readonly<Record<string, Create>> = {
  inv: createInv,
  "dataloader-0": plain(dataloader(0)),
  "dataloader-100": plain(dataloader(100)),
  "dataloader-1000": plain(dataloader(1_000)),
  "window-100": plain(collected(100)),
  "window-1000": plain(collected(1_000)),
  "plain-dataloader": plain(dataloader(100)),
  "plain-window": plain(collected(100)),
  ...functions,
};

const itemsPerCall = 100;
const itemsOfAnEdit = 10;
const maxBytes = 2 * 1024 * 1024;
/** As long as real ones: the cost of comparing texts depends on their length. */
const consumerId = "8e2c5f0a-3b7d-4c19-9a64-d1f7b05e2c83";
const clientSecret = "mZ4tq8Vw1Lr6Yk9Bn3Xc7Dp2Hs5Jf0Ga-Te_UoRiMvEbWx4Qz8Ky1Nd6Pl3Sg7Ch";
const account = { consumerId, accessToken: benchToken };

export function connectedEngine(setting: Setting): Engine {
  const engine = createEngine({
    clock: setting.clock,
    transport: setting.transport,
    settings: { freshnessMs: 15 * 60_000 },
    connections,
  });
  engine.connect({ environment: environmentOf(setting), credentials: { consumerId, clientSecret } });
  return engine;
}

function createInv(setting: Setting): Contender {
  const engine = connectedEngine(setting);
  return {
    ask: (cell) => {
      // What the functions do with a cell before they ask the engine.
      const value = parseGtin(cell.gtin);
      return typeof value === "string"
        ? engine.item({ storeNumber: cell.store, itemType: "gtin", value })
        : Promise.reject(value);
    },
    quantity: (result) => {
      const answer = result as ItemAnswer;
      return answer.found ? (answer.value.locations[0]?.quantity ?? null) : null;
    },
    // Peers have their token from the start, so INV may have its own too.
    prepare: () => engine.item(anyItem),
  };
}

/**
 * Starts the functions as the add-in does, over an engine of their own.
 */
function openFunctions(setting: Setting): Engine {
  const { clock } = setting;
  const engine = connectedEngine(setting);
  startFunctions({
    engine,
    cells: createCellRegister({ clock }),
    throttle: createResultThrottle(clock),
    eventTypesSeen: new Set(),
    now: () => clock.now(),
    steadyNow: () => clock.steadyNow(),
    formatsTimes: true,
    environmentId: () => "bench",
  });
  return engine;
}

function createQty(setting: Setting): FunctionContender {
  const engine = openFunctions(setting);
  return calledByExcel(qty, () => engine.item(anyItem));
}

const leftOut = [null, null, null] as unknown as [unknown[][], unknown[][], unknown[][]];

function calledByExcel(excelFunction: ExcelFunction, prepare: Contender["prepare"]): FunctionContender {
  return {
    excelFunction,
    ask: ({ store, gtin }, row) => excelFunction([[store]], [[gtin]], ...leftOut, invocationOf(row + 1)),
    quantity: (result) => {
      const quantity = (result as unknown[][])[0]?.[0];
      return typeof quantity === "number" ? quantity : null;
    },
    prepare,
  };
}

/** Joined, because V8 would keep a concatenated text twice. */
function invocationOf(row: number): CustomFunctions.Invocation {
  return { address: ["Sheet1!C", row].join("") };
}

/** One loader for each store, because a call takes only one store. The default window is one turn of the event loop. */
function dataloader(windowMs: number): CreateLoad {
  return (setting) => {
    const search = createSearch(setting);
    const schedule = (dispatch: () => void): void => void setting.clock.setTimeout(dispatch, windowMs);
    const options = { maxBatchSize: itemsPerCall, ...(windowMs > 0 && { batchScheduleFn: schedule }) };
    const loaders = new Map<number, DataLoader<string, number | null>>();
    return (store, gtin) => {
      let loader = loaders.get(store);
      if (loader === undefined) {
        loader = new DataLoader<string, number | null>((gtins) => search(store, gtins), options);
        loaders.set(store, loader);
      }
      return loader.load(gtin);
    };
  };
}

interface Waiting {
  readonly gtin: string;
  readonly resolve: (quantity: number | null | undefined) => void;
  readonly reject: (reason: unknown) => void;
}

/** Batching from Microsoft's guide to custom functions, split by store and by 100 items as this service requires. */
function collected(windowMs: number): CreateLoad {
  return (setting) => {
    const search = createSearch(setting);
    let byStore = new Map<number, Waiting[]>();

    async function send(store: number, waiting: readonly Waiting[]): Promise<void> {
      try {
        // A call takes each item once.
        const gtins = [...new Set(waiting.map(({ gtin }) => gtin))];
        const quantities = await search(store, gtins);
        const byGtin = new Map(gtins.map((gtin, index) => [gtin, quantities[index]]));
        for (const { gtin, resolve } of waiting) resolve(byGtin.get(gtin));
      } catch (error) {
        waiting.forEach(({ reject }) => reject(error));
      }
    }

    function sendAll(): void {
      const stores = byStore;
      byStore = new Map();
      for (const [store, waiting] of stores) {
        for (let start = 0; start < waiting.length; start += itemsPerCall) {
          void send(store, waiting.slice(start, start + itemsPerCall));
        }
      }
    }

    return (store, gtin) =>
      new Promise((resolve, reject) => {
        if (byStore.size === 0) setting.clock.setTimeout(sendAll, windowMs);
        const waiting = byStore.get(store);
        if (waiting) waiting.push({ gtin, resolve, reject });
        else byStore.set(store, [{ gtin, resolve, reject }]);
      });
  };
}

/** A peer's way to the quantity of an item. It is called only with what can be a GTIN. */
type Load = (store: number, gtin: string) => Promise<number | null | undefined>;
type CreateLoad = (setting: Setting) => Load;

function plain(create: CreateLoad): Create {
  return (setting) => {
    const load = create(setting);
    return {
      ask: ({ store, gtin }) => (isTypo(gtin) ? notGtin() : load(store, gtin)),
      quantity: (result) => (typeof result === "number" ? result : null),
      prepare: () => Promise.resolve(),
    };
  };
}

function inMatrices(create: CreateLoad): Create<FunctionContender> {
  return (setting) => {
    const load = create(setting);
    const toMatrix = (quantity: unknown): unknown[][] => [[quantity]];
    const excelFunction: ExcelFunction = (stores, items) => {
      const store = stores[0]?.[0] as number;
      const gtin = items[0]?.[0] as string;
      return isTypo(gtin) ? notGtin() : load(store, gtin).then(toMatrix);
    };
    return calledByExcel(excelFunction, () => Promise.resolve());
  };
}

function notGtin(): Promise<never> {
  return Promise.reject(new Error("Not a GTIN."));
}

/** Validated calls. Returns the quantities in the order of the GTINs, null for those that a 400 names. */
function createSearch(
  setting: Setting,
): (store: number, gtins: readonly string[]) => Promise<(number | null)[]> {
  const environment = environmentOf(setting);
  const limited = setting.quota === null ? createQueue() : createLimiter(setting.quota);
  return async function search(storeNumber, values): Promise<(number | null)[]> {
    const query = { storeNumber, itemType: "gtin" as const, values };
    const outcome = await limited(values.length <= itemsOfAnEdit, async () => {
      const response = await setting.transport(buildSearchRequest(environment, query, account));
      const read = await readSearchResponse(response, query, { maxBytes, secrets: [] });
      if (read.kind !== "items" && read.kind !== "offenders") throw new Error(read.kind);
      return read;
    });
    if (outcome.kind === "items") return outcome.items.map(quantityIn);
    const { offenders } = outcome;
    const rest = values.filter((_, index) => !offenders.has(index));
    const found = rest.length === 0 ? [] : await search(storeNumber, rest);
    return values.map((_, index) => (offenders.has(index) ? null : (found.shift() ?? null)));
  };
}

function quantityIn(item: ItemOutcome): number | null {
  return item.kind === "record" ? (item.record.locations[0]?.quantity ?? null) : null;
}

type Limited = <T>(isEdit: boolean, call: () => Promise<T>) => Promise<T>;

/** Calls wait for a connection, edits before the others, in order of arrival. Cheaper than Bottleneck, which is for quotas. */
function createQueue(): Limited {
  const edits: (() => void)[] = [];
  const others: (() => void)[] = [];
  let next = 0;
  let free = connections;
  return async (isEdit, call) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => (isEdit ? edits : others).push(resolve));
    try {
      return await call();
    } finally {
      const waiting = edits.shift() ?? (next < others.length ? others[next++] : undefined);
      if (waiting) waiting();
      else free++;
    }
  };
}

const quotaMs = 60_000;
const mostRetries = 5;
const retryMs = 1_000;

function createLimiter(quota: number): Limited {
  const limiter = new Bottleneck({
    maxConcurrent: connections,
    reservoir: quota,
    reservoirRefreshAmount: quota,
    reservoirRefreshInterval: quotaMs,
  });
  limiter.on("failed", (_error, { retryCount }) => (retryCount < mostRetries ? retryMs : undefined));
  return (isEdit, call) => limiter.schedule({ priority: isEdit ? 1 : 5 }, call);
}

function environmentOf({ baseUrl, quota }: Pick<Setting, "baseUrl" | "quota">): Environment {
  const calls = quota ?? 1_000_000_000;
  return {
    id: "bench",
    label: "Bench",
    kind: "sandbox",
    tokenUrl: `${baseUrl}/token`,
    searchUrl: `${baseUrl}/search-items`,
    eventsUrl: `${baseUrl}/events`,
    quota: { search: calls, events: calls },
    credentials: "user",
  };
}
