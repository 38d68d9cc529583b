/** Check items: what is wrong with stores and items, what was meant, and which changes are sure. */
import { fc } from "../../helpers/properties";
import { parseGtin, parseStoreNumber } from "../../../src/domain/identifiers";
import { itemTypeOf, validate } from "../../../src/domain/validator/validate";
import { gtinOf } from "./gtins";

const about = (item: string | number, store: string | number = 1234) =>
  validate([{ store, item }]).findings.map(({ field, fault, meant, sure }) => [field, fault, meant, sure]);

test.each<[string | number, string, unknown, boolean]>([
  [12345678905, "padding", "00012345678905", true],
  ["012345678905", "padding", "00012345678905", true],
  ["0012345678905", "padding", "00012345678905", true],
  // An EAN-8, or a UPC-E of another item.
  ["12345670", "padding", "00000012345670", false],
  ["OOO12345678905", "letter-o", "00012345678905", true],
  // The check digit doesn't confirm it.
  ["OOO12345678906", "letter-o", "00012345678906", false],
  ["00012345678906", "check-digit", "00012345678905", false],
  ["12345678906", "check-digit", "00012345678905", false],
  ["I0012345678905", "refused", "10012345678905", false],
  ["1234567", "refused", null, false],
  ["123", "refused", null, false],
  ["#N/A", "refused", null, false],
])("the item %j: %s, meant %j, sure %j", (item, fault, meant, sure) => {
  expect(about(item)).toEqual([["item", fault, meant, sure]]);
});

test.each<[string | number, string, unknown, boolean]>([
  ["1O0", "letter-o", 100, true],
  ["12A", "refused", null, false],
  [5, "refused", null, false],
  ["Store 1234", "refused", 1234, false],
])("the store %j: %s, meant %j, sure %j", (store, fault, meant, sure) => {
  expect(about("00012345678905", store)).toEqual([["store", fault, meant, sure]]);
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

test("an item that is a text in one row and a number in another gets one spelling", () => {
  const rows = ["10000000000007", 10000000000007, " 10000000000007", "00012345678905"].map((item) => ({
    store: 1234,
    item,
  }));
  expect(validate(rows).findings.map(({ row, fault, meant, sure }) => [row, fault, meant, sure])).toEqual([
    [1, "two-spellings", "10000000000007", true],
    [2, "two-spellings", "10000000000007", true],
  ]);
});

test("a list of item numbers is checked as such", () => {
  const rows = [123456789, "12345678O", 987654321].map((item) => ({ store: 1234, item }));
  expect(itemTypeOf([123456789, 987654321, "00012345678905"])).toBe("wm_item_number");
  const { itemType, findings } = validate(rows);
  expect(itemType).toBe("wm_item_number");
  expect(findings).toMatchObject([{ row: 1, fault: "letter-o", meant: "123456780", sure: true }]);
});

test("INV can read every sure change, and a change of a right list changes no item", () => {
  const spelled = fc.integer({ min: 1, max: 40 }).chain((number) => {
    const gtin = gtinOf(number);
    return fc.constantFrom<string | number>(
      ...[gtin, Number(gtin), gtin.replace(/^0+/, ""), gtin.replaceAll("0", "O"), gtin.slice(1), ` ${gtin} `],
    );
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom<string | number>(1234, "1O4", "57"), spelled)), (rows) => {
      const { findings } = validate(rows.map(([store, item]) => ({ store, item })));
      for (const { field, meant, sure, received } of findings) {
        if (!sure || meant === null) continue;
        const parse = field === "store" ? parseStoreNumber : parseGtin;
        expect(parse(meant)).toEqual(
          field === "store" ? 104 : parseGtin(String(received).replaceAll("O", "0")),
        );
      }
    }),
  );
});
