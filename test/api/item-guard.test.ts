/** The hand-written guard of the hot path decides exactly as the schema does. */
import { fc } from "../helpers/properties";
import { readWireItem } from "../../src/api/item-record";
import { itemSchema } from "../../src/api/item-schemas";

const junk = fc.constantFrom<unknown>(
  null,
  undefined,
  "",
  "x",
  0,
  1.5,
  -1,
  NaN,
  true,
  [],
  {},
  [null],
  "9".repeat(400),
);
const mostly = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary }, { weight: 1, arbitrary: junk });

const identifier = mostly(fc.oneof(fc.constantFrom("00012345678905", "567890123"), fc.nat(), fc.double()));
const quantity = mostly(fc.oneof(fc.integer(), fc.double(), fc.stringMatching(/^-?\d{1,4}(\.\d{0,2})?$/)));

const location = fc.record(
  {
    location_area: mostly(fc.constantFrom("STORE", "BACKROOM")),
    state: mostly(fc.constant("AVAILABLE")),
    quantity,
  },
  { requiredKeys: ["location_area", "state", "quantity"] },
);

const cidLevel = fc.record(
  {
    cid: mostly(fc.oneof(fc.nat(), fc.nat().map(String), fc.double(), fc.bigInt({ min: 0n }).map(String))),
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

const asked = "00012345678905";

describe("readWireItem", () => {
  it("accepts what the schema accepts and refuses what it refuses", () => {
    let accepted = 0;
    const runs = 3000;
    fc.assert(
      fc.property(
        fc.oneof({ weight: 9, arbitrary: item }, { weight: 1, arbitrary: fc.anything() }),
        (value) => {
          const isAccepted = readWireItem(value, asked) !== null;
          accepted += Number(isAccepted);
          expect(isAccepted).toBe(itemSchema.safeParse(value).success);
        },
      ),
      { numRuns: runs },
    );
    // Both sides of the line must have been tried, or agreement means nothing.
    expect(accepted).toBeGreaterThan(runs / 10);
    expect(accepted).toBeLessThan((runs * 9) / 10);
  });

  it("accepts records that came through JSON as it accepts them before", () => {
    fc.assert(
      fc.property(item, (value) => {
        const parsed: unknown = JSON.parse(JSON.stringify(value));
        expect(readWireItem(parsed, asked) !== null).toBe(itemSchema.safeParse(parsed).success);
      }),
      { numRuns: 1000 },
    );
  });

  it("lets only finite quantities out", () => {
    fc.assert(
      fc.property(item, (value) => {
        const read = readWireItem(value, asked);
        if (read?.kind !== "record") return;
        const isRight = ({ quantity: number }: { quantity: number | null }) =>
          number === null || Number.isFinite(number);
        expect(read.record.locations.every(isRight)).toBe(true);
      }),
    );
  });
});
