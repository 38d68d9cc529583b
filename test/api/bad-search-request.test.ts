/** A 400 of the search: offenders, another property, or nothing named. */
import type { SearchOutcome } from "../../src/api/outcomes";
import { readSearchResponse, type SearchQuery } from "../../src/api/search-items";
import { badProperty, gateway, gtin, html, json, limit, problem } from "./bodies";

const query: SearchQuery = { storeNumber: 1234, itemType: "gtin", values: [gtin(11), gtin(22), gtin(33)] };

async function refuse(properties: readonly string[]): Promise<SearchOutcome> {
  const errors = properties.map((property) => badProperty(property));
  return readSearchResponse(problem("invalid-request", 400, { errors }), query, limit);
}

function offenders(outcome: SearchOutcome): unknown {
  return outcome.kind === "offenders" ? [...outcome.offenders.keys()] : outcome.kind;
}

describe("a 400 of the search", () => {
  it.each([
    ["one offender", [`/item_type_values[1]/${gtin(22)}`], [1]],
    ["several", [`/item_type_values[2]/${gtin(33)}`, `/item_type_values[0]/${gtin(11)}`], [2, 0]],
    ["the same twice", [`/item_type_values[1]/${gtin(22)}`, `/item_type_values[1]/${gtin(22)}`], [1]],
    ["a value that lost its zeros", ["/item_type_values[1]/22"], [1]],
    ["only a place", ["/item_type_values[1]/"], [1]],
    ["a place counted from 1", [`/item_type_values[2]/${gtin(22)}`], [1]],
    ["a value that wasn't requested", ["/item_type_values[1]/99"], "unexplained"],
    ["a place outside the list", ["/item_type_values[3]/"], "unexplained"],
    ["nothing", [], "unexplained"],
    ["an offender beside an unclear one", ["/item_type_values[0]/99", "/item_type_values[2]/"], [2]],
    ["another property", ["/store_nbr/1"], "request-refused"],
    ["another property beside an offender", ["/item_type_values[1]/", "/store_nbr/1"], "request-refused"],
    ["the list as a whole", ["/item_type_values/"], "request-refused"],
  ])("naming %s", async (_title, properties, expected) => {
    expect(offenders(await refuse(properties))).toEqual(expected);
  });

  it("returns the reason, the status and the trace id for each offender", async () => {
    const outcome = await refuse([`/item_type_values[1]/${gtin(22)}`]);
    expect(outcome.kind === "offenders" && outcome.offenders.get(1)).toMatchObject({
      code: "refused-value",
      message: expect.stringContaining("The value is invalid") as string,
      details: { httpStatus: 400, traceId: "4bf92f3577b34da6" },
    });
  });

  it("ends a reason that is a sentence with one full stop", async () => {
    const errors = [badProperty("/item_type_values[0]/", "The value is invalid.")];
    const outcome = await readSearchResponse(problem("invalid-request", 400, { errors }), query, limit);
    const message = outcome.kind === "offenders" ? outcome.offenders.get(0)?.message : "";
    expect(message).toBe("The service refused this GTIN (400): The value is invalid. Check its digits.");
  });

  it("names the property that refused the whole request", async () => {
    const outcome = await refuse(["/store_nbr/1"]);
    expect(outcome).toMatchObject({
      error: { code: "refused-request", message: expect.stringContaining("/store_nbr/1") as string },
    });
  });

  it.each([
    ["an empty body", new Response(null, { status: 400 })],
    ["a web page", html(400)],
    ["another shape", json({ message: "bad" }, 400)],
    ["the gateway shape", gateway(400, "bad")],
    ["broken errors", json({ type: "x", errors: [null, 5, { property: 7 }] }, 400)],
    ["errors that aren't a list", json({ type: "x", errors: "all" }, 400)],
  ])("with %s is unexplained", async (_title, response) => {
    const outcome = await readSearchResponse(response, query, limit);
    expect(outcome).toMatchObject({ kind: "unexplained", error: { code: "refused-request" } });
  });

  it("keeps every message under 200 characters, whatever the service writes", async () => {
    const long = "x".repeat(5000);
    const bodies = [
      [badProperty("/item_type_values[0]/", long)],
      [badProperty(`/store_nbr/${long}`, long)],
      [badProperty(`/item_type_values[0]/${long}`, long)],
    ];
    for (const errors of bodies) {
      const outcome = await readSearchResponse(problem("invalid-request", 400, { errors }), query, limit);
      const error =
        outcome.kind === "offenders"
          ? outcome.offenders.get(0)
          : "error" in outcome
            ? outcome.error
            : undefined;
      expect(error?.message.length).toBeLessThan(200);
    }
  });
});
