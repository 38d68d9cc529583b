/** The service against its document: one test for each row of the document's tables, titled by the row. */
import { accessRows } from "./rows-access";
import { eventsRows } from "./rows-events";
import { eventsRefusalRows } from "./rows-events-refusals";
import { searchRows } from "./rows-search";
import { searchRefusalRows } from "./rows-search-refusals";

const rows = [...accessRows, ...searchRows, ...searchRefusalRows, ...eventsRows, ...eventsRefusalRows];

describe(`the service answers as its document says (contract rows: ${rows.length})`, () => {
  describe.each([...new Set(rows.map(({ table }) => table))])("%s", (table) => {
    for (const { row, check } of rows.filter((one) => one.table === table)) it(row, check);
  });

  it("has a row for every row of the document's tables", () => {
    expect(rows.length).toBeGreaterThanOrEqual(100);
    const titles = rows.map(({ table, row }) => `${table}: ${row}`);
    expect(new Set(titles).size).toBe(titles.length);
    console.info(`contract rows: ${rows.length}`);
  });
});
