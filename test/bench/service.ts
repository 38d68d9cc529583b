/**
 * The service for all contenders: documented answers after a fixed latency, a real quota, and 400s that name the bad item.
 * An answer lists its items in a different order from the request, each with its consumer items and their cross
 * references. For one item in 200 it says that there is no data. Answers are created once and kept, so that a second run of
 * the same calls measures the client, not the service.
 */
import type { Transport } from "../../src/api/transport";
import type { Clock } from "../../src/engine/clock";
import { hasNoData, latencyMs, isTypo, quantityOf, type Workload } from "./workloads";

export interface Service {
  readonly transport: Transport;
  calls(): number;
  refusals(): number;
  reset(): void;
  /** Creates the answers to these calls early, so that a first run measures only the client too. */
  make(queries: readonly { readonly store: number; readonly gtins: readonly string[] }[]): void;
  /** Number of answers since the last reset that were not created early. */
  late(): number;
}

interface Prepared {
  readonly status: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const encoder = new TextEncoder();

/** A signed token of this kind has about a thousand characters. */
export const benchToken = `eyJhbGciOiJSUzI1NiJ9.${"eyJzdWIiOiJiZW5jaCIsInNjb3BlIjoi".repeat(30)}.c2ln`;

export function createService(clock: Clock, workload: Pick<Workload, "quota" | "refused">): Service {
  const prepared = new Map<string, Prepared>();
  const sent: number[] = [];
  let calls = 0;
  let refusals = 0;
  let late = 0;

  const answer = (body: string): Response => {
    calls++;
    if (workload.quota !== null && isOverQuota(sent, clock.now(), workload.quota)) {
      refusals++;
      return new Response("{}", { status: 429, headers: { "retry-after": "1" } });
    }
    let ready = prepared.get(body);
    if (ready === undefined) {
      late++;
      prepared.set(body, (ready = prepare(body, workload.refused)));
    }
    return new Response(ready.bytes, { status: ready.status });
  };

  return {
    transport: async (request) => {
      const body = await request.text();
      if (request.url.endsWith("/token")) {
        return new Response(JSON.stringify({ access_token: benchToken, expires_in: 900 }));
      }
      return new Promise((resolve) => {
        const response = answer(body);
        clock.setTimeout(() => resolve(response), latencyMs);
      });
    },
    calls: () => calls,
    refusals: () => refusals,
    reset: () => {
      calls = 0;
      refusals = 0;
      late = 0;
      sent.length = 0;
    },
    make(queries) {
      for (const { store, gtins } of queries) {
        // The same spelling as in a call. If it differs, `late` counts the call.
        const body = JSON.stringify({ item_type: "gtin", store_nbr: store, item_type_values: gtins });
        prepared.set(body, prepare(body, workload.refused));
      }
    },
    late: () => late,
  };
}

/** Refused calls do not count against the quota. */
function isOverQuota(sent: number[], nowMs: number, quota: number): boolean {
  while (sent.length > 0 && sent[0]! <= nowMs - 60_000) sent.shift();
  if (sent.length >= quota) return true;
  sent.push(nowMs);
  return false;
}

function prepare(body: string, refused: ReadonlySet<string>): Prepared {
  const { store_nbr: store, item_type_values: values } = JSON.parse(body) as {
    store_nbr: number;
    item_type_values: string[];
  };
  const offenders = values.flatMap((value, index) =>
    isTypo(value) || refused.has(value) ? [{ value, index }] : [],
  );
  return offenders.length > 0
    ? { status: 400, bytes: encoder.encode(JSON.stringify(badRequest(offenders))) }
    : { status: 200, bytes: encoder.encode(answerText(store, values)) };
}

/** The answer for items that don't cause the whole request to be refused. */
export function answerText(store: number, gtins: readonly string[]): string {
  const items = inAnotherOrder(gtins).map((gtin) =>
    hasNoData(store, gtin) ? noDataItem(gtin) : successItem(store, gtin),
  );
  return JSON.stringify({ supplier_name: "BENCH", store_nbr: store, items });
}

/** Every second item first, from the end: hardly an item keeps its position. */
function inAnotherOrder(gtins: readonly string[]): readonly string[] {
  const backwards = [...gtins].reverse();
  return [0, 1].flatMap((start) => backwards.filter((_gtin, index) => index % 2 === start));
}

function noDataItem(gtin: string): unknown {
  return { gtin, data_retrieval_status: "ERROR", reason: "No data found" };
}

function successItem(store: number, gtin: string): unknown {
  const quantity = quantityOf(store, gtin);
  return {
    gtin,
    wm_item_number: gtin.slice(-9),
    data_retrieval_status: "SUCCESS",
    inventory_locations: [
      { location_area: "STORE", state: "AVAILABLE", quantity: `${String(quantity)}.0` },
      { location_area: "STORE", state: "NET_AVAILABLE", quantity: `${String(quantity)}.0` },
      { location_area: "BACKROOM", state: "AVAILABLE", quantity: "4.0" },
    ],
    cid_level_inventories: [
      {
        cid: Number(gtin.slice(-8)),
        cross_references: [0, 1].map((pack) => ({
          gtin: `${String(pack)}${gtin.slice(1)}`,
          wm_item_number: gtin.slice(-9),
          quantity: `${String(quantity)}.0`,
        })),
      },
    ],
    last_updated_time: "2026-11-20T06:30:00",
  };
}

function badRequest(offenders: readonly { readonly value: string; readonly index: number }[]): unknown {
  return {
    status: 400,
    detail: "Invalid request parameters received",
    errors: offenders.map(({ value, index }) => ({
      code: "https://service.example/errors/invalid-property-value",
      reason: "The value is invalid",
      property: `/item_type_values[${String(index)}]/${value}`,
      location: "body",
    })),
  };
}
