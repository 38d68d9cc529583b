/** Check a list: what is wrong with stores and items. */
import { fc } from "../../helpers/properties";
import { parseGtin, parseStoreNumber } from "../../../src/domain/identifiers";
import { type Finding, validate } from "../../../src/domain/validator/validate";
import { createArgumentReader, isRefusal } from "../../../src/functions/argument-values";
import { gtinOf } from "./gtins";

type Value = string | number | boolean | null;

const faultsOf = (items: readonly Value[], store: Value = 1234) =>
  validate(items.map((item) => ({ store, item }))).findings.map(({ row, field, fault }) => [
    row,
    field,
    fault,
  ]);

const reasonOf = (item: Value) => validate([{ store: null, item }]).findings[0]?.reason;

test.each<[string, string]>([
  ["OOO12345678905", "It contains letters in place of digits."],
  ["1234567", "Digits are missing: look the GTIN up again."],
  ["2026-11-20", "It may be a date: select the cell with the GTIN."],
  ["20.11.2026", "It may be a date: select the cell with the GTIN."],
])("the item %j is refused: %s", (item, advice) => {
  expect(faultsOf([item])).toEqual([[0, "item", "refused"]]);
  expect(reasonOf(item)).toBe(
    `item: expected a GTIN of 14 digits (8 or 10 to 13 are filled with zeros), received "${item}". ${advice}`,
  );
});

const cell = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc.integer({ min: 0, max: 999_999 }).map(String),
  fc.constantFrom("#N/A", "#REF!", "#SPILL!", "#1234", " ", 0, "'57", "(01)00012345678905", "12.5", "1O0"),
);

test("a value is refused exactly where the functions refuse it, and for the same reason", () => {
  const functionStore = createArgumentReader("store", parseStoreNumber);
  const functionItem = createArgumentReader("item", (value) => parseGtin(value));
  fc.assert(
    fc.property(cell, cell, (store, item) => {
      const { filled, findings } = validate([{ store, item }]);
      for (const [field, read] of [
        ["store", functionStore(store)],
        ["item", functionItem(item)],
      ] as const) {
        const refused = findings.filter(
          (one) => one.field === field && ["refused", "scanner", "nine-digits"].includes(one.fault),
        );
        expect(refused.map(({ reason }) => reason)).toEqual(isRefusal(read) ? [read.error.message] : []);
        expect(filled[field]).toBe(read === null ? 0 : 1);
      }
    }),
  );
});

test.each([
  "(01)00012345678905",
  "(01) 00012345678905(10)A1",
  "]C10100012345678905",
  "]E00012345678905",
  "0100012345678905",
])("%s is named as a scanner's", (item) => {
  expect(faultsOf([item])).toEqual([[0, "item", "scanner"]]);
  expect(reasonOf(item)).toMatch(/A scanner wrote it: keep only the GTIN, without .*\.$/);
});

test("nine digits may be item numbers, which a formula has to say", () => {
  expect(faultsOf([123456789, "12345678O"])).toEqual([
    [0, "item", "nine-digits"],
    [1, "item", "refused"],
  ]);
  expect(reasonOf(123456789)).toContain('give "wm_item_number" as item_type');
});

test("a row of a list of both has a store and an item, or neither", () => {
  const gtin = gtinOf(1);
  const rows = [
    { store: 57, item: gtin },
    { store: null, item: gtin },
    { store: null, item: " " },
    { store: 57, item: "" },
  ];
  const found = ({ row, field, fault, received }: Finding) => [row, field, fault, received];
  expect(validate(rows).findings.map(found)).toEqual([
    [1, "store", "half-row", null],
    [3, "item", "half-row", null],
  ]);
  expect(validate(rows).findings[0]?.reason).toBe("The store is blank, so INV shows nothing in this row.");
  // A list of one kind has no such rows.
  for (const kind of ["store", "item"] as const) {
    expect(validate(rows.map((row) => ({ store: null, item: null, [kind]: row[kind] }))).findings).toEqual(
      [],
    );
  }
});

const right = [1, 2, 3, 4, 5, 6, 7, 8].map(gtinOf);

test("a few wrong check digits are errors in these cells", () => {
  expect(faultsOf([...right, "00012345678906", 12345678906])).toEqual([
    [8, "item", "check-digit"],
    [9, "item", "check-digit"],
    [9, "item", "two-spellings"],
  ]);
  expect(faultsOf(["00012345678906"])).toEqual([[0, "item", "check-digit"]]);
  expect(reasonOf(12345678906)).toBe("INV asks for the GTIN 00012345678906 as it is. Look it up again.");
});

test.each<[string, readonly Value[]]>([
  ["UPCs of 11 digits, without their check digit", [12345678901, 12345678902, 12345678903, "01234567890"]],
  ["own codes", [88812345, 88812346, 88812347, 88812348]],
  ["telephone numbers", [5512345678, 5512345679, 5512345680, 5512345681]],
  ["dates written as numbers", [20261120, 20261121, 20261122, 20261123]],
])("a column of %s is one finding for the column", (_, items) => {
  const faults = faultsOf([...items, right[0]!]);
  expect(faults.length).toBeGreaterThanOrEqual(3);
  expect(new Set(faults.map(([, , fault]) => fault))).toEqual(new Set(["not-gtins"]));
});

test("a column of dates is refused as dates", () => {
  expect(faultsOf([46348, 46349])).toEqual([
    [0, "item", "refused"],
    [1, "item", "refused"],
  ]);
  expect(reasonOf(46348)).toMatch(/It may be the date 2026-11-22: select the cell with the GTIN\.$/);
});

test("what may be a UPC-E is unsure, whether or not its check digit fits as a GTIN", () => {
  // 01234565 fits as both, 04252614 only as a UPC-E, and 20012342 begins with 2.
  expect(faultsOf(["01234565", "04252614", 12345670, "20012342"])).toEqual([
    [0, "item", "upc-e"],
    [1, "item", "upc-e"],
    [2, "item", "upc-e"],
  ]);
  expect(reasonOf("04252614")).toBe(
    "INV asks for the GTIN 00000004252614. If it is a UPC-E, write the 12 digits of its UPC-A.",
  );
});

test("an item in two spellings is named where it isn't a text of 14 digits, and lost zeros alone are no finding", () => {
  expect(
    faultsOf(["10000000000007", 10000000000007, " 10000000000007", 12345678905, "012345678912"]),
  ).toEqual([
    [1, "item", "two-spellings"],
    [2, "item", "two-spellings"],
  ]);
});

test.each<[string, string]>([
  ["0057", "INV reads store 57. Write 57."],
  [" 1234", "INV reads store 1234. Write 1234."],
  ["1234\u00A0", "INV reads store 1234. Write 1234."],
])("the store %j has zeros or blanks around it", (store, reason) => {
  const { findings } = validate([{ store, item: null }]);
  expect(findings).toMatchObject([{ field: "store", fault: "store-spelling", reason }]);
});

test("right stores and items, blanks and zeros have no findings", () => {
  const rows = [
    { store: 1234, item: "00012345678905" },
    { store: "1234", item: 10000000000007 },
    { store: null, item: 0 },
    { store: " ", item: null },
  ];
  expect(validate(rows)).toEqual({ filled: { store: 2, item: 2 }, findings: [] });
});
