/**
 * `POST /search-items` for an authorized caller: checks the request, asks the backend, and writes one record per requested value, in the
 * order of the request, with repeated values. A response with only errors is still a 200, except in the sandbox: the document lists 404
 * `No data found` only for that. The order of checks: content type, size, JSON, properties.
 */
import { type ServiceCall, invalidRequest, json, notFound, problem, utcTime } from "./answers";
import type { Stock, StockItem, StockRecord, Supplier } from "./backend";
import { hasContentType, maxBodyBytes, bodyText } from "./body";
import type { ItemRecordBody, SearchResponse } from "./schemas";
import { readSearchRequest, type SearchRequest } from "./search-request";

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
