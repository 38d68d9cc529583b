/**
 * What the service answers, row by row of the document's tables, and details of refusals beyond `conditions`: in each
 * environment, and over a stock file.
 */
import { accessRows } from "./rows-access";
import { eventsRows } from "./rows-events";
import { eventsRefusalRows } from "./rows-events-refusals";
import { searchRows } from "./rows-search";
import { searchRefusalRows } from "./rows-search-refusals";
import { contractServices, describeEach } from "./worlds";

const rows = [...accessRows, ...searchRows, ...searchRefusalRows, ...eventsRows, ...eventsRefusalRows];

/** Rows that need what a service doesn't have. */
const rowsWithout: Readonly<Record<string, readonly string[]>> = {
  // It lists no item without data at the store, and fewer than 99; `conditions` and `sandbox.test` have these cases.
  "embedded-sandbox": [
    "supplier_name, store_nbr of the request, and one entry of items per requested item, in order",
    "WM_ITEM_NUMBER not mapped to the supplier",
    "GTIN not mapped to the supplier",
    "No data found: no data exists for the item at the store",
    "items per request: 99 are answered",
    "items per request: 100 are answered",
    "no data for the GTIN and store combination",
    "GTIN invalid or without data",
  ],
  // It has one supplier, and names no item that has data nowhere.
  "a stock file": [
    "GTIN invalid or without data",
    "what is another supplier's for one is its own for the other",
  ],
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

it("has no two rows of one title", () => {
  const titles = rows.map(({ table, row }) => `${table}: ${row}`);
  expect(new Set(titles).size).toBe(titles.length);
});
