/** Items of a hostile service. */
import { readWireItem } from "../../src/api/item-record";
import { fc } from "../helpers/properties";

const junk = fc.constantFrom<unknown>(null, "", "x", 0, 1.5, -1, true, [], {}, [null], "9".repeat(400));
const mostly = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary }, { weight: 1, arbitrary: junk });

const asked = "00012345678905";
const identifier = mostly(fc.oneof(fc.constantFrom(asked, "567890123"), fc.nat(), fc.double()));
const location = fc.record({
  location_area: mostly(fc.constantFrom("STORE", "BACKROOM")),
  state: mostly(fc.constant("AVAILABLE")),
  quantity: mostly(fc.oneof(fc.integer(), fc.double(), fc.stringMatching(/^-?\d{1,4}(\.\d{0,2})?$/))),
});
const cidLevel = fc.record(
  {
    cid: mostly(fc.oneof(fc.nat(), fc.nat().map(String), fc.double())),
    cross_references: mostly(fc.array(fc.anything(), { maxLength: 2 })),
  },
  { requiredKeys: ["cid"] },
);
const item = fc.record(
  {
    gtin: identifier,
    wm_item_number: identifier,
    data_retrieval_status: mostly(fc.constantFrom("SUCCESS", "SUCCESS", "ERROR")),
    reason: mostly(fc.string()),
    inventory_locations: mostly(fc.array(mostly(location), { maxLength: 3 })),
    cid_level_inventories: mostly(fc.array(mostly(cidLevel), { maxLength: 2 })),
    last_updated_time: mostly(fc.string()),
    colour: fc.anything(),
  },
  { requiredKeys: ["data_retrieval_status"] },
);

describe("readWireItem", () => {
  it("returns only finite quantities, at most one for each area and state, and never throws", () => {
    let records = 0;
    fc.assert(
      fc.property(
        fc.oneof({ weight: 9, arbitrary: item }, { weight: 1, arbitrary: fc.anything() }),
        (value) => {
          const read = readWireItem(value, asked);
          if (read.kind !== "record") return;
          records++;
          const { locations } = read.record;
          expect(locations.filter(({ quantity }) => quantity !== null && !Number.isFinite(quantity))).toEqual(
            [],
          );
          const places = locations.map(({ locationArea, state }) => `${locationArea} ${state}`);
          expect(new Set(places).size).toBe(places.length);
        },
      ),
      { numRuns: 2000 },
    );
    expect(records).toBeGreaterThan(200);
  });

  it.each([
    [{ data_retrieval_status: "LATER" }, ["data_retrieval_status"]],
    [{ data_retrieval_status: "SUCCESS", inventory_locations: {} }, ["inventory_locations"]],
    [
      {
        data_retrieval_status: "SUCCESS",
        inventory_locations: [{ location_area: "STORE", state: "AVAILABLE", quantity: "" }],
      },
      ["inventory_locations", 0, "quantity"],
    ],
    [
      { data_retrieval_status: "SUCCESS", cid_level_inventories: [{ cid: "1e3" }] },
      ["cid_level_inventories", 0, "cid"],
    ],
    [{ data_retrieval_status: "ERROR", gtin: 1.5 }, ["gtin"]],
    ["an item", []],
  ])("returns the path where %j is unreadable", (value, path) => {
    expect(readWireItem(value, asked)).toEqual({ kind: "unreadable", path });
  });
});
