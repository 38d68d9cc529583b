/** The OpenAPI document: well-formed, complete, and the same as real responses. */
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { openApiDocument } from "../../src/embedded-service/openapi";
import * as schemas from "../../src/embedded-service/schemas";
import { createCaller, fixedGtin } from "../contract/caller";

const document = openApiDocument() as {
  openapi: string;
  paths: Record<
    string,
    Record<string, { responses: object; parameters?: { name: string; required: boolean }[] }>
  >;
  components: { schemas: Record<string, { properties?: Record<string, object>; required?: string[] }> };
};

async function findings(source: object): Promise<unknown[]> {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: JSON.stringify(source), config });
  return problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]);
}

describe("the OpenAPI document", () => {
  it("passes redocly's recommended rules", async () => {
    expect(await findings(document)).toEqual([]);
    // The linter finds errors.
    expect((await findings({ ...document, servers: [], tags: 5 })).length).toBeGreaterThanOrEqual(2);
  });

  it("describes the three operations with all their statuses", () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(Object.keys(document.paths)).toEqual([
      "/api-proxy/service/identity/oauth/v1/token",
      "/search-items",
      "/events",
    ]);
    const statuses = (path: string, method: string) => Object.keys(document.paths[path]![method]!.responses);
    expect(statuses("/search-items", "post").join(" ")).toBe("200 400 401 403 404 405 413 415 429 500");
    expect(statuses("/events", "get").join(" ")).toBe("200 400 401 403 404 405 429 500");
  });

  it("has the documented fields and limits of requests", () => {
    const { properties, required: needed } = document.components.schemas.SearchRequest!;
    expect(needed).toEqual(["item_type", "store_nbr", "item_type_values"]);
    expect(properties).toMatchObject({
      item_type: { enum: ["gtin", "wm_item_number"] },
      store_nbr: { type: "integer", minimum: 10, maximum: 999_999 },
      item_type_values: { type: "array", minItems: 1, maxItems: 100 },
    });
    const parameters = document.paths["/events"]!.get!.parameters!;
    expect(parameters.map(({ name, required }) => (required ? name : `[${name}]`)).join(" ")).toBe(
      "store_nbr gtin [event_type] [start_date] [end_date] [location_area] [page_token]",
    );
  });

  it("has every field of real responses in its schemas", async () => {
    const caller = createCaller();
    const good = { item_type: "gtin", store_nbr: 1234, item_type_values: [fixedGtin, "00000000000017"] };
    const form = "grant_type=client_credentials&client_id=demo-consumer&client_secret=demo-secret";
    const token = (body: string) =>
      caller.send("/api-proxy/service/identity/oauth/v1/token", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body,
      });
    const answers = [
      [schemas.tokenResponse, await token(form)],
      [schemas.tokenErrorBody, await token("")],
      [schemas.searchResponse, await caller.search(good)],
      [schemas.eventsResponse, await caller.events(`store_nbr=1234&gtin=${fixedGtin}`)],
      [schemas.problemBody, await caller.search({})],
      [schemas.problemBody, await caller.send("/nowhere")],
      [schemas.gatewayBody, await caller.search(good, {})],
    ] as const;
    for (const [schema, { body }] of answers) expect(schema.parse(body)).toEqual(body);
  });
});
