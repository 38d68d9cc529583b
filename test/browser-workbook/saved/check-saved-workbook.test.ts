/** Which saved workbooks the page refuses to open, and how it says why. */
import { savedWorkbookFault } from "../../../src/browser-workbook/saved/check-saved-workbook";

const book = (sheet: object) => ({
  id: "book",
  sheetOrder: ["a"],
  sheets: { a: { name: "Plan", ...sheet } },
});

test.each([
  ["a text", "text", "is not a workbook"],
  ["no sheets", { id: "book", sheets: {}, sheetOrder: [] }, "has no sheets"],
  ["a sheet that is not there", { ...book({}), sheetOrder: ["b"] }, "names sheets that are not in it"],
  ["too many rows", book({ rowCount: 1_048_577 }), /^has a sheet Plan of 1048577 rows/],
  ["too many columns", book({ columnCount: 16_385 }), /and 16385 columns$/],
  ["a row outside the sheet", book({ cellData: { 1048576: {} } }), "has a sheet Plan with invalid cells"],
  [
    "a column outside the sheet",
    book({ cellData: { 0: { 16384: {} } } }),
    "has a sheet Plan with invalid cells",
  ],
  ["a cell that is a text", book({ cellData: { 0: { 0: "x" } } }), "has a sheet Plan with invalid cells"],
  ["merged cells that are no list", book({ mergeData: 1 }), "has a sheet Plan with invalid merged cells"],
])("%s is refused with its reason", (_what, snapshot, fault) => {
  const found = savedWorkbookFault(snapshot);
  if (typeof fault === "string") expect(found).toBe(fault);
  else expect(found).toMatch(fault);
});

test.each([500, 501])("%i sheets are opened up to 500", (count) => {
  const ids = Array.from({ length: count }, (_, index) => `s${index}`);
  const sheets = Object.fromEntries(ids.map((id) => [id, {}]));
  const fault = savedWorkbookFault({ id: "book", sheetOrder: ids, sheets });
  expect(fault).toBe(count === 500 ? null : "has 501 sheets");
});

test("the last row and column, and a cell without content, are opened", () => {
  const cellData = { 1048575: { 16383: { v: 1 } }, 0: { 0: null } };
  expect(savedWorkbookFault(book({ rowCount: 1_048_576, columnCount: 16_384, cellData }))).toBeNull();
});
