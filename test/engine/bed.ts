/**
 * Shared setup for the engine's tests: an engine on a virtual clock with the scripted service, the cells of a sheet, and
 * a record of how and when each request ended.
 */
import { type ErrorCode, type InvError, toInvError } from "../../src/domain/errors";
import type { Environment } from "../../src/domain/environment";
import type { HistoryQuery, ItemQuery } from "../../src/domain/records";
import { createEngine } from "../../src/engine/engine";
import type { Engine, EngineOptions, HistoryAnswer, ItemAnswer, Work } from "../../src/engine/types";
import {
  createScriptedService,
  quantityOf,
  type ScriptedService,
  type ServiceOptions,
} from "../helpers/scripted-service";
import { createVirtualClock, type VirtualClock } from "../helpers/virtual-clock";

export interface Bed {
  readonly clock: VirtualClock;
  readonly service: ScriptedService;
  readonly engine: Engine;
}

export type BedOptions = Partial<Omit<ServiceOptions, "clock">> &
  Partial<Pick<EngineOptions, "connections" | "settings" | "maxAnswerBytes" | "callMemory">> & {
    readonly seed?: number;
    /** Overrides what the service says about its environment. */
    readonly environment?: Partial<Environment>;
    /** Receives each request when it leaves. */
    readonly onRequest?: (request: Request) => void;
  };

/** A connected engine without any request so far. */
export function createBed(options: BedOptions = {}): Bed {
  const { seed = 1, environment, onRequest = () => undefined } = options;
  const clock = createVirtualClock({ seed });
  const service = createScriptedService({ ...options, clock });
  const engine = createEngine({
    ...options,
    clock,
    transport(request) {
      onRequest(request);
      return service.transport(request);
    },
  });
  const { connection } = service;
  engine.connect({ ...connection, environment: { ...connection.environment, ...environment } });
  return { clock, service, engine };
}

/** A quota that never delays a call. */
export const noQuota = { quota: 1_000_000 };

/** A bed that already has a token, as in a used workbook. */
export async function warmBed(options: BedOptions = noQuota): Promise<Bed> {
  const bed = createBed(options);
  await bed.clock.until(bed.engine.item(item(999, 999)));
  await bed.clock.advance(1_000);
  return bed;
}

/** A bed whose cells are all answered. Later answers have another version. */
export async function filled(
  cells = sheet(3, 150),
  options: BedOptions = {},
): Promise<Bed & { work: Work; calls: () => number }> {
  const bed = createBed({ ...noQuota, ...options });
  await ask(bed, cells);
  const before = bed.service.of("search").length;
  bed.service.version = 1;
  return {
    ...bed,
    work: { items: cells, histories: [] },
    calls: () => bed.service.of("search").length - before,
  };
}

/** The versions of the cached answers. */
export function versions(bed: Bed, work: Work): number[] {
  return work.items.map((query) => {
    const answer = bed.engine.cachedItem(query);
    const quantity = answer?.found ? (answer.value.locations[0]?.quantity ?? 0) : 0;
    return quantity - quantityOf(query.storeNumber, query.value);
  });
}

export function item(store: number, number: number): ItemQuery {
  return { storeNumber: 1_000 + store, itemType: "gtin", value: String(number).padStart(14, "0") };
}

/** Cells row by row: a row for each item, a column for each store. */
export function sheet(stores: number, items: number): ItemQuery[] {
  const cells: ItemQuery[] = [];
  for (let number = 1; number <= items; number += 1) {
    for (let store = 0; store < stores; store += 1) cells.push(item(store, number));
  }
  return cells;
}

export function history(number: number, more: Partial<HistoryQuery> = {}): HistoryQuery {
  return { storeNumber: 1_000, gtin: String(number).padStart(14, "0"), ...more };
}

/** How one request ended: a quantity, the code of the service's negative answer, or the code of a rejection. */
export interface Ended {
  readonly quantity: number | null;
  readonly no: ErrorCode | null;
  readonly rejected: InvError | null;
  readonly stale: InvError | null;
  readonly atMs: number;
  readonly turn: number;
}

/** Requests all cells at once. `ended[i]` is set when the i-th request settles. */
export function askAll(
  { engine, clock }: Bed,
  queries: readonly ItemQuery[],
  cellOf: (index: number) => string | undefined = () => undefined,
): (Ended | undefined)[] {
  const ended: (Ended | undefined)[] = queries.map(() => undefined);
  queries.forEach((query, index) => {
    const when = () => ({ atMs: clock.now(), turn: clock.turn });
    engine.item(query, cellOf(index)).then(
      (answer) => (ended[index] = { ...endOf(answer), ...when() }),
      (rejected: unknown) => {
        ended[index] = { quantity: null, no: null, stale: null, rejected: toInvError(rejected), ...when() };
      },
    );
  });
  return ended;
}

/** Requests all cells and waits for everything that follows. */
export async function ask(...given: Parameters<typeof askAll>): Promise<(Ended | undefined)[]> {
  const ended = askAll(...given);
  await given[0].clock.runAll();
  return ended;
}

/** Number of requests for each way of ending, once all have ended. */
export async function outcomes(...given: Parameters<typeof askAll>): Promise<Record<string, number>> {
  return tally(await ask(...given));
}

/** Requests cells in bursts of this size, with this time between bursts, and waits for all. */
export async function askInBursts(
  bed: Bed,
  queries: readonly ItemQuery[],
  burst: { readonly cells: number; readonly everyMs: number },
): Promise<(Ended | undefined)[]> {
  const bursts: (Ended | undefined)[][] = [];
  for (let at = 0; at < queries.length; at += burst.cells) {
    const ask = () => bursts.push(askAll(bed, queries.slice(at, at + burst.cells)));
    bed.clock.setTimeout(ask, (at / burst.cells) * burst.everyMs);
  }
  await bed.clock.runAll();
  return bursts.flat();
}

export function lastMs(ended: readonly (Ended | undefined)[]): number {
  return ended.reduce((latest, end) => Math.max(latest, end?.atMs ?? Infinity), 0);
}

function codeOf(end: Ended | undefined): ErrorCode | "value" | "waiting" {
  if (end === undefined) return "waiting";
  return end.rejected?.code ?? end.no ?? "value";
}

export function codeOfError(error: unknown): ErrorCode {
  return toInvError(error).code;
}

/** Number of requests for each way of ending. */
export function tally(ended: readonly (Ended | undefined)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const end of ended) counts[codeOf(end)] = (counts[codeOf(end)] ?? 0) + 1;
  return counts;
}

function quantityIn(answer: ItemAnswer): number | null {
  return answer.found ? (answer.value.locations[0]?.quantity ?? null) : null;
}

export function typesIn(answer: HistoryAnswer): string[] {
  return answer.found ? answer.value.map((event) => event.eventType) : [];
}

function endOf(answer: ItemAnswer): Omit<Ended, "atMs" | "turn"> {
  return {
    quantity: quantityIn(answer),
    no: answer.found ? null : answer.error.code,
    rejected: null,
    stale: answer.staleBecause ?? null,
  };
}
