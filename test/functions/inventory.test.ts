/** QTY, STOCK, CID, UPDATED, ASOF and STATUS: from an item's record to what the cell shows. */
import { InvError } from "../../src/domain/errors";
import { asOf, cidTable, qty, status, stockTable, updated } from "../../src/functions/catalogue/inventory";
import { startFunctions } from "../../src/functions/context";
import { fakeContext, found, none, nowMs, record, shownBy, withHost } from "./fakes";

const gtin = "00012345678905";
const at = (address: string): CustomFunctions.Invocation => ({ functionName: "QTY", address });

let context = fakeContext();

withHost();

beforeEach(() => {
  context = fakeContext();
  startFunctions(context);
});

describe("INV.QTY", () => {
  it("shows the available quantity in the store by default", async () => {
    expect(await shownBy(qty([[1234]], [[gtin]]))).toBe(12);
    expect(context.engine.items).toEqual([{ storeNumber: 1234, itemType: "gtin", value: gtin }]);
  });

  it("reads area and state in any letter case", async () => {
    expect(await shownBy(qty([[1234]], [[gtin]], [["backroom"]]))).toBe(5);
    expect(await shownBy(qty([[1234]], [[gtin]], [["Store"]], [["net available"]]))).toBe(10);
  });

  it("adds up the areas of one state for ALL, and never the states", async () => {
    expect(await shownBy(qty([[1234]], [[gtin]], [["ALL"]]))).toBe(17);
    expect(await shownBy(qty([[1234]], [[gtin]], [["all"]], [["NET_AVAILABLE"]]))).toBe(10);
  });

  it("shows the service's zero", async () => {
    context.engine.answerItem = () =>
      found(record({ locations: [{ locationArea: "STORE", state: "AVAILABLE", quantity: 0 }] }));
    expect(await shownBy(qty([[1234]], [[gtin]]))).toBe(0);
  });

  it("lists the existing records if the requested one is missing", async () => {
    context.engine.answerItem = () =>
      found(record({ locations: [{ locationArea: "BACKROOM", state: "AVAILABLE", quantity: 3 }] }));
    expect(await shownBy(qty([[1234]], [[gtin]]))).toBe(
      "#N/A The service has no record for STORE, AVAILABLE of this item. It has: BACKROOM AVAILABLE.",
    );
  });

  it("shows an error for two different quantities instead of choosing one", async () => {
    context.engine.answerItem = () =>
      found(record({ locations: [{ locationArea: "STORE", state: "AVAILABLE", quantity: null }] }));
    expect(await shownBy(qty([[1234]], [[gtin]]))).toMatch(
      /^#VALUE! The service returned two different quantities/,
    );
    expect(await shownBy(qty([[1234]], [[gtin]], [["ALL"]]))).toMatch(/^#VALUE! The service returned two/);
  });

  it("asks for a 1,000 x 50 grid in one turn and fills it", async () => {
    const stores = Array.from({ length: 1000 }, (_, row) => [1000 + row]);
    const items = [Array.from({ length: 50 }, (_, col) => String(col).padStart(14, "0"))];
    const calculation = qty(stores, items);
    expect(context.engine.items).toHaveLength(50_000);
    const shown = await calculation;
    expect(shown).toHaveLength(1000);
    expect(shown.every((row) => row.length === 50 && row.every((cell) => cell === 12))).toBe(true);
  });

  it("shows an error only in the wrong cell of a range", async () => {
    const shown = await shownBy(qty([[1234], ["x"], [1234]], [[gtin], [gtin], ["123456789"]]));
    expect(shown).toEqual([
      [12],
      [
        '#VALUE! store: expected a store number of 2 to 6 digits, received "x". Write its digits only, such as 1234.',
      ],
      [expect.stringMatching(/^#VALUE! item: .*received "123456789".*wm_item_number/)],
    ]);
  });

  it.each([
    ["null", null],
    ["an empty text", ""],
    ["the 0 of an empty cell", 0],
    ["spaces", "  "],
  ])("shows and requests nothing for %s as store or item", async (_name, blank) => {
    expect(await shownBy(qty([[blank]], [[gtin]]))).toBe("");
    expect(await shownBy(qty([[1234]], [[blank]]))).toBe("");
    expect(context.engine.items).toEqual([]);
  });

  it("requests by item number with item_type wm_item_number", async () => {
    await qty([[1234]], [[123456789]], undefined, undefined, [["wm_item_number"]]);
    expect(context.engine.items).toEqual([
      { storeNumber: 1234, itemType: "wm_item_number", value: "123456789" },
    ]);
  });

  it("refuses shapes that don't match, and names both", async () => {
    expect(await shownBy(qty([[10], [11], [12]], [[gtin], [gtin]]))).toBe(
      "#VALUE! item is 2 x 1 but store is 3 x 1 (rows x columns). Give equal shapes, one value, or a column and a row.",
    );
    expect(context.engine.items).toEqual([]);
  });

  it("refuses a result with more values than Excel accepts", async () => {
    const many = Array.from({ length: 1001 }, () => [1234]);
    const wide = [Array.from({ length: 1000 }, () => gtin)];
    expect(await shownBy(qty(many, wide))).toMatch(/^#VALUE! The formula makes 1,001 x 1,000 values/);
    expect(context.engine.items).toEqual([]);
  });

  describe("beside a place that INV can't read", () => {
    const shelf = { locationArea: "STORE", state: "AVAILABLE", quantity: 12 };
    const fault = `a quantity that INV can't read ("1E2")`;
    const qtyOf = (area: string) => shownBy(qty([[1234]], [[gtin]], [[area]]));

    it("shows the others, and never a sum without it", async () => {
      const backroom = { locationArea: "BACKROOM", state: "AVAILABLE", quantity: null, fault };
      context.engine.answerItem = () => found(record({ locations: [shelf, backroom] }));
      expect(await qtyOf("STORE")).toBe(12);
      const reason =
        /^#VALUE! The service returned a quantity that INV can't read \("1E2"\) for BACKROOM, AVAILABLE/;
      expect(await qtyOf("BACKROOM")).toMatch(reason);
      expect(await qtyOf("ALL")).toMatch(reason);
      const [, ...rows] = (await shownBy(stockTable(1234, gtin))) as unknown[][];
      expect(rows.map((row) => row.slice(0, 3))).toEqual([
        ["STORE", "AVAILABLE", 12],
        ["BACKROOM", "AVAILABLE", expect.stringMatching(reason)],
      ]);
    });

    it("shows #VALUE! instead of #N/A for a place that may be the unread one", async () => {
      const unknown = { locationArea: "", state: "", quantity: null, fault };
      context.engine.answerItem = () => found(record({ locations: [unknown, shelf] }));
      expect(await qtyOf("STORE")).toBe(12);
      expect(await qtyOf("BACKROOM")).toMatch(/^#VALUE! .* for unknown area, unknown state/);
      expect(await qtyOf("ALL")).toMatch(/^#VALUE! .* for unknown area, unknown state/);
    });
  });

  it("shows #VALUE! for an update time that INV can't read, and for such a CID", async () => {
    const cids = [
      { cid: null, crossReferences: [] },
      { cid: 77, crossReferences: [] },
    ];
    const lastUpdatedFault = "a time that INV can't read (5)";
    context.engine.answerItem = () => found(record({ cids, lastUpdatedMs: null, lastUpdatedFault }));
    expect(await shownBy(updated([[1234]], [[gtin]]))).toMatch(
      /^#VALUE! The service returned a time that INV/,
    );
    const [, ...rows] = (await shownBy(cidTable(1234, gtin))) as unknown[][];
    expect(rows).toEqual([
      [expect.stringMatching(/^#VALUE! The service returned a CID/), ""],
      [77, ""],
    ]);
  });

  it("shows #N/A for the service's negative answer, and #VALUE! for an outage", async () => {
    context.engine.answerItem = () => none("not-mapped", "GTIN not mapped to the supplier");
    expect(await shownBy(qty([[1234]], [[gtin]]))).toBe("#N/A GTIN not mapped to the supplier");
    context.engine.answerItem = () =>
      Promise.reject(new InvError("service-down", "The service is not available."));
    expect(await shownBy(qty([[1234]], [[gtin]]))).toBe("#VALUE! The service is not available.");
  });

  it.each(["GTIN not mapped to the supplier", "GTIN not mapped to the supplier."])(
    "adds a hint to an unmapped GTIN whose check digit is wrong, after %j",
    async (message) => {
      context.engine.answerItem = () => none("not-mapped", message);
      expect(await shownBy(qty([[1234]], [["00012345678901"]]))).toBe(
        "#N/A GTIN not mapped to the supplier. Its check digit is not valid.",
      );
    },
  );

  it("shows one error for a range of errors that is too large for Excel", async () => {
    const stores = Array.from({ length: 30_000 }, () => ["#N/A"]);
    expect(await shownBy(qty(stores, [[gtin]]))).toMatch(/^#VALUE! The store is an error: #N\/A/);
  });

  it("shows an error if the engine throws an unexpected value", async () => {
    context.engine.answerItem = () => {
      throw new Error("a defect with details nobody should see");
    };
    expect(await shownBy(qty([[1234]], [[gtin]]))).toMatch(/^#VALUE! An unexpected error inside INV/);
  });

  it("shows an error, not a blank, for a record that INV can't read", async () => {
    context.engine.answerItem = () => found({ ...record(), locations: null as never });
    expect(await shownBy(qty([[1234]], [[gtin]]))).toMatch(/^#VALUE! An unexpected error inside INV/);
  });

  it("passes the address of the cell to the engine", async () => {
    await qty([[1234]], [[gtin]], undefined, undefined, undefined, at("'My sheet'!C2"));
    expect(context.engine.cells).toEqual(["'My sheet'!C2"]);
  });
});

describe("the other inventory functions", () => {
  it("UPDATED is an Excel time in UTC", async () => {
    expect(await shownBy(updated([[1234]], [[gtin]]))).toBe(46346.25);
  });

  it("UPDATED is #N/A if the service doesn't say", async () => {
    context.engine.answerItem = () => found(record({ lastUpdatedMs: null }));
    expect(await shownBy(updated([[1234]], [[gtin]]))).toMatch(/^#N\/A The service doesn.t say/);
  });

  it("STATUS is SUCCESS or the service's reason, never an error for an answered item", async () => {
    context.engine.answerItem = ({ value }) =>
      value === gtin ? found(record()) : none("no-data", "No data found");
    expect(await shownBy(status([[1234]], [[gtin], ["00000000000017"]]))).toEqual([
      ["SUCCESS"],
      ["No data found"],
    ]);
    context.engine.answerItem = () => Promise.reject(new InvError("quota", "The quota is used up."));
    expect(await shownBy(status([[1234]], [[gtin]]))).toBe("#VALUE! The quota is used up.");
  });

  it("STATUS that marks stale values waits for a running call, and says that it wasn't answered", async () => {
    context.engine.busy = true;
    context.engine.knownItem = () => found(record());
    const staleBecause = new InvError("service-down", "The service is not available.");
    context.engine.answerItem = () => ({ ...found(record()), staleBecause });
    expect(await shownBy(status([[1234]], [[gtin]], undefined, [[true]]))).toBe(
      "SUCCESS, not answered since 2026-11-20 12:00 UTC",
    );
    expect(await shownBy(status([[1234]], [[gtin]], undefined, [[false]]))).toBe("SUCCESS");
  });

  it("STOCK lists every record below headings", async () => {
    expect(await shownBy(stockTable(1234, gtin))).toEqual([
      ["Location area", "State", "Quantity", "Last updated (UTC)"],
      ["STORE", "AVAILABLE", 12, 46346.25],
      ["BACKROOM", "AVAILABLE", 5, 46346.25],
      ["STORE", "NET_AVAILABLE", 10, 46346.25],
    ]);
    expect(await shownBy(stockTable([[1234]], [[gtin]], null, false))).toHaveLength(3);
  });

  it("STOCK shows an error only for the record with two different quantities", async () => {
    context.engine.answerItem = () =>
      found(
        record({
          lastUpdatedMs: null,
          locations: [{ locationArea: "STORE", state: "AVAILABLE", quantity: null }],
        }),
      );
    expect(await shownBy(stockTable(1234, gtin))).toEqual([
      expect.anything(),
      ["STORE", "AVAILABLE", expect.stringMatching(/^#VALUE! /), ""],
    ]);
  });

  it("STOCK refuses a range and says so", async () => {
    expect(await shownBy(stockTable([[1234], [1235]], gtin))).toMatch(
      /^#VALUE! store is a range of 2 x 1, but/,
    );
  });

  it("CID returns one row for each cross reference, unchanged", async () => {
    context.engine.answerItem = () =>
      found(
        record({
          cids: [
            { cid: 77, crossReferences: ["a", 2, '{"gtin":"1"}'] },
            { cid: 78, crossReferences: [] },
          ],
        }),
      );
    expect(await shownBy(cidTable(1234, gtin))).toEqual([
      ["CID", "Cross reference"],
      [77, "a"],
      [77, 2],
      [77, '{"gtin":"1"}'],
      [78, ""],
    ]);
    context.engine.answerItem = () => found(record());
    expect(await shownBy(cidTable(1234, gtin))).toMatch(/^#N\/A .*no inventory at consumer-item/);
  });
});

describe("INV.ASOF", () => {
  const old = found(record(), nowMs - 3_600_000);

  it("requests an item that isn't cached", async () => {
    expect(await shownBy(asOf([[1234]], [[gtin]]))).toBe(46346.5);
    expect(context.engine.items).toHaveLength(1);
  });

  it("shows the age of the cached record without a call, however old it is", async () => {
    context.engine.knownItem = () => old;
    expect(await shownBy(asOf([[1234]], [[gtin]]))).toBeCloseTo(46346.5 - 1 / 24, 9);
    expect(context.engine.items).toEqual([]);
  });

  it("waits for the new record when the same burst fetches it", async () => {
    context.engine.knownItem = () => old;
    const first = asOf([[1234]], [[gtin]]);
    context.engine.busy = true;
    expect(await shownBy(first)).toBe(46346.5);
  });
});
