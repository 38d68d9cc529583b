/**
 * The service for the engine's tests: a Transport on the virtual clock that knows the right answer to every call and
 * logs what it receives. It enforces the company's quota for everybody. A script can replace any answer.
 * It is written from the service's document, not from the client's code.
 */
import type { Transport } from "../../src/api/transport";
import type { Connection } from "../../src/engine/types";
import type { Clock } from "../../src/engine/clock";

export interface LoggedCall {
  readonly operation: "token" | "search" | "events";
  readonly sentAtMs: number;
  /** Counts from 0, separately for each operation. */
  readonly number: number;
  readonly store: number;
  readonly itemType: string;
  readonly values: readonly string[];
  readonly url: URL;
  readonly token: string | null;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** A script's result: a response, no response, a broken connection, or undefined for the normal answer. */
export type Scripted = Response | "hang" | "reset" | undefined;

export interface ScriptedService {
  readonly transport: Transport;
  readonly connection: Connection;
  readonly calls: readonly LoggedCall[];
  of(operation: LoggedCall["operation"]): readonly LoggedCall[];
  /** Passes every later call to the script first. */
  script(script: (call: LoggedCall) => Scripted): void;
  /** Latency of calls sent from now on. */
  latencyMs: number;
  tokenLifetimeSeconds: number;
  /** Calls in flight now, and the highest number so far (token requests excluded). */
  readonly inFlight: number;
  readonly mostInFlight: number;
  readonly refusals: number;
  /** Added to every quantity from now on, to tell newer answers from older. */
  version: number;
}

export interface ServiceOptions {
  readonly clock: Clock;
  readonly latencyMs?: number;
  /** Calls allowed in any 60 seconds, for each operation. Default: unlimited. */
  readonly quota?: number;
  readonly environmentId?: string;
  readonly history?: (call: LoggedCall) => unknown;
}

export function createScriptedService(options: ServiceOptions): ScriptedService {
  const { clock } = options;
  const environmentId = options.environmentId ?? "demo";
  const base = `https://${environmentId}.example`;
  const calls: LoggedCall[] = [];
  const numbers = { token: 0, search: 0, events: 0 };
  const accepted: Record<"search" | "events", number[]> = { search: [], events: [] };
  const tokens = new Map<string, number>();
  let script: (call: LoggedCall) => Scripted = () => undefined;
  let inFlight = 0;
  let mostInFlight = 0;
  let refusals = 0;

  const service: ScriptedService = {
    transport,
    connection: {
      environment: {
        id: environmentId,
        label: environmentId,
        kind: "demo",
        tokenUrl: `${base}/token`,
        searchUrl: `${base}/search-items`,
        eventsUrl: `${base}/events`,
        quota: { search: options.quota ?? 600, events: options.quota ?? 600 },
        credentials: "user",
      },
      credentials: { consumerId: `${environmentId}-consumer`, clientSecret: "s3cret" },
    },
    calls,
    of: (operation) => calls.filter((call) => call.operation === operation),
    script: (next) => void (script = next),
    latencyMs: options.latencyMs ?? 80,
    tokenLifetimeSeconds: 900,
    get inFlight() {
      return inFlight;
    },
    get mostInFlight() {
      return mostInFlight;
    },
    get refusals() {
      return refusals;
    },
    version: 0,
  };

  async function transport(request: Request): Promise<Response> {
    const sentAtMs = clock.steadyNow();
    const { latencyMs } = service;
    const call = await logged(request, sentAtMs);
    const isData = call.operation !== "token";
    if (isData) {
      inFlight += 1;
      mostInFlight = Math.max(mostInFlight, inFlight);
    }
    try {
      // The answer is decided halfway, when the call reaches the service.
      await wait(latencyMs / 2, request.signal);
      const scripted = script(call) ?? answer(call);
      await wait(scripted === "hang" ? Infinity : latencyMs / 2, request.signal);
      if (scripted === "reset" || scripted === "hang") throw new TypeError("connection reset");
      return scripted;
    } finally {
      if (isData) inFlight -= 1;
    }
  }

  async function logged(request: Request, sentAtMs: number): Promise<LoggedCall> {
    const url = new URL(request.url);
    const operation = url.pathname === "/token" ? "token" : url.pathname === "/events" ? "events" : "search";
    const number = numbers[operation]++;
    const placeholder = calls.length;
    calls.length += 1;
    const body = request.method === "POST" ? await request.text() : "";
    const json = operation === "search" ? (JSON.parse(body) as SearchBody) : {};
    const call: LoggedCall = {
      operation,
      sentAtMs,
      number,
      store: Number(json.store_nbr ?? url.searchParams.get("store_nbr")),
      itemType: json.item_type ?? "",
      values: json.item_type_values ?? [],
      url,
      token: request.headers.get("authorization")?.replace("Bearer ", "") ?? null,
      body,
      signal: request.signal,
    };
    calls[placeholder] = call;
    return call;
  }

  function wait(waitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => reject(new DOMException("aborted", "AbortError"));
      if (signal.aborted) abort();
      signal.addEventListener("abort", abort, { once: true });
      if (waitMs === Infinity) return;
      clock.setTimeout(() => {
        signal.removeEventListener("abort", abort);
        resolve();
      }, waitMs);
    });
  }

  function answer(call: LoggedCall): Response {
    if (call.operation === "token") return grant();
    const expiresAtMs = tokens.get(call.token ?? "") ?? 0;
    if (clock.steadyNow() >= expiresAtMs) return gateway(401, "token validation failed: expired token");
    if (options.quota !== undefined && !takeQuota(call.operation)) {
      refusals += 1;
      return new Response("too many requests", { status: 429, headers: { "retry-after": "5" } });
    }
    return call.operation === "search" ? inventory(call, service.version) : history(call);
  }

  function grant(): Response {
    const token = `token-${tokens.size + 1}`;
    tokens.set(token, clock.steadyNow() + service.tokenLifetimeSeconds * 1_000);
    return Response.json({ access_token: token, expires_in: service.tokenLifetimeSeconds });
  }

  function takeQuota(operation: "search" | "events"): boolean {
    const times = accepted[operation];
    while (times.length > 0 && (times[0] ?? 0) <= clock.steadyNow() - 60_000) times.shift();
    if (times.length >= (options.quota ?? Infinity)) return false;
    times.push(clock.steadyNow());
    return true;
  }

  function history(call: LoggedCall): Response {
    const body = options.history?.(call) ?? defaultHistory(call);
    return body instanceof Response ? body : Response.json(body);
  }

  return service;
}

interface SearchBody {
  readonly store_nbr?: number;
  readonly item_type?: string;
  readonly item_type_values?: readonly string[];
}

/** The quantity that this service returns for an item: different for every store and item. */
export function quantityOf(store: number, value: string, version = 0): number {
  return ((store * 31 + Number(value)) % 100_000) + version;
}

export function inventory(call: LoggedCall, version = 0): Response {
  return Response.json({
    supplier_name: "Example Supplier",
    store_nbr: call.store,
    items: call.values.map((value) => record(call, value, version)),
  });
}

export function record(call: LoggedCall, value: string, version = 0): Record<string, unknown> {
  return {
    [call.itemType]: value,
    data_retrieval_status: "SUCCESS",
    inventory_locations: [
      {
        location_area: "STORE",
        state: "AVAILABLE",
        quantity: String(quantityOf(call.store, value, version)),
      },
    ],
    cid_level_inventories: [],
    last_updated_time: "2026-11-20T08:00:00",
  };
}

export function problem(
  status: number,
  detail: string,
  errors?: readonly Record<string, string>[],
): Response {
  const kind =
    status === 404 ? "resource-not-found" : status === 401 ? "authentication-failure" : "invalid-request";
  const type = `https://errors.example/${status >= 500 ? "internal-server-error" : kind}`;
  const body = { type, title: "problem", trace_id: "trace-1", status, detail, instance: "/", errors };
  return Response.json(body, { status, headers: { "content-type": "application/problem+json" } });
}

export function gateway(status: number, description: string): Response {
  const details = { Description: description, "wm_svc.version": "1.0.0", "wm_svc.name": "inventory-status" };
  return Response.json({ details }, { status });
}

export function offender(index: number, value: string): Record<string, string> {
  return {
    code: "https://errors.example/invalid-property-value",
    reason: "The property value is invalid",
    property: `/item_type_values[${index}]/${value}`,
    location: "body",
  };
}

function defaultHistory(call: LoggedCall): unknown {
  const gtin = call.url.searchParams.get("gtin");
  const types = ["SALES", "LR", "SALES"];
  const wanted = call.url.searchParams.get("event_type");
  const events = types.map((eventType, index) => ({
    event_type: eventType,
    event_qty: String(index + 1),
    event_creation_time: `2026-11-19T0${index}:00:00`,
    aggregated_qty: String(10 - index),
  }));
  const chosen = events.filter((event) => wanted === null || event.event_type === wanted);
  return {
    supplier_name: "Example Supplier",
    store_nbr: call.store,
    gtin,
    event_history_item_details: chosen,
    next_page_token: null,
  };
}
