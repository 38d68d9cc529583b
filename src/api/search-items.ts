/**
 * The inventory lookup, `POST /search-items`: one request for up to 100 items of one store, and what its
 * answer means for each. How many calls are made and what is asked again is left to the engine.
 * Invariant: reading never throws, and an answer for another store is no answer.
 */
import { InvError } from "../domain/errors";
import type { Environment } from "../domain/environment";
import type { ItemType } from "../domain/records";
import { readAgesMs } from "./company";
import { readBody } from "./body";
import type { CallOptions, ReadOptions } from "./call-options";
import { readErrorBody } from "./error-body";
import { factsOf, readFailure, type Refusal, saysAllByStatus } from "./failures";
import { isIdentifier, sameIdentifier } from "./identifiers";
import { isFields } from "./item-record";
import type { searchBodySchema } from "./item-schemas";
import { brokenOff, readJson, unreadable } from "./json";
import type { SearchOutcome } from "./outcomes";
import { buildRequest, callHeaders } from "./request";
import { readItems } from "./search-answer";
import { readSearchRefusal } from "./search-refusal";
import { plainText, sameText } from "./text";
import type * as z from "../domain/zod";

export interface SearchQuery {
  /** 2 to 6 digits. */
  readonly storeNumber: number;
  readonly itemType: ItemType;
  /** 1 to 100, each once. */
  readonly values: readonly string[];
}

export function buildSearchRequest(
  environment: Environment,
  query: SearchQuery,
  options: CallOptions,
): Request {
  const body: z.infer<typeof searchBodySchema> = {
    item_type: query.itemType,
    store_nbr: query.storeNumber,
    item_type_values: [...query.values],
  };
  return buildRequest(environment.searchUrl, {
    method: "POST",
    headers: { ...callHeaders(options), "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: options.signal,
  });
}

/** Never throws; one item outcome per requested value, in the order of the request. */
export async function readSearchResponse(
  response: Response,
  query: SearchQuery,
  options: ReadOptions,
): Promise<SearchOutcome> {
  const body = await readBody(response, options.maxBytes);
  if (response.ok) {
    const json = readJson(body, response.status);
    return "value" in json ? readAnswer(json.value, query, response) : json;
  }
  // A 429 and a 5xx say all with their status; any other refusal needs its body to be understood.
  if (body.kind === "broken" && !saysAllByStatus(response)) return brokenOff(body, response.status);
  const refusal: Refusal = {
    operation: "search",
    response,
    body: readErrorBody(body.kind === "text" ? body.text : ""),
  };
  if (refusal.body.shape === "cut-off" && (response.status === 400 || response.status === 404)) {
    return unreadable("Expected the reason of a refusal, received text that breaks off.", response.status);
  }
  if (response.status === 400) return readSearchRefusal(refusal, query);
  if (response.status === 404 && isNoData(refusal)) {
    return { kind: "no-data", error: new InvError("no-data", "No data found", factsOf(refusal)) };
  }
  return readFailure(refusal);
}

function readAnswer(value: unknown, query: SearchQuery, response: Response): SearchOutcome {
  const httpStatus = response.status;
  const answer = readEnvelope(value);
  if (answer === null) return unreadable("Expected a list of items, received another answer.", httpStatus);
  const store = answer.store ?? query.storeNumber;
  if (!sameIdentifier(store, query.storeNumber)) {
    const received = plainText(String(store)).slice(0, 20);
    return unreadable(
      `Expected the answer for store ${String(query.storeNumber)}, received one for store ${received}.`,
      httpStatus,
    );
  }
  const items = readItems(answer.items, query, httpStatus);
  return { kind: "items", items, agesMs: readAgesMs(response.headers, items.length) };
}

interface Envelope {
  readonly store: string | number | null | undefined;
  readonly items: readonly unknown[];
}

/** By hand, as the items are read: a schema library costs an answer more than all its items' places. */
function readEnvelope(value: unknown): Envelope | null {
  if (!isFields(value) || !Array.isArray(value.items) || !isIdentifier(value.store_nbr)) return null;
  return { store: value.store_nbr, items: value.items };
}

/** Any other 404 is a wrong address, not a missing item. */
function isNoData({ body }: Refusal): boolean {
  return body.shape === "problem" && sameText(body.detail, "No data found");
}
