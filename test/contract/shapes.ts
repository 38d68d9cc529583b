/** The document's shapes, written by hand. Each function checks one body. */
import type { Answer } from "./caller";

/** `{errors_base}` of the document. */
export const errorsBase = "https://errors.inv.example";

/** The document gives the first, and says of the others that each kind has a fixed text. */
export const titles: Record<string, string> = {
  "invalid-request": "The request is not well-formed, is syntactically incorrect, or violates the schema.",
  "authentication-failure": "The consumer could not be authenticated.",
  "resource-not-found": "The specified resource does not exist.",
  "internal-server-error": "Internal server error.",
};

export interface ExpectedError {
  readonly code: "invalid-property-value" | "invalid-property-length" | "missing-required-property";
  readonly reason: "missing" | "length" | "value";
  readonly property: string;
}

export const reasons: Record<ExpectedError["reason"], string> = {
  missing: "A required property is missing.",
  length: "The value of a property is too short or too long.",
  value: "The value of a property is invalid.",
};

/** The problem shape of a kind. */
export function expectProblem(answer: Answer, status: number, kind: string): void {
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  const { type, title, trace_id: traceId, detail, instance } = answer.body;
  expect({ type, title, status: answer.body.status }).toEqual({
    type: `${errorsBase}/${kind}`,
    title: titles[kind],
    status,
  });
  expect(traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(typeof detail).toBe("string");
  expect(instance).toMatch(/^\//);
  const allowed = ["type", "title", "trace_id", "status", "detail", "instance"];
  if (status === 400) allowed.push("errors");
  expect(Object.keys(answer.body).filter((key) => !allowed.includes(key))).toEqual([]);
}

/** A 400 with exactly these errors, in any order. */
export function expectInvalid(
  answer: Answer,
  location: "body" | "query",
  errors: readonly ExpectedError[],
): void {
  expectProblem(answer, 400, "invalid-request");
  expect(answer.body.detail).toMatch(/^Invalid request parameters received/);
  const found = answer.body.errors.map(({ code, property, location: where }) => ({
    code,
    property,
    location: where,
  }));
  const wanted = errors.map(({ code, property }) => ({ code: `${errorsBase}/${code}`, property, location }));
  expect(found).toHaveLength(wanted.length);
  expect(found).toEqual(expect.arrayContaining(wanted));
  for (const { property, reason } of errors) {
    const match = answer.body.errors.find((error) => error.property === property);
    expect(match?.reason).toBe(reasons[reason]);
  }
}

/** The gateway shape, naming the operation's service. */
export function expectGateway(answer: Answer, status: number, operation: "search" | "events"): void {
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  expect(answer.body).toEqual({
    details: {
      Description: expect.any(String) as string,
      "wm_svc.version": "1.0.0",
      "wm_svc.name": operation === "search" ? "inventory-status" : "inventory-events",
      "wm_svc.env": expect.stringMatching(/^(demo|sandbox|production)$/) as string,
    },
  });
}

/** OAuth 2.0's error shape. */
export function expectTokenError(answer: Answer, status: number, error: string): void {
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  expect(answer.body).toEqual({ error, error_description: expect.any(String) as string });
}

const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/;
const decimal = /^-?\d+(\.\d+)?$/;

/** A 200 of `POST /search-items`. */
export function expectInventory(answer: Answer, requested: readonly string[]): void {
  expect(answer.status).toBe(200);
  expect(Object.keys(answer.body).sort()).toEqual(["items", "store_nbr", "supplier_name"]);
  expect(Number.isInteger(answer.body.store_nbr)).toBe(true);
  expect(answer.body.items).toHaveLength(requested.length);
  for (const item of answer.body.items) {
    if (item.data_retrieval_status === "ERROR") {
      expect(Object.keys(item)).toHaveLength(3);
      expect(item.reason).toMatch(/^((WM_ITEM_NUMBER|GTIN) not mapped to the supplier|No data found)$/);
      continue;
    }
    expect(item.data_retrieval_status).toBe("SUCCESS");
    expect(item.wm_item_number).toMatch(/^\d{9}$/);
    expect(item.last_updated_time).toMatch(time);
    for (const record of item.inventory_locations) {
      expect(["STORE", "BACKROOM"]).toContain(record.location_area);
      expect(["AVAILABLE", "NET_AVAILABLE"]).toContain(record.state);
      expect(record.quantity).toMatch(decimal);
    }
    for (const record of item.cid_level_inventories) {
      expect(Number.isInteger(record.cid)).toBe(true);
      expect(Array.isArray(record.cross_references)).toBe(true);
    }
  }
}

/** A 200 of `GET /events`. */
export function expectHistory(answer: Answer): void {
  expect(answer.status).toBe(200);
  expect(Object.keys(answer.body).sort()).toEqual([
    "event_history_item_details",
    "gtin",
    "next_page_token",
    "store_nbr",
    "supplier_name",
  ]);
  expect(answer.body.gtin).toMatch(/^\d{14}$/);
  for (const event of answer.body.event_history_item_details) {
    expect(Object.keys(event).sort()).toEqual([
      "aggregated_qty",
      "event_creation_time",
      "event_qty",
      "event_type",
    ]);
    expect(event.event_qty).toMatch(decimal);
    expect(event.aggregated_qty).toMatch(decimal);
    expect(event.event_creation_time).toMatch(time);
  }
  const token = answer.body.next_page_token;
  if (token !== null) expect(token).toMatch(/^[\w-]+$/);
}
