/**
 * Bodies and responses of the service, written by hand from its document. Nothing here comes from the
 * embedded service, so that client and service cannot share a mistake.
 */
import type { Environment } from "../../src/domain/environment";

export const limit = { maxBytes: 2_000_000, secrets: [] };

export const environment: Environment = {
  id: "sandbox",
  label: "Sandbox",
  kind: "sandbox",
  tokenUrl: "https://auth.example/api-proxy/service/identity/oauth/v1/token",
  searchUrl: "https://data.example/inventory/search-items",
  eventsUrl: "https://data.example/history/events",
  quota: { search: 600, events: 600 },
  credentials: "user",
};

const errorsBase = "https://data.example/errors";

export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

export function html(status = 200): Response {
  return new Response("<!doctype html><html><body>Welcome</body></html>", {
    status,
    headers: { "content-type": "text/html" },
  });
}

export function gtin(number: number): string {
  return String(number).padStart(14, "0");
}

export function successItem(id: string, quantity: unknown = "12.0"): Record<string, unknown> {
  return {
    gtin: id,
    wm_item_number: "567890123",
    data_retrieval_status: "SUCCESS",
    inventory_locations: [
      { location_area: "STORE", state: "AVAILABLE", quantity },
      { location_area: "BACKROOM", state: "AVAILABLE", quantity: "3.0" },
    ],
    cid_level_inventories: [{ cid: 123456789, cross_references: [] }],
    last_updated_time: "2026-11-18T04:05:06",
  };
}

export function errorItem(id: string, reason: string): Record<string, unknown> {
  return { gtin: id, data_retrieval_status: "ERROR", reason };
}

export function answer(items: readonly unknown[], store: unknown = 1234): Record<string, unknown> {
  return { supplier_name: "ACME FOODS", store_nbr: store, items };
}

interface ProblemOptions {
  readonly detail?: string;
  readonly errors?: readonly unknown[];
}

const titles: Record<string, string> = {
  "invalid-request": "The request is not well-formed, is syntactically incorrect, or violates the schema",
  "authentication-failure": "Authentication failure",
  "resource-not-found": "The specified resource does not exist",
  "internal-server-error": "Internal server error",
};

export function problem(kind: string, status: number, options: ProblemOptions = {}): Response {
  const body = {
    type: `${errorsBase}/${kind}`,
    title: titles[kind],
    trace_id: "4bf92f3577b34da6",
    status,
    detail: options.detail ?? "Invalid request parameters received",
    instance: "/search-items",
    ...(options.errors && { errors: options.errors }),
  };
  return json(body, status);
}

export function badProperty(property: string, reason = "The value is invalid"): Record<string, unknown> {
  return { code: `${errorsBase}/invalid-property-value`, reason, property, location: "body" };
}

export function gateway(status: number, description: string, name = "inventory-status"): Response {
  const details = {
    Description: description,
    "wm_svc.version": "1.0.0",
    "wm_svc.name": name,
    "wm_svc.env": "sandbox",
  };
  return json({ details }, status);
}

/** A body that arrives in chunks and then ends, breaks, or never ends. */
export function streamed(chunks: readonly Uint8Array[], end: "ends" | "breaks" | "hangs"): ReadableStream {
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks[next++];
      if (chunk) controller.enqueue(chunk);
      else if (end === "ends") controller.close();
      else if (end === "breaks") controller.error(new TypeError("terminated"));
      else return new Promise(() => undefined);
    },
  });
}
