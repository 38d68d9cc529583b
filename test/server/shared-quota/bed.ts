/**
 * Shared setup for the tests of a company's shared search. The service runs on the virtual clock and knows the right
 * answer to each lookup; a script can change any answer. People ask it through the company's search.
 */
import type { CompanyCall } from "../../../src/server/shared-quota/call";
import type { RelayedAnswer } from "../../../src/server/answer";
import { createKnownAnswers, type KnownAnswers } from "../../../src/server/shared-quota/known-answers";
import type { SteadyClock } from "../../../src/server/steady-clock";
import { createPacedCalls, type PacedCalls } from "../../../src/server/shared-quota/paced-calls";
import { createSharedSearch } from "../../../src/server/shared-quota/shared-search";
import { type CompanyQuota, createCompanyQuota } from "../../../src/server/shared-quota/quota";
import { createMemoryQuotaStore } from "../../../src/server/shared-quota/quota-store";
import { createVirtualClock, type VirtualClock } from "../../helpers/virtual-clock";

export interface SentCall {
  readonly atMs: number;
  readonly person: string;
  readonly consumerId: string;
  readonly store: number;
  readonly values: readonly string[];
  readonly body: string;
  readonly signal: AbortSignal;
}

export interface Bed {
  readonly clock: VirtualClock;
  search(call: CompanyCall): Promise<RelayedAnswer | null>;
  readonly sent: readonly SentCall[];
  /** Passes every later call to the script first. If the script returns undefined, the service answers. */
  script(script: (call: SentCall) => RelayedAnswer | "hang" | undefined): void;
  latencyMs: number;
  /** Added to every quantity, to tell later answers from earlier ones. */
  version: number;
  shared: number;
}

export interface BedOptions {
  readonly limit?: number;
  readonly maxBytes?: number;
  /** Replaces the store in memory. */
  readonly known?: KnownAnswers;
  /** Milliseconds that a turn of the event loop takes. */
  readonly turnMs?: number;
  /** Lets a test choose when each answer comes. */
  readonly arrive?: (call: SentCall) => Promise<void>;
}

/** A quota of one server that allows `limit` calls in any 60 seconds. */
export function openQuota(clock: SteadyClock, limit: number): CompanyQuota {
  const store = createMemoryQuotaStore({ clock, limitOf: () => limit });
  return createCompanyQuota({ clock, onWait: () => () => undefined, store });
}

/** Calls within a quota of `limit` requests a minute. Its events go to no observer. */
export function pacedOf(clock: SteadyClock, limit: number): PacedCalls {
  const ignore = (): void => undefined;
  const observer = { sent: ignore, rejected: ignore, away: ignore };
  return createPacedCalls({ clock, quota: openQuota(clock, limit), observer });
}

export function createBed(options: BedOptions = {}): Bed {
  const clock = createVirtualClock({ turnMs: options.turnMs ?? 0 });
  const sent: SentCall[] = [];
  let script: (call: SentCall) => RelayedAnswer | "hang" | undefined = () => undefined;
  const search = createSharedSearch({
    clock,
    paced: pacedOf(clock, options.limit ?? 600),
    known: options.known ?? createKnownAnswers({ clock, maxBytes: options.maxBytes ?? 10_000_000 }),
    onShared: (_environment, items) => (bed.shared += items),
  });
  const bed: Bed = {
    clock,
    sent,
    script: (next) => void (script = next),
    latencyMs: 80,
    version: 0,
    shared: 0,
    search: (call) =>
      search({ ...call, send: (body, { signal }) => service(call, { body: body.toString(), signal }) }),
  };
  async function service(
    { asker: { person }, consumerId }: CompanyCall,
    { body, signal }: { readonly body: string; readonly signal: AbortSignal },
  ): Promise<RelayedAnswer> {
    const { store_nbr: store, item_type_values: values } = JSON.parse(body) as {
      store_nbr: number;
      item_type_values: string[];
    };
    const call = { atMs: clock.now(), person, consumerId, store, values, body, signal };
    sent.push(call);
    const answer = script(call) ?? okAnswer(consumerId, store, values, bed.version);
    await (options.arrive?.(call) ?? wait(answer === "hang" ? Infinity : bed.latencyMs, signal));
    if (answer === "hang" || signal.aborted) return { status: 502, headers: {}, body: Buffer.from("{}") };
    return answer;
  }

  function wait(waitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (waitMs < Infinity) clock.setTimeout(resolve, waitMs);
      signal.addEventListener("abort", () => resolve());
    });
  }

  return bed;
}

/** A complete answer. Each quantity encodes its consumer, item and version. */
export function okAnswer(
  consumerId: string,
  store: number,
  values: readonly string[],
  version = 0,
): RelayedAnswer {
  const items = values.map((value) => record(consumerId, store, value, version));
  return json(200, `{"supplier_name":"${consumerId}","store_nbr":${store},"items":[${items.join(", ")}]}`);
}

/** A record whose spacing no serializer of ours produces. */
export function record(consumerId: string, store: number, value: string, version = 0): string {
  const quantity = `${version}.${store}${Number(value)}00`;
  return `{ "gtin" : "${value}","data_retrieval_status":"SUCCESS", "inventory_locations":[{"location_area":"STORE","state":"AVAILABLE","quantity":${quantity}}],"cid_level_inventories":[],"note":"${consumerId}, \\"ü\\" ]}"}`;
}

export function json(status: number, text: string, headers: Record<string, string> = {}): RelayedAnswer {
  return { status, headers: { "content-type": "application/json", ...headers }, body: Buffer.from(text) };
}

export interface Ask {
  readonly person?: string;
  readonly address?: string;
  readonly consumerId?: string;
  readonly store?: number;
  readonly values?: readonly string[];
  readonly maxAgeMs?: number;
  readonly isEdit?: boolean;
  readonly signal?: AbortSignal;
  readonly body?: string;
}

export const gtin = (number: number): string => String(number).padStart(14, "0");

/** A call of the company "acme" for two items of store 1234, unless the options say otherwise. */
export function ask(options: Ask = {}): CompanyCall {
  const { consumerId = "acme", store = 1234, values = [gtin(1), gtin(2)] } = options;
  return {
    environment: "production",
    address: options.address ?? "https://service.example/search-items",
    consumerId,
    asker: { person: options.person ?? "person-1", isEdit: options.isEdit ?? false },
    maxAgeMs: options.maxAgeMs ?? 60_000,
    body: Buffer.from(
      options.body ?? JSON.stringify({ item_type: "gtin", store_nbr: store, item_type_values: [...values] }),
    ),
    signal: options.signal ?? new AbortController().signal,
    // The bed sends the call itself.
    send: () => Promise.reject(new Error("not sent by the bed")),
  };
}

export function recordsOf(answer: RelayedAnswer | null): readonly unknown[] {
  return (JSON.parse(answer?.body.toString() ?? "{}") as { items: readonly unknown[] }).items;
}

/** The records of the company "acme" at store 1234 for these items. */
export function acmeRecords(...numbers: readonly number[]): readonly unknown[] {
  return numbers.map((number) => JSON.parse(record("acme", 1234, gtin(number))) as unknown);
}
