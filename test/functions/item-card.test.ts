/** ITEM: the shelf quantity, with a card in Microsoft's documented shape if the host shows cards, otherwise only the number. */
import type { ItemQuery } from "../../src/domain/records";
import { itemCard, qty, updated } from "../../src/functions/catalogue/inventory";
import { cardBytes } from "../../src/functions/item-card";
import { startFunctions } from "../../src/functions/context";
import { createBed, noQuota } from "../engine/bed";
import { fakeContext, found, none, nowMs, record, contextOn, shownBy, withHost } from "./fakes";

const gtin = "00012345678905";
const item: ItemQuery = { storeNumber: 1234, itemType: "gtin", value: gtin };
const day = 86_400_000;

let context = fakeContext();

withHost();

beforeEach(() => {
  context = { ...fakeContext(), showsCards: true };
  startFunctions(context);
});

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const cardOf = async (): Promise<Excel.DoubleCellValue> =>
  (await itemCard([[1234]], [[gtin]]))[0]?.[0] as Excel.DoubleCellValue;

describe("INV.ITEM", () => {
  it("is a number with a card in the documented shape", async () => {
    const updatedAtMs = Date.UTC(2026, 10, 20, 6);
    const fetchedAtMs = updatedAtMs + 90 * 60_000;
    context.engine.answerItem = () =>
      found(record({ cids: [{ cid: 5_001, crossReferences: [] }], lastUpdatedMs: updatedAtMs }), fetchedAtMs);
    const serial = 46_346.25;
    const time = "yyyy-mm-dd hh:mm";
    expect(await cardOf()).toEqual({
      type: "Double",
      basicType: "Double",
      basicValue: 12,
      properties: {
        Shelf: { type: "Double", basicValue: 12 },
        "Shelf net": { type: "Double", basicValue: 10 },
        Backroom: { type: "Double", basicValue: 5 },
        Updated: { type: "Double", basicValue: serial, numberFormat: time },
        Fetched: { type: "Double", basicValue: serial + 0.0625, numberFormat: time },
        Age: { type: "Double", basicValue: 0.0625, numberFormat: "[h]:mm" },
        "CID inventories": { type: "String", basicValue: "5001" },
      },
      layouts: {
        card: {
          title: `${gtin} at store 1234`,
          sections: [
            {
              layout: "List",
              properties: ["Shelf", "Shelf net", "Backroom", "Updated", "Fetched", "Age", "CID inventories"],
            },
          ],
        },
      },
    });
  });

  it("leaves out fields that the service does not give", async () => {
    context.engine.answerItem = () =>
      found(
        record({
          locations: [
            { locationArea: "STORE", state: "AVAILABLE", quantity: 3 },
            { locationArea: "BACKROOM", state: "AVAILABLE", quantity: null },
          ],
          lastUpdatedMs: null,
        }),
      );
    expect(Object.keys((await cardOf()).properties ?? {})).toEqual(["Shelf", "Fetched"]);
  });

  it("shows the error of QTY where there is no shelf quantity, and never a card", async () => {
    context.engine.answerItem = () => none("not-mapped", "Not mapped to the supplier");
    expect(await shownBy(itemCard([[1234]], [[gtin]]))).toBe(await shownBy(qty([[1234]], [[gtin]])));
    context.engine.answerItem = () =>
      found(record({ locations: [{ locationArea: "BACKROOM", state: "AVAILABLE", quantity: 3 }] }));
    expect(await shownBy(itemCard([[1234]], [[gtin]]))).toMatch(/^#N\/A The service has no record for STORE/);
  });

  it("is the plain number where the host shows no cards", async () => {
    startFunctions({ ...context, showsCards: false });
    expect(await shownBy(itemCard([[1234]], [[gtin]]))).toBe(12);
  });

  it("asks for the item as QTY does, and for no history", async () => {
    await Promise.all([itemCard([[1234]], [[gtin]]), qty([[1234]], [[gtin]])]);
    expect(context.engine.items).toEqual([item, item]);
    expect(context.engine.histories).toEqual([]);
  });

  it("gives a column of cards up to 2,000 cells, and plain numbers above", async () => {
    const stores = (rows: number) => Array.from({ length: rows }, (_, row) => [1000 + row]);
    const cards = (await itemCard(stores(2_000), [[gtin]])).flat();
    expect(cards.every((value) => typeof value === "object")).toBe(true);
    expect(bytesOf(cards)).toBeLessThan(4_000_000);
    const numbers = (await itemCard(stores(2_001), [[gtin]])).flat();
    expect(numbers.every((value) => value === 12)).toBe(true);
  });

  it("keeps the largest card within the size that it is counted with", async () => {
    const quantity = -123_456.789;
    const areas = ["STORE", "BACKROOM"].flatMap((locationArea) =>
      ["AVAILABLE", "NET_AVAILABLE"].map((state) => ({ locationArea, state, quantity })),
    );
    const cids = Array.from({ length: 500 }, (_, index) => ({
      cid: 999_999_999_999_000 + index,
      crossReferences: [],
    }));
    const lastUpdatedMs = nowMs - 400.123_456 * day;
    const answer = record({ locations: areas, cids, lastUpdatedMs });
    context.engine.answerItem = () => found(answer);
    const card = await cardOf();
    expect(card.properties?.["CID inventories"]).toMatchObject({
      basicValue: expect.stringMatching(/^(\d{15}, ){9}\d{15} and 490 more$/) as string,
    });
    const counted = cardBytes({ quantity, query: item, record: answer, fetchedAtMs: nowMs });
    expect(bytesOf(card)).toBeLessThanOrEqual(counted);
    expect(bytesOf(card)).toBeGreaterThan(0.8 * counted);
  });
});

it("a sheet of ITEM, QTY and UPDATED costs the calls of its items, and none for histories", async () => {
  const bed = createBed(noQuota);
  startFunctions({ ...contextOn(bed.clock), engine: bed.engine, showsCards: true });
  const items = Array.from({ length: 250 }, (_, row) => String(row + 1).padStart(14, "0"));
  const cells = items.flatMap((each) => [itemCard, qty, updated].map((of) => of([[1_000]], [[each]])));
  await bed.clock.until(Promise.all(cells));
  expect(bed.service.of("search")).toHaveLength(3);
  expect(bed.service.of("events")).toHaveLength(0);
});
