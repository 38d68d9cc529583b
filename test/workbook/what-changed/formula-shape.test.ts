/** What a formula's spelling shows about its places, and which store and item each of them has. */
import { numberKindAt, shapeOf, showsOnlyAsOf } from "../../../src/workbook/what-changed/formula-shape";
import { haveSameQueries, itemsByPlace } from "../../../src/workbook/what-changed/items-by-place";
import type { CellContent } from "../../../src/workbook/port";

it.each([
  ["=INV.QTY(A2,B2)", ["QTY"], true, true],
  ["= inv.qty( TRANSPOSE(A2:A9), B1:Z1 ) ", ["QTY"], true, true],
  ['=_xldudf_INV_QTY(A2,"a ) b")', ["QTY"], true, true],
  ['=IFNA(INV.QTY(A2:A9,B2:B9),"")', ["QTY"], true, false],
  ["=ROUND(INV.QTY(A2,B2)*$C$1,0)+INV.EVENTQTY(A2,B2,C2)", ["QTY", "EVENTQTY"], true, false],
  ["=IFERROR(INV.QTY(A2:A9,B2:B9),0)", ["QTY"], false, false],
  ["=SORT(INV.QTY(A2:A9,B2:B9))", ["QTY"], false, false],
  ["=INV.QTY(A2,INV.CID(A2,B2))", ["QTY", "CID"], true, true],
  ["=Stock(A2,B2)", [], false, false],
])("%s", (formula, calls, isPlaceByPlace, isBare) => {
  expect(shapeOf(formula)).toEqual({ calls: new Set(calls), isPlaceByPlace, isBare });
});

it.each([
  ["=INV.UPDATED(A2,B2)", 0, "time"],
  ['=IFNA(INV.LASTEVENT(A2,B2),"")', 0, "time"],
  ["=INV.EVENTS(A2,B2)", 0, "time"],
  ["=INV.EVENTS(A2,B2)", 3, "row"],
  ["=INV.STOCK(A2,B2)", 2, "quantity"],
  ["=INV.STOCK(A2,B2)", 3, "time"],
  ["=INV.QTY(A2,B2)", 0, "quantity"],
  ["=Stock(A2,B2)", 0, "quantity"],
  ["=SUM(INV.EVENTS(A2,B2))", 0, "quantity"],
])("a number of %s in column %i is a %s", (formula, col, kind) => {
  expect(numberKindAt(shapeOf(formula), col)).toBe(kind);
});

it("leaves out formulas that show only when INV asked", () => {
  expect(showsOnlyAsOf(shapeOf("=INV.ASOF(A2,B2)"))).toBe(true);
  expect(showsOnlyAsOf(shapeOf("=INV.QTY(A2,B2)&INV.ASOF(A2,B2)"))).toBe(false);
});

describe("the store and item of a place", () => {
  const query = (storeNumber: number, value: string) => ({ storeNumber, itemType: "gtin" as const, value });
  const queries = [query(1234, "a"), query(1234, "b"), query(1301, "c")];
  const of = (filled: CellContent[], isPlaceByPlace = true) =>
    itemsByPlace({ queries } as never, { filled, isPlaceByPlace });

  it("belong to its own query, row by row", () => {
    const at = of([1, null, 3]);
    expect([0, 1, 2].map((place) => at(place).item)).toEqual(["a", "b", "c"]);
  });

  it("skip blank lines, which request nothing", () => {
    const at = of([1, null, 2, null, 3]);
    expect([0, 2, 4].map((place) => at(place).item)).toEqual(["a", "b", "c"]);
  });

  it.each([
    ["the places do not tell", of([1, 2])],
    ["a function may have moved them", of([3, 1, 2], false)],
  ])("are not guessed where %s", (_why, at) => {
    expect(at(0)).toEqual({ store: "", item: "" });
  });

  it("are known if all queries have the same", () => {
    const ofOneStore = { queries: [query(1234, "a"), query(1234, "b")] } as never;
    const at = itemsByPlace(ofOneStore, { filled: [3], isPlaceByPlace: false });
    expect(at(0)).toEqual({ store: "1234", item: "" });
  });

  it("are unknown if a place requests two", () => {
    // =INV.QTY(1234,A1:A2)-INV.QTY(1234,B1:B2): all places of the first call, then all of the second.
    const ofTwo = {
      queries: [query(1234, "a"), query(1234, "b"), query(1234, "c"), query(1234, "b")],
    } as never;
    const at = itemsByPlace(ofTwo, { filled: [3, 4], isPlaceByPlace: true });
    expect([at(0), at(1)]).toEqual([
      { store: "1234", item: "" },
      { store: "1234", item: "b" },
    ]);
    const blankBetween = itemsByPlace(ofTwo, { filled: [3, "", 4], isPlaceByPlace: true });
    expect(blankBetween(2)).toEqual({ store: "1234", item: "b" });
    expect(blankBetween(0)).toEqual({ store: "1234", item: "" });
  });
});

describe("the same query", () => {
  const history = { storeNumber: 1234, gtin: "a", eventType: "SALES", startDate: "2026-11-23" };
  const item = { storeNumber: 1234, itemType: "gtin" as const, value: "a" };

  it.each<[string, object, boolean]>([
    ["itself", history, true],
    ["another store", { ...history, storeNumber: 1301 }, false],
    ["another item", { ...history, gtin: "b" }, false],
    ["another event type", { ...history, eventType: "RECEIPT" }, false],
    ["a day later, as TODAY() asks after midnight", { ...history, startDate: "2026-11-24" }, false],
    ["until another day", { ...history, endDate: "2026-11-24" }, false],
    ["in another area", { ...history, locationArea: "BACKROOM" }, false],
    ["in the area that the service takes by itself", { ...history, locationArea: "STORE" }, true],
    ["the item itself", item, false],
  ])("compared with %s: %#", (_what, other, isSame) => {
    expect(haveSameQueries({ queries: history }, { queries: other as never })).toBe(isSame);
  });

  it("distinguishes an item number from a GTIN with the same digits", () => {
    expect(haveSameQueries({ queries: item }, { queries: { ...item, itemType: "wm_item_number" } })).toBe(
      false,
    );
  });
});
