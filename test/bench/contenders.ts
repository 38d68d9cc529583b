/**
 * INV's engine and what people use in its place, each set up as its own documentation advises and each with
 * the same connections and the same requests. Peers read answers with `response.json()`, match items by their GTIN
 * and check nothing; that is less work than INV does, and it is counted in their favour.
 */
import { buildSearchRequest } from "../../src/api/search-items";
import type { Transport } from "../../src/api/transport";
import { parseGtin } from "../../src/domain/identifiers";
import type { Environment } from "../../src/domain/environment";
import type { Clock } from "../../src/engine/clock";
import { createEngine } from "../../src/engine/engine";
import type { ItemAnswer } from "../../src/engine/answer";
import type { Engine } from "../../src/engine/types";
import { benchToken } from "./service";
import { connections, type Cell } from "./workloads";
import Bottleneck from "bottleneck";
import DataLoader from "dataloader";

export interface Setting {
  readonly clock: Clock;
  readonly transport: Transport;
  /** Calls allowed in any 60 s. */
  readonly quota: number | null;
  readonly baseUrl: string;
  /** What a peer hands out of an item; the item itself unless given. */
  readonly read?: (item: WireItem | undefined) => unknown;
  /** Texts of the fewest calls' answers: all that the floor has to go by. */
  readonly leastAnswers?: () => readonly string[];
}

export interface Contender {
  /** The value of the cell in this row, asked for as Excel does it. */
  ask(cell: Cell, row: number): Promise<unknown>;
  /** Where there is one, a sheet is one formula: all values of the sheet, whose cells are then not asked for. */
  askGrid?(): Promise<unknown>;
  /** The number in what `ask` resolved with, or null. */
  quantity(result: unknown): number | null;
  /** Before the clock runs: what a client does once and not per sheet. */
  prepare(): Promise<void>;
}

export interface Entry {
  readonly id: string;
  readonly title: string;
  readonly create: (setting: Setting) => Contender;
}

export const contenders: readonly Entry[] = [
  { id: "inv", title: "INV", create: createInv },
  { id: "tick", title: "dataloader, tick", create: (setting) => createLoader(setting, {}) },
  { id: "loader", title: "dataloader, 100 ms", create: createWindowLoader },
  { id: "window", title: "100 ms window", create: createWindow },
  { id: "bottleneck", title: "bottleneck", create: createBottleneck },
  { id: "single", title: "call per cell", create: createSingle },
];

const itemsPerCall = 100;
const windowMs = 100;
/** As long as a real consumer ID, secret and token: what is compared with texts costs by their length. */
const consumerId = "8e2c5f0a-3b7d-4c19-9a64-d1f7b05e2c83";
const clientSecret = "mZ4tq8Vw1Lr6Yk9Bn3Xc7Dp2Hs5Jf0Ga-Te_UoRiMvEbWx4Qz8Ky1Nd6Pl3Sg7Ch";
const account = { consumerId, accessToken: benchToken };

/** INV's engine, connected. */
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
      // What the functions do with a cell before they ask.
      const value = parseGtin(cell.gtin);
      return typeof value === "string"
        ? engine.item({ storeNumber: cell.store, itemType: "gtin", value })
        : Promise.reject(value);
    },
    quantity: (result) => {
      const answer = result as ItemAnswer;
      return answer.found ? (answer.value.locations[0]?.quantity ?? null) : null;
    },
    // Peers hold their token from the start, so INV may have its own too.
    prepare: () => engine.testConnection(),
  };
}

function createWindowLoader(setting: Setting): Contender {
  return createLoader(setting, {
    batchScheduleFn: (dispatch: () => void) => void setting.clock.setTimeout(dispatch, windowMs),
  });
}

/** A loader for each store, since a call takes one store only. */
function createLoader(setting: Setting, schedule: DataLoader.Options<string, unknown>): Contender {
  const send = createSender(setting);
  const loaders = new Map<number, DataLoader<string, unknown>>();
  const options = { maxBatchSize: itemsPerCall, ...schedule };
  return peer(({ store, gtin }) => {
    let loader = loaders.get(store);
    if (loader === undefined) {
      loader = new DataLoader<string, unknown>((gtins) => send(store, gtins), options);
      loaders.set(store, loader);
    }
    return loader.load(gtin);
  });
}

interface Waiting {
  readonly gtin: string;
  readonly resolve: (item: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** As in Microsoft's guide to batching custom functions; split by store and by 100, as this service needs it. */
function createWindow(setting: Setting): Contender {
  const sendWaiting = createWaitingSender(setting);
  let byStore = new Map<number, Waiting[]>();
  return peer(
    ({ store, gtin }) =>
      new Promise((resolve, reject) => {
        if (byStore.size === 0) {
          setting.clock.setTimeout(() => {
            const flushed = byStore;
            byStore = new Map();
            for (const [storeNumber, waiting] of flushed) sendWaiting(storeNumber, waiting);
          }, windowMs);
        }
        const waiting = byStore.get(store);
        if (waiting) waiting.push({ gtin, resolve, reject });
        else byStore.set(store, [{ gtin, resolve, reject }]);
      }),
  );
}

function createBottleneck(setting: Setting): Contender {
  const sendWaiting = createWaitingSender(setting);
  const batchers = new Map<number, Bottleneck.Batcher>();
  return peer(
    ({ store, gtin }) =>
      new Promise((resolve, reject) => {
        let batcher = batchers.get(store);
        if (batcher === undefined) {
          batcher = new Bottleneck.Batcher({ maxTime: windowMs, maxSize: itemsPerCall });
          batcher.on("batch", (waiting: Waiting[]) => sendWaiting(store, waiting));
          batchers.set(store, batcher);
        }
        void batcher.add({ gtin, resolve, reject });
      }),
  );
}

function createSingle(setting: Setting): Contender {
  const send = createSender(setting);
  return peer(async ({ store, gtin }) => (await send(store, [gtin]))[0]);
}

/** The part of an item on the wire that a peer reads. */
export interface WireItem {
  readonly gtin: string;
  /** Absent where the service has no data. */
  readonly inventory_locations?: readonly { readonly quantity: string }[];
}

function peer(ask: Contender["ask"]): Contender {
  return {
    ask,
    quantity: (result) =>
      typeof result === "number" || result === null ? result : quantityIn(result as WireItem | undefined),
    prepare: () => Promise.resolve(),
  };
}

/** As the guides read an answer: nothing is checked but that there is a number. */
export function quantityIn(item: WireItem | undefined): number | null {
  const quantity = item?.inventory_locations?.[0]?.quantity;
  return quantity === undefined ? null : Number(quantity);
}

function createWaitingSender(setting: Setting): (store: number, waiting: readonly Waiting[]) => void {
  const send = createSender(setting);
  const sendOne = async (store: number, waiting: readonly Waiting[]): Promise<void> => {
    try {
      const items = await send(
        store,
        waiting.map(({ gtin }) => gtin),
      );
      waiting.forEach(({ resolve }, index) => resolve(items[index]));
    } catch (error) {
      waiting.forEach(({ reject }) => reject(error));
    }
  };
  return (store, waiting) => {
    for (let start = 0; start < waiting.length; start += itemsPerCall) {
      void sendOne(store, waiting.slice(start, start + itemsPerCall));
    }
  };
}

/** One call, through as many connections as all have; further calls wait their turn, first come, first served. */
function createSender(setting: Setting): (store: number, gtins: readonly string[]) => Promise<unknown[]> {
  const environment = environmentOf(setting);
  const { read } = setting;
  const queue: (() => void)[] = [];
  let next = 0;
  let free = connections;
  return async (storeNumber, values) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      const query = { storeNumber, itemType: "gtin" as const, values };
      const response = await setting.transport(buildSearchRequest(environment, query, account));
      if (!response.ok) throw new Error(`status ${String(response.status)}`);
      const { items } = (await response.json()) as { items: WireItem[] };
      const byGtin = new Map(items.map((item) => [item.gtin, item]));
      const found = values.map((gtin) => byGtin.get(gtin));
      return read === undefined ? found : found.map(read);
    } finally {
      const waiting = queue[next];
      if (waiting) {
        next++;
        waiting();
      } else free++;
    }
  };
}

export function environmentOf({ baseUrl, quota }: Pick<Setting, "baseUrl" | "quota">): Environment {
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
