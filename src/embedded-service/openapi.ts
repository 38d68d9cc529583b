/**
 * The OpenAPI 3.1 document of the three operations, generated from the service's own schemas; only what
 * schemas cannot say (headers, statuses, what an answer means) is written here.
 */
import { z } from "zod";
import * as schemas from "./schemas";

export type OpenApiDocument = Readonly<Record<string, unknown>>;

let document: OpenApiDocument | null = null;

/** The document; the same object each time. */
export function openApiDocument(): OpenApiDocument {
  document ??= build();
  return document;
}

const named = {
  TokenRequest: schemas.tokenRequest,
  TokenResponse: schemas.tokenResponse,
  TokenError: schemas.tokenErrorBody,
  SearchRequest: schemas.searchRequest,
  SearchResponse: schemas.searchResponse,
  ItemRecord: schemas.itemRecord,
  EventsResponse: schemas.eventsResponse,
  EventRecord: schemas.eventRecord,
  Problem: schemas.problemBody,
  Gateway: schemas.gatewayBody,
} as const;

function build(): OpenApiDocument {
  return {
    openapi: "3.1.0",
    info: {
      title: "Supplier inventory status and transaction history",
      version: "1.0.0",
      description:
        "Store-level inventory of a supplier's own items, and the events recorded for them. Implemented by " +
        "INV's embedded service over made-up demo stock.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "The host that serves this document." }],
    tags: [
      { name: "token", description: "Access tokens." },
      { name: "inventory", description: "Inventory status and transaction history." },
    ],
    paths: {
      "/api-proxy/service/identity/oauth/v1/token": { post: tokenOperation() },
      "/search-items": { post: searchOperation() },
      "/events": { get: eventsOperation() },
    },
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        accessToken: { type: "http", scheme: "bearer", description: "The access_token of a token response." },
        consumerId: {
          type: "apiKey",
          in: "header",
          name: "wm_consumer.id",
          description: "The consumer ID the token was issued to.",
        },
      },
    },
  };
}

function tokenOperation(): object {
  return {
    operationId: "createToken",
    tags: ["token"],
    summary: "Generate an access token",
    security: [],
    requestBody: {
      required: true,
      content: { "application/x-www-form-urlencoded": { schema: reference("TokenRequest") } },
    },
    responses: {
      200: body("An access token for 900 seconds.", ["TokenResponse"]),
      400: body("A field is missing or repeated, the grant type or the content type is wrong.", [
        "TokenError",
      ]),
      401: body("The client ID and the client secret do not belong together.", ["TokenError"]),
      405: body("Wrong method.", ["TokenError"]),
      413: body("The body is too large.", ["TokenError"]),
      429: body("Too many requests.", ["TokenError"]),
      500: body("The service is not available.", ["TokenError"]),
    },
  };
}

function searchOperation(): object {
  return {
    operationId: "searchItems",
    tags: ["inventory"],
    summary: "Inventory status of up to 100 items at one store",
    description: "Failures of single items are records in `items`; only the request as a whole is refused.",
    security: secured,
    requestBody: { required: true, content: { "application/json": { schema: reference("SearchRequest") } } },
    responses: {
      200: body("One record per requested value, in the order of the request.", ["SearchResponse"]),
      ...refusals("The store has no data."),
      413: body("The body is too large.", ["Problem"]),
      415: body("The content type is not application/json.", ["Problem"]),
    },
  };
}

function eventsOperation(): object {
  return {
    operationId: "listEvents",
    tags: ["inventory"],
    summary: "Transaction history of one item at one store",
    description: "Dates are days in UTC, and may be today or one of the 6 days before it.",
    security: secured,
    parameters: queryParameters(),
    responses: {
      200: body("A page of events, oldest first; an empty one where nothing happened.", ["EventsResponse"]),
      ...refusals("There is no such store, item or event type, or no data of the item at the store."),
    },
  };
}

const secured = [{ accessToken: [], consumerId: [] }];

function refusals(notFound: string): object {
  return {
    400: body("Properties are missing or not valid; each is named.", ["Problem"]),
    401: body(
      "The token is missing, not valid, expired or another consumer's (gateway shape), or the " +
        "consumer is not mapped to a supplier (problem shape).",
      ["Gateway", "Problem"],
    ),
    403: body("The consumer is not subscribed to the service.", ["Gateway"]),
    404: body(notFound, ["Problem"]),
    405: body("Wrong method.", ["Problem"]),
    429: { ...body("The quota is used up.", ["Gateway"]), headers: { "Retry-After": retryAfter } },
    500: body("One or more services are unavailable.", ["Problem"]),
  };
}

const retryAfter = { description: "Seconds to wait.", schema: { type: "integer", minimum: 1 } };

function body(description: string, names: readonly (keyof typeof named)[]): object {
  const references = names.map(reference);
  const schema = references.length === 1 ? references[0] : { anyOf: references };
  return { description, content: { "application/json": { schema } } };
}

function reference(name: keyof typeof named): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

function componentSchemas(): Readonly<Record<string, object>> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas: found } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    io: "input",
  });
  return Object.fromEntries(Object.entries(found).map(([id, schema]) => [id, plain(schema)]));
}

/** Query parameters are the properties of the query's schema. */
function queryParameters(): object[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schemas.eventsQuery, { io: "input" });
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = plain(Object(schema) as Record<string, unknown>);
    return { name, in: "query", required: required.includes(name), description, schema: rest };
  });
}

/** Without the keys that make a JSON Schema a document of its own, and without the long pattern of dates. */
function plain(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const rest = { ...schema };
  for (const key of ["$schema", "$id", ...(rest.format === "date" ? ["pattern"] : [])]) {
    Reflect.deleteProperty(rest, key);
  }
  return rest;
}
