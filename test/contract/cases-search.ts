/** What `POST /search-items` answers: its response, item records, reasons, locations and CIDs. */
import { type Answer, createCaller, fixedGtin, fixedItemNumber } from "./caller";
import { expectInventory } from "./shapes";
import type { ContractService } from "./worlds";

const good = { item_type: "gtin", store_nbr: 1234, item_type_values: [fixedGtin] };
const byNumber = { item_type: "wm_item_number", store_nbr: 1234, item_type_values: [fixedItemNumber] };
const rivalItem = { gtin: "00098765432105", itemNumber: "770200000" };

function ask(body: unknown): Promise<Answer> {
  return createCaller().search(body);
}

export function searchCases({ kind, isFile, pairWithoutData }: ContractService): void {
  describe("Item record", () => {
    it("by GTIN: gtin and wm_item_number", async () => {
      const { body } = await ask(good);
      expect(body.items[0]).toMatchObject({
        gtin: fixedGtin,
        wm_item_number: fixedItemNumber,
        data_retrieval_status: "SUCCESS",
      });
    });

    it("by item number: the same without gtin", async () => {
      const [one, other] = [await ask(good), await ask(byNumber)];
      expectInventory(other, [fixedItemNumber]);
      expect(other.body.items[0]).not.toHaveProperty("gtin");
      expect({ ...other.body.items[0], gtin: fixedGtin }).toEqual(one.body.items[0]);
    });

    it("last_updated_time: ISO time, UTC, not in the future", async () => {
      const time = (await ask(good)).body.items[0]!.last_updated_time;
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
      expect(Date.parse(`${time}Z`)).toBeLessThanOrEqual(Date.parse("2026-11-20T12:00:00Z"));
    });

    it("inventory_locations: STORE and BACKROOM, AVAILABLE and NET_AVAILABLE, quantity as decimal text", async () => {
      const { inventory_locations: records } = (await ask(good)).body.items[0]!;
      expect(records.map((one) => `${one.location_area} ${one.state}`)).toEqual([
        "STORE AVAILABLE",
        "STORE NET_AVAILABLE",
        "BACKROOM AVAILABLE",
        "BACKROOM NET_AVAILABLE",
      ]);
      for (const { quantity } of records) expect(quantity).toMatch(/^\d+(\.\d+)?$/);
    });

    it("cid_level_inventories: cross_references in INV's own shape, with this item in them", async () => {
      const item = (await ask(good)).body.items[0]!;
      if (isFile) {
        expect(item.cid_level_inventories).toEqual([]);
        return;
      }
      const record = item.cid_level_inventories[0]!;
      expect(Number.isInteger(record.cid)).toBe(true);
      expect(record.cross_references).toContainEqual({
        gtin: fixedGtin,
        wm_item_number: fixedItemNumber,
        quantity: item.inventory_locations[0]!.quantity,
      });
    });
  });

  // The sandbox answers a request without any data with a 404 (`conditions`), so `sandbox.test` has cases of its own.
  if (kind === "production") {
    const { store, gtin, itemNumber } = pairWithoutData;

    it("Response: supplier_name, store_nbr, and one entry per requested item, in order", async () => {
      const values = [fixedGtin, gtin, "00000000000000", fixedGtin];
      const answer = await ask({ ...good, store_nbr: store, item_type_values: values });
      expectInventory(answer, values);
      expect(answer.body).toMatchObject({ supplier_name: "Demo Foods Inc.", store_nbr: store });
      expect(answer.body.items.map((item) => item.gtin)).toEqual(values);
    });

    it.each([
      ["No data found", "gtin", gtin],
      ["No data found", "wm_item_number", itemNumber],
      ["GTIN not mapped to the supplier", "gtin", rivalItem.gtin],
      ["GTIN not mapped to the supplier", "gtin", "00000000000017"],
      ["WM_ITEM_NUMBER not mapped to the supplier", "wm_item_number", rivalItem.itemNumber],
      ["WM_ITEM_NUMBER not mapped to the supplier", "wm_item_number", "999999999"],
      ["WM_ITEM_NUMBER not mapped to the supplier", "wm_item_number", "1"],
    ])("reason: %s (%s %s)", async (reason, type, value) => {
      const { body } = await ask({ item_type: type, store_nbr: store, item_type_values: [value] });
      expect(body.items).toEqual([{ [type]: value, data_retrieval_status: "ERROR", reason }]);
    });
  }

  if (!isFile) {
    it("another supplier's item is mapped to that supplier", async () => {
      const caller = createCaller();
      const values = { ...good, item_type_values: [rivalItem.gtin, fixedGtin] };
      const { body } = await caller.search(values, await caller.headers("rival"));
      expect(body.supplier_name).toBe("Rival Brands Ltd.");
      expect(body.items.map((item) => item.reason)).toEqual([undefined, "GTIN not mapped to the supplier"]);
    });
  }
}
