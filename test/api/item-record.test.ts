/** Items of a hostile service. */
import { readWireItem } from "../../src/api/item-record";
import type { ItemRecord } from "../../src/domain/records";
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
    [{ data_retrieval_status: "LATER" }, 'data_retrieval_status is "LATER"'],
    [{ data_retrieval_status: "ERROR", gtin: 1.5 }, "gtin is 1.5"],
  ])("returns what is wrong if %j is unreadable", (value, fault) => {
    expect(readWireItem(value, asked)).toEqual({ kind: "unreadable", fault });
  });

  it("reads 20 levels, and no more", () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
    const sent = { gtin: asked, data_retrieval_status: "SUCCESS" };
    expect(readWireItem({ ...sent, cid_level_inventories: nested(19) }, asked).kind).toBe("record");
    expect(readWireItem({ ...sent, cid_level_inventories: nested(20) }, asked)).toEqual({
      kind: "unreadable",
      fault: "it has more than 20 levels",
    });
  });
});

describe("an item with something odd", () => {
  const shelf = { location_area: "STORE", state: "AVAILABLE", quantity: "12.0" };
  const shelfRead = { locationArea: "STORE", state: "AVAILABLE", quantity: 12 };
  const backroom = { location_area: "BACKROOM", state: "AVAILABLE" };

  function recordOf(fields: object): ItemRecord {
    const read = readWireItem({ gtin: asked, data_retrieval_status: "SUCCESS", ...fields }, asked);
    if (read.kind !== "record") throw new Error(`It is ${read.kind}.`);
    return read.record;
  }

  it.each([
    ["a null quantity", { ...backroom, quantity: null }, "a quantity that INV can't read (null)"],
    ["a quantity in letters", { ...backroom, quantity: "1E2" }, `a quantity that INV can't read ("1E2")`],
    ["no quantity", backroom, "a quantity that INV can't read (nothing)"],
  ])("keeps the shelf's quantity beside %s in the backroom", (_, odd, fault) => {
    for (const sent of [
      [shelf, odd],
      [odd, shelf],
    ]) {
      const { locations } = recordOf({ inventory_locations: sent });
      const oddRead = { locationArea: "BACKROOM", state: "AVAILABLE", quantity: null, fault };
      expect(locations).toEqual(sent[0] === shelf ? [shelfRead, oddRead] : [oddRead, shelfRead]);
    }
  });

  it.each([
    ["an area that is null", [{ ...shelf, location_area: null }], { locationArea: "", state: "AVAILABLE" }],
    ["a state that is a number", [{ ...shelf, state: 7 }], { locationArea: "STORE", state: "" }],
    ["a location that is text", ["STORE 12"], { locationArea: "", state: "" }],
    ["locations that are no list", {}, { locationArea: "", state: "" }],
  ])("has no quantity for %s", (_, sent, place) => {
    const { locations } = recordOf({ inventory_locations: sent });
    expect(locations).toMatchObject([{ ...place, quantity: null }]);
    expect(locations[0]?.fault).toContain("that INV can't read");
  });

  it.each([null, "1e3", "1234567890123456", 1234567890123456, 1.5, {}, undefined])(
    "keeps its quantity and its other CIDs beside the CID %j",
    (cid) => {
      const { locations, cids } = recordOf({
        inventory_locations: [shelf],
        cid_level_inventories: [
          { cid: 77, cross_references: ["a"] },
          { cid, cross_references: ["b"] },
        ],
      });
      expect(locations).toEqual([shelfRead]);
      expect(cids).toEqual([
        { cid: 77, crossReferences: ["a"] },
        { cid: null, crossReferences: [] },
      ]);
    },
  );

  it.each(["none", 5, {}])("keeps its quantity if its CIDs are %j instead of a list", (levels) => {
    const { locations, cids } = recordOf({ inventory_locations: [shelf], cid_level_inventories: levels });
    expect(locations).toEqual([shelfRead]);
    expect(cids).toEqual([{ cid: null, crossReferences: [] }]);
  });

  it("keeps its quantity if its update time or its other identifier is odd", () => {
    const odd = { inventory_locations: [shelf], last_updated_time: 20261118, wm_item_number: { id: 1 } };
    expect(recordOf(odd)).toMatchObject({
      locations: [shelfRead],
      itemNumber: null,
      lastUpdatedMs: null,
      lastUpdatedFault: "a time that INV can't read (20261118)",
    });
  });
});
