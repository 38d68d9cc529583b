/**
 * The service against its document, over both backends: one test for each row of the document's tables, titled by
 * the row.
 */
import { callBackend } from "./caller";
import { type ImportedWorld, importDemoWorld } from "./imported-world";
import { accessRows } from "./rows-access";
import { eventsRows } from "./rows-events";
import { eventsRefusalRows } from "./rows-events-refusals";
import { searchRows } from "./rows-search";
import { searchRefusalRows } from "./rows-search-refusals";

const rows = [...accessRows, ...searchRows, ...searchRefusalRows, ...eventsRows, ...eventsRefusalRows];

/** An export names no item that has data nowhere, so that a stock file cannot tell one from nobody's. */
const beyondAFile = "GTIN invalid or without data";

describe.each(["the demo world", "a stock file"])(
  `the service answers as its document says, over %s (contract rows: ${rows.length})`,
  (world) => {
    const isFile = world === "a stock file";
    let imported: ImportedWorld | null = null;
    beforeAll(async () => {
      if (!isFile) return;
      imported = await importDemoWorld();
      callBackend(imported.backend);
    });
    afterAll(() => {
      callBackend(null);
      imported?.end();
    });

    describe.each([...new Set(rows.map(({ table }) => table))])("%s", (table) => {
      for (const { row, check } of rows.filter(
        (one) => one.table === table && !(isFile && one.row === beyondAFile),
      )) {
        it(row, check);
      }
    });
  },
);

it("has a row for every row of the document's tables", () => {
  expect(rows.length).toBeGreaterThanOrEqual(100);
  const titles = rows.map(({ table, row }) => `${table}: ${row}`);
  expect(new Set(titles).size).toBe(titles.length);
  console.info(`contract rows: ${rows.length}`);
});
