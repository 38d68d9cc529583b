/** Finds a cell's worksheet by the name on its tab, however the host spells it. */
import { sheetOf } from "../../src/engine/queue";

it.each([
  ["Sheet1!A1", "Sheet1"],
  ["'My sheet'!B2", "My sheet"],
  ["'Tom''s plan!'!C3", "Tom's plan!"],
  ["A1", null],
  [undefined, null],
])("reads %s as %s", (cell, sheet) => {
  expect(sheetOf(cell)).toBe(sheet);
});
