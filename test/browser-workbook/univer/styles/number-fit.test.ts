/** Numbers wider than their column. The grid's own module can't be loaded here, so the rule is in a separate file. */
import { fittedNumber } from "../../../../src/browser-workbook/univer/styles/fitted-number";

const roomFor = (characters: number) => (text: string) => text.length <= characters;

test.each([
  ["12345678905", 11, "12345678905"],
  ["12345678905", 9, "#########"],
  ["3.14159265", 6, "3.1416"],
  ["3.14159265", 1, "3"],
  ["3,14159265", 6, "3,1416"],
  ["-0.5", 3, "-1"],
  ["1234.5", 3, "###"],
  ["5", 0, "#"],
])("%s in room for %i characters shows as %s", (text, room, shown) => {
  expect(fittedNumber(text, true, roomFor(room))).toBe(shown);
});

test("a number format's decimals are never dropped", () => {
  expect(fittedNumber("12.50", false, roomFor(4))).toBe("####");
});
