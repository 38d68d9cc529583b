/** Check items: what is wrong with stores and items. */
import { validate } from "../../../src/domain/validator/validate";

const about = (item: string | number, store: string | number = 1234) =>
  validate([{ store, item }]).findings.map(({ field, fault, advice }) => `${field} ${fault}: ${advice}`);

test.each<[string | number, string]>([
  ["OOO12345678905", "refused: It contains letters in place of digits."],
  ["00012345678906", "check-digit: Its check digit is not valid."],
  [12345678906, "check-digit: Its check digit is not valid."],
  ["1234567", "refused: Digits are missing: look the GTIN up again."],
  ["#N/A", "refused: The cell shows an error: correct the formula it comes from."],
])("the item %j: %s", (item, finding) => expect(about(item)).toEqual([`item ${finding}`]));

test.each<[string | number, string]>([
  ["1O0", "refused: It contains letters in place of digits."],
  ["12A", "refused: Write its digits only, such as 1234."],
  [5, "refused: Look the store number up again."],
  ["Store 1234", "refused: Write its digits only."],
])("the store %j: %s", (store, finding) => {
  expect(about("00012345678905", store)).toEqual([`store ${finding}`]);
});

test("lost zeros are no finding, because INV pads them", () => {
  for (const item of [12345678905, "012345678905", "12345670"]) expect(about(item)).toEqual([]);
});

test("right stores and items, blanks and zeros have no findings", () => {
  const rows = [
    { store: 1234, item: "00012345678905" },
    { store: "1234", item: 10000000000007 },
    { store: null, item: 0 },
    { store: " ", item: null },
  ];
  expect(validate(rows)).toEqual({ itemType: "gtin", validated: 2, findings: [] });
});

test("an item that is a text in one row and a number in another is named in the rows without 14 digits as text", () => {
  const rows = ["10000000000007", 10000000000007, " 10000000000007", 12345678905, "00012345678905"].map(
    (item) => ({
      store: 1234,
      item,
    }),
  );
  expect(validate(rows).findings.map(({ row, fault }) => [row, fault])).toEqual([
    [1, "two-spellings"],
    [2, "two-spellings"],
    [3, "two-spellings"],
  ]);
});

test("a list of item numbers is checked as such", () => {
  const rows = [123456789, "12345678O", 987654321].map((item) => ({ store: 1234, item }));
  const { itemType, findings } = validate(rows);
  expect(itemType).toBe("wm_item_number");
  expect(findings).toMatchObject([{ row: 1, fault: "refused" }]);
});
