/** What the service answers, row by row of the document's tables, in each environment and over a stock file. */
import { accessRows } from "./rows-access";
import { eventsRows } from "./rows-events";
import { eventsRefusalRows } from "./rows-events-refusals";
import { searchRows } from "./rows-search";
import { searchRefusalRows } from "./rows-search-refusals";
import { contractServices, describeEach } from "./worlds";

const rows = [...accessRows, ...searchRows, ...searchRefusalRows, ...eventsRows, ...eventsRefusalRows];

/** Rows for which a service has no data. */
const rowsWithout: Readonly<Record<string, readonly string[]>> = {
  // It lists no item without data at the store; `conditions` and `sandbox.test` have these cases.
  "embedded-sandbox": [
    "supplier_name, store_nbr of the request, and one entry of items per requested item, in order",
    "WM_ITEM_NUMBER not mapped to the supplier",
    "GTIN not mapped to the supplier",
    "No data found: no data exists for the item at the store",
  ],
  // It has only one supplier.
  "a stock file": ["another supplier's item is mapped to that supplier"],
};

describeEach(contractServices, ({ name }) => {
  const without = rowsWithout[name] ?? [];
  describe.each(tablesWithout(without))("%s", (table) => {
    const here = rows.filter((one) => one.table === table && !without.includes(one.row));
    for (const { row, check } of here) it(row, check);
  });
});

function tablesWithout(without: readonly string[]): readonly string[] {
  return [...new Set(rows.filter(({ row }) => !without.includes(row)).map(({ table }) => table))];
}

it("has rows with different titles", () => {
  const titles = rows.map(({ table, row }) => `${table}: ${row}`);
  expect(new Set(titles).size).toBe(titles.length);
});
