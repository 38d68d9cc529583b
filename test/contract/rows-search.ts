/** What `POST /search-items` answers: its response, item records, reasons, locations and CIDs. */
import { type Answer, createCaller, demoData, fixedGtin, fixedItemNumber } from "./caller";
import { type Row, rowsOf } from "./rows";
import { expectInventory } from "./shapes";

const good = { item_type: "gtin", store_nbr: 1234, item_type_values: [fixedGtin] };
const byNumber = { item_type: "wm_item_number", store_nbr: 1234, item_type_values: [fixedItemNumber] };

async function itemWithoutData(): Promise<{ gtin: string; itemNumber: string }> {
  const { items } = await demoData();
  const item = items.find(
    (one) => one.supplier_name.startsWith("Demo") && one.stores_without_data.includes(1234),
  )!;
  return { gtin: item.gtin, itemNumber: item.wm_item_number };
}

async function rivalItem(): Promise<{ gtin: string; itemNumber: string }> {
  const item = (await demoData()).items.find((one) => one.supplier_name.startsWith("Rival"))!;
  return { gtin: item.gtin, itemNumber: item.wm_item_number };
}

function ask(body: unknown): Promise<Answer> {
  return createCaller().search(body);
}

export const searchRows: Row[] = [
  ...rowsOf("Multi-item inventory response", [
    [
      "supplier_name, store_nbr of the request, and one entry of items per requested item, in order",
      async () => {
        const { gtin: none } = await itemWithoutData();
        const values = [fixedGtin, none, "00000000000000", fixedGtin];
        const answer = await ask({ ...good, item_type_values: values });
        expectInventory(answer, values);
        expect(answer.body).toMatchObject({ supplier_name: "Demo Foods Inc.", store_nbr: 1234 });
        expect(answer.body.items.map((item) => item.gtin)).toEqual(values);
      },
    ],
  ]),
  ...rowsOf("Item record", [
    [
      "gtin: present when requested by GTIN; wm_item_number: in successful records too",
      async () => {
        const answer = await ask(good);
        expect(answer.body.items[0]).toMatchObject({
          gtin: fixedGtin,
          wm_item_number: fixedItemNumber,
          data_retrieval_status: "SUCCESS",
        });
      },
    ],
    [
      "wm_item_number: present when requested by item number, then without gtin",
      async () => {
        const answer = await ask(byNumber);
        expectInventory(answer, [fixedItemNumber]);
        expect(answer.body.items[0]?.wm_item_number).toBe(fixedItemNumber);
        expect(answer.body.items[0]).not.toHaveProperty("gtin");
      },
    ],
    [
      "inventory fields are the same by either identifier",
      async () => {
        const [one, other] = [await ask(good), await ask(byNumber)].map(({ body }) => body.items[0]);
        expect({ ...other, gtin: fixedGtin }).toEqual(one);
      },
    ],
    [
      "last_updated_time: ISO time, UTC, not in the future",
      async () => {
        const answer = await ask(good);
        const time = answer.body.items[0]!.last_updated_time;
        expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
        expect(Date.parse(`${time}Z`)).toBeLessThanOrEqual(Date.parse("2026-11-20T12:00:00Z"));
      },
    ],
  ]),
  ...rowsOf("Values of reason", [
    [
      "WM_ITEM_NUMBER not mapped to the supplier",
      async () => {
        for (const itemNumber of [(await rivalItem()).itemNumber, "999999999", "1"]) {
          const answer = await ask({ ...byNumber, item_type_values: [itemNumber] });
          expect(answer.body.items).toEqual([
            {
              wm_item_number: itemNumber,
              data_retrieval_status: "ERROR",
              reason: "WM_ITEM_NUMBER not mapped to the supplier",
            },
          ]);
        }
      },
    ],
    [
      "GTIN not mapped to the supplier",
      async () => {
        for (const gtin of [(await rivalItem()).gtin, "00000000000017"]) {
          const answer = await ask({ ...good, item_type_values: [gtin] });
          expect(answer.body.items).toEqual([
            { gtin, data_retrieval_status: "ERROR", reason: "GTIN not mapped to the supplier" },
          ]);
        }
      },
    ],
    [
      "No data found: no data exists for the item at the store",
      async () => {
        const { gtin, itemNumber } = await itemWithoutData();
        const status = { data_retrieval_status: "ERROR", reason: "No data found" };
        expect((await ask({ ...good, item_type_values: [gtin] })).body.items).toEqual([{ gtin, ...status }]);
        expect((await ask({ ...byNumber, item_type_values: [itemNumber] })).body.items).toEqual([
          { wm_item_number: itemNumber, ...status },
        ]);
      },
    ],
    [
      "another supplier's item is mapped to that supplier",
      async () => {
        const caller = createCaller();
        const { gtin } = await rivalItem();
        const body = { ...good, item_type_values: [gtin, fixedGtin] };
        const answer = await caller.search(body, await caller.headers("rival"));
        expect(answer.body.supplier_name).toBe("Rival Brands Ltd.");
        expect(answer.body.items[1]?.reason).toBe("GTIN not mapped to the supplier");
        expect(answer.body.items[0]?.reason).not.toBe("GTIN not mapped to the supplier");
      },
    ],
  ]),
  ...rowsOf("Location record", [
    [
      "location_area STORE and BACKROOM, state AVAILABLE and NET_AVAILABLE, quantity as decimal text",
      async () => {
        const { inventory_locations: records } = (await ask(good)).body.items[0]!;
        expect(records.map((one) => `${one.location_area} ${one.state}`)).toEqual([
          "STORE AVAILABLE",
          "STORE NET_AVAILABLE",
          "BACKROOM AVAILABLE",
          "BACKROOM NET_AVAILABLE",
        ]);
        for (const { quantity } of records) expect(quantity).toMatch(/^\d+(\.\d+)?$/);
      },
    ],
  ]),
  ...rowsOf("CID-level record", [
    [
      "cid: integer; cross_references: array, in our own shape with this item in it",
      async () => {
        const item = (await ask(good)).body.items[0]!;
        const record = item.cid_level_inventories[0]!;
        expect(Number.isInteger(record.cid)).toBe(true);
        expect(record.cross_references).toContainEqual({
          gtin: fixedGtin,
          wm_item_number: fixedItemNumber,
          quantity: item.inventory_locations[0]!.quantity,
        });
      },
    ],
  ]),
];
