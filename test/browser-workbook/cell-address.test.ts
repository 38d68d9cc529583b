/** Addresses have the spelling that Excel passes to a function. */
import { callerAddress } from "../../src/browser-workbook/cell-address";

test.each([
  ["Sheet1", 0, 0, "Sheet1!A1"],
  ["Planning", 9, 27, "Planning!AB10"],
  ["My sheet", 0, 2, "'My sheet'!C1"],
  ["Jo's", 0, 0, "'Jo''s'!A1"],
  ["2026", 0, 0, "'2026'!A1"],
  ["AB12", 0, 0, "'AB12'!A1"],
  ["Größe", 0, 0, "Größe!A1"],
])("sheet %s, row %i, column %i is %s", (sheet, row, col, address) => {
  expect(callerAddress(sheet, row, col)).toBe(address);
});
