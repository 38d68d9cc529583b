/** The OpenAPI 3.1 document of the three operations, generated from the service's own schemas. Only statuses and texts are written here. */
import { z } from "zod";
import * as schemas from "./schemas";

export type OpenApiDocument = Readonly<Record<string, unknown>>;

let document: OpenApiDocument | null = null;

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
  const security = [{ accessToken: [], consumerId: [] }];
  return {
    openapi: "3.1.0",
    info: {
      title: "Supplier inventory status and transaction history",
      version: "1.0.0",
      description:
        "Store-level inventory of a supplier's own items, and their events. INV's embedded service answers with sample stock.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "The host of this document." }],
    tags: [
      { name: "token", description: "Access tokens." },
      { name: "inventory", description: "Inventory status and transaction history." },
    ],
    paths: {
      "/api-proxy/service/identity/oauth/v1/token": {
        post: {
          operationId: "createToken",
          tags: ["token"],
          summary: "Generate an access token",
          security: [],
          requestBody: requestBody("application/x-www-form-urlencoded", "TokenRequest"),
          responses: responses({
            200: ["An access token for 900 seconds.", "TokenResponse"],
            400: [
              "A field is missing or repeated, or the grant type or content type is wrong.",
              "TokenError",
            ],
            401: ["The client ID and the client secret do not belong together.", "TokenError"],
            405: ["Wrong method.", "TokenError"],
            413: ["The body is too large.", "TokenError"],
            429: ["Too many requests.", "TokenError"],
            500: ["The service is not available.", "TokenError"],
          }),
        },
      },
      "/search-items": {
        post: {
          operationId: "searchItems",
          tags: ["inventory"],
          summary: "Inventory status of up to 100 items at one store",
          description: "Errors of single items are records in `items`.",
          security,
          requestBody: requestBody("application/json", "SearchRequest"),
          responses: responses({
            200: ["One record per requested value, in the order of the request.", "SearchResponse"],
            ...refusals("The store has no data."),
            413: ["The body is too large.", "Problem"],
            415: ["The content type is not application/json.", "Problem"],
          }),
        },
      },
      "/events": {
        get: {
          operationId: "listEvents",
          tags: ["inventory"],
          summary: "Transaction history of one item at one store",
          description: "Dates are days in UTC: today, or one of the 6 days before.",
          security,
          parameters: queryParameters(),
          responses: responses({
            200: ["A page of events, oldest first; empty if nothing happened.", "EventsResponse"],
            ...refusals("There is no such store, item or event type, or no data of the item at the store."),
          }),
        },
      },
    },
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        accessToken: { type: "http", scheme: "bearer", description: "The access_token of a token response." },
        consumerId: {
          type: "apiKey",
          in: "header",
          name: "wm_consumer.id",
          description: "The consumer ID of the token.",
        },
      },
    },
  };
}

type Responses = Readonly<Record<number, readonly [description: string, ...shapes: (keyof typeof named)[]]>>;

/** The statuses that both data operations share. */
function refusals(notFound: string): Responses {
  return {
    400: ["Properties are missing or not valid; each is named.", "Problem"],
    401: ["The token is not valid here, or the consumer has no supplier.", "Gateway", "Problem"],
    403: ["The consumer is not subscribed to the service.", "Gateway"],
    404: [notFound, "Problem"],
    405: ["Wrong method.", "Problem"],
    429: ["The quota is used up. `Retry-After` says how many seconds to wait.", "Gateway"],
    500: ["One or more services are unavailable.", "Problem"],
  };
}

function responses(all: Responses): object {
  const entries = Object.entries(all).map(([status, [description, ...shapes]]) => {
    const references = shapes.map(reference);
    const schema = references.length === 1 ? references[0] : { anyOf: references };
    return [status, { description, content: { "application/json": { schema } } }];
  });
  return Object.fromEntries(entries) as object;
}

function requestBody(contentType: string, name: keyof typeof named): object {
  return { required: true, content: { [contentType]: { schema: reference(name) } } };
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

/** Removes the keys of a separate JSON Schema document, and the long pattern of dates. */
function plain(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const rest = { ...schema };
  for (const key of ["$schema", "$id", ...(rest.format === "date" ? ["pattern"] : [])]) {
    Reflect.deleteProperty(rest, key);
  }
  return rest;
}
