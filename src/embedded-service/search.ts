/**
 * `POST /search-items` for an authorized caller: checks the body, asks the backend, and writes one record per requested value, in the
 * order of the request, with repeated values. A response with only errors is still a 200, except in the sandbox: the document lists 404
 * `No data found` only for that. The order of checks: content type, size, JSON, properties. The codes are the document's, even where
 * they surprise: a missing property has the code `invalid-property-value` here (and `missing-required-property` on `/events`).
 */
import {
  type CheckedRequest,
  invalidRequest,
  json,
  notFound,
  problem,
  type PropertyError,
  type ServiceCall,
  utcTime,
} from "./answers";
import type { Stock, StockItem, StockRecord, Supplier } from "./backend";
import { bodyText, hasContentType, maxBodyBytes } from "./body";
import {
  gtin,
  itemNumber,
  type ItemRecordBody,
  itemType,
  maxValues,
  type SearchResponse,
  storeNumber,
} from "./schemas";

export async function answerSearch(
  call: ServiceCall,
  {
    supplier,
    stock,
    isSandbox,
  }: {
    readonly supplier: Supplier;
    readonly stock: Stock;
    readonly isSandbox: boolean;
  },
): Promise<Response> {
  const refuse = (status: number, detail: string): Response =>
    problem(call, { kind: "invalid-request", status, detail });
  if (!hasContentType(call.request, "application/json")) {
    return refuse(415, "Send the request as JSON, with content-type application/json.");
  }
  const text = await bodyText(call.request);
  if (text === null) return refuse(413, `The body is larger than ${maxBodyBytes} bytes.`);
  const body = parseJson(text);
  if (body === undefined) return invalidRequest(call, "body", []);

  const request = readSearchRequest(body);
  if (!request.ok) return invalidRequest(call, "body", request.errors);
  const { storeNumber, itemType, values } = request.value;
  const items = await stock.read({ supplier, storeNumber, itemType, values });
  if (isSandbox && items.every(({ kind }) => kind !== "stock")) return notFound(call, "No data found");
  return json(200, {
    supplier_name: supplier.name,
    store_nbr: storeNumber,
    items: items.map((item, index) => record(item, request.value, values[index] ?? "")),
  } satisfies SearchResponse);
}

/** Returns undefined for text that isn't JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function record(item: StockItem, { itemType }: SearchRequest, value: string): ItemRecordBody {
  const identifier = itemType === "gtin" ? { gtin: value } : { wm_item_number: value };
  switch (item.kind) {
    case "stock":
      return { ...identifier, ...success(item) };
    case "no-data":
      return { ...identifier, data_retrieval_status: "ERROR", reason: "No data found" };
    case "not-mapped": {
      const name = itemType === "gtin" ? "GTIN" : "WM_ITEM_NUMBER";
      return { ...identifier, data_retrieval_status: "ERROR", reason: `${name} not mapped to the supplier` };
    }
  }
}

function success(stock: StockRecord): Extract<ItemRecordBody, { data_retrieval_status: "SUCCESS" }> {
  return {
    ...(stock.itemNumber !== null && { wm_item_number: stock.itemNumber }),
    data_retrieval_status: "SUCCESS",
    inventory_locations: stock.locations.map(({ locationArea, state, quantity }) => ({
      location_area: locationArea,
      state,
      quantity: String(quantity),
    })),
    cid_level_inventories: stock.consumerItems.map(({ cid, members }) => ({
      cid,
      cross_references: members.map((member) => ({
        ...(member.gtin !== null && { gtin: member.gtin }),
        ...(member.itemNumber !== null && { wm_item_number: member.itemNumber }),
        quantity: String(member.quantity),
      })),
    })),
    last_updated_time: utcTime(stock.lastUpdatedMs),
  };
}

interface SearchRequest {
  readonly itemType: "gtin" | "wm_item_number";
  readonly storeNumber: number;
  readonly values: readonly string[];
}

/** Returns every wrong property at once.
 * @param body any JSON value; all three properties are missing from one that isn't an object */
function readSearchRequest(body: unknown): CheckedRequest<SearchRequest> {
  const fields: Readonly<Record<string, unknown>> =
    typeof body === "object" && body !== null && !Array.isArray(body) ? { ...body } : {};
  const type = itemType.safeParse(fields.item_type);
  const store = storeNumber.safeParse(fields.store_nbr);
  const errors = [
    ...(type.success ? [] : [badProperty("item_type", fields.item_type)]),
    ...(store.success ? [] : [badStore(fields.store_nbr)]),
    ...checkValues(fields.item_type_values, type.data),
  ];
  if (errors.length > 0 || !type.success || !store.success) return { ok: false, errors };
  return {
    ok: true,
    // `checkValues` has checked that every element is a string.
    value: { itemType: type.data, storeNumber: store.data, values: fields.item_type_values as string[] },
  };
}

function badStore(value: unknown): PropertyError {
  // A whole number with too few or too many digits has a wrong length. Anything else is an invalid value.
  const isLength = typeof value === "number" && Number.isInteger(value) && value >= 0;
  return isLength
    ? { kind: "invalid-property-length", why: "length", property: `/store_nbr/${value}` }
    : badProperty("store_nbr", value);
}

function checkValues(values: unknown, type: "gtin" | "wm_item_number" | undefined): PropertyError[] {
  if (!Array.isArray(values)) return [badProperty("item_type_values", values)];
  if (values.length < 1 || values.length > maxValues) {
    const property = `/item_type_values/${values.length}`;
    return [{ kind: "invalid-property-length", why: "length", property }];
  }
  // Without a known type, name only values that are wrong for both types.
  const rule = type === "gtin" ? gtin : itemNumber;
  return values.flatMap((value: unknown, index) =>
    rule.safeParse(value).success ? [] : [badProperty(`item_type_values[${index}]`, value)],
  );
}

function badProperty(name: string, value: unknown): PropertyError {
  const missing = value === undefined || value === null;
  return {
    kind: "invalid-property-value",
    why: missing ? "missing" : "value",
    property: `/${name}/${missing ? "" : shown(value)}`,
  };
}

/** Lists and objects aren't repeated, because they may be nested without end. */
function shown(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return Array.isArray(value) ? "[list]" : "[object]";
}
