/** The search request, field by field as documented. */
import { buildSearchRequest, searchBodySchema } from "../../src/api/search-items";
import { environment, gtin } from "./bodies";

const options = { consumerId: "6a1f-consumer", accessToken: "abc.def" };

describe("buildSearchRequest", () => {
  it("is the documented POST", async () => {
    const query = { storeNumber: 1234, itemType: "gtin" as const, values: [gtin(17), gtin(24)] };
    const request = buildSearchRequest(environment, query, options);
    expect([request.method, request.url]).toEqual(["POST", environment.searchUrl]);
    expect(Object.fromEntries(request.headers)).toMatchObject({
      authorization: "Bearer abc.def",
      "wm_consumer.id": "6a1f-consumer",
      "content-type": "application/json",
    });
    expect(await request.json()).toEqual({
      item_type: "gtin",
      store_nbr: 1234,
      item_type_values: ["00000000000017", "00000000000024"],
    });
  });

  it.each([1, 99, 100])("contains %i values in the documented shape", async (size) => {
    const values = Array.from({ length: size }, (_, index) => gtin(index));
    const request = buildSearchRequest(
      environment,
      { storeNumber: 10, itemType: "wm_item_number", values },
      options,
    );
    const body = searchBodySchema.parse(await request.json());
    expect(body.item_type_values).toEqual(values);
  });

  it("replaces characters of a consumer ID that a header cannot contain", () => {
    const query = { storeNumber: 1234, itemType: "gtin" as const, values: [gtin(17)] };
    const request = buildSearchRequest(environment, query, { ...options, consumerId: "ü\n€" });
    expect(request.headers.get("wm_consumer.id")).toBe("???");
  });
});
