/** The validator over whole columns: it finds fifty planted errors, and corrects nothing wrongly. */
import { fc } from "../../helpers/properties";
import type { PlainValue } from "../../../src/domain/bad-argument";
import { validate, type StoreAndItem } from "../../../src/domain/validator/validate";
import { faultTitles, type Finding } from "../../../src/domain/validator/finding";
import { checkDigitOf } from "../../../src/domain/gtin-hints";
import { parseGtin, parseStoreNumber } from "../../../src/domain/identifiers";
import { gtinOf, plantFiftyErrors, type Row } from "./planted-errors";

/** The rows after every sure change was made. */
function repaired(rows: readonly StoreAndItem[], findings: readonly Finding[]): Row[] {
  const after = rows.map((row): Row => ({ ...row }));
  for (const { row, changes, sure } of findings) {
    if (sure) for (const { field, value } of changes) (after[row] as Row)[field] = value;
  }
  return after;
}

const ofItems = (...items: (PlainValue | null)[]) => validate(items.map((item) => ({ store: null, item })));
const good = [gtinOf(0), gtinOf(1), gtinOf(2)];

it("a correction of too many digits is only proposed if a leading zero or a doubled digit may be wrong", () => {
  const sureOf = (item: string) => ofItems(item).findings.map(({ fault, sure }) => [fault, sure]);
  expect(sureOf("000012345678905")).toEqual([["too-long", true]]);
  // 00123456790049 and 00012345679049 both have a check digit that is right.
  expect(sureOf("000123456790049")).toEqual([["too-long", false]]);
});

describe("fifty planted errors", () => {
  const { meant, rows, errors } = plantFiftyErrors();
  const { findings, validated, itemType } = validate(rows);

  it("are all found with the right fault, and nothing else is", () => {
    expect(errors).toHaveLength(50);
    const found = findings.map(({ row, field, fault }) => `${row} ${field} ${fault}`).sort();
    expect(found).toEqual(errors.map(({ row, field, fault }) => `${row} ${field} ${fault}`).sort());
    expect([validated, itemType]).toEqual([rows.length, "gtin"]);
  });

  it("are never corrected wrongly", () => {
    const after = repaired(rows, findings);
    const changed = after.filter((row, index) => JSON.stringify(row) !== JSON.stringify(rows[index]));
    expect(changed).toHaveLength(35);
    for (const [index, row] of after.entries()) {
      if (row.item !== rows[index]?.item) expect(row.item).toBe(meant[index]?.item);
      if (row.store !== rows[index]?.store) expect(row.store).toBe(meant[index]?.store);
    }
    expect(validate(after).findings.filter(({ sure }) => sure)).toEqual([]);
  });

  it("are left to a person if nothing confirms a correction", () => {
    const open = findings.filter(({ sure }) => !sure).map(({ fault }) => fault);
    expect(new Set(open)).toEqual(new Set(["wrong-check-digit", "nine-digits", "duplicate"]));
  });
});

describe("the validator", () => {
  it("proposes the GTIN of the column that is one digit away", () => {
    const [first = ""] = good;
    const twoChanged = `${first.slice(0, 9)}${first[10] ?? ""}${first[9] ?? ""}${first.slice(11)}`;
    const [finding] = ofItems(...good, twoChanged).findings;
    expect(finding).toMatchObject({
      fault: "wrong-check-digit",
      sure: false,
      changes: [{ field: "item", value: first }],
    });
  });

  it("proposes the check digits if nearly all are wrong", () => {
    const without = Array.from({ length: 20 }, (_, number) => gtinOf(number * 3).slice(1, -1));
    const { findings } = ofItems(...without.map((body) => `00${body.slice(1)}`));
    const leftOut = findings.filter(({ fault }) => fault === "check-digit-left-out");
    expect(leftOut.length).toBeGreaterThan(14);
    for (const { row, changes, sure } of leftOut) {
      expect(sure).toBe(false);
      expect(changes).toEqual([{ field: "item", value: gtinOf(row * 3) }]);
    }
  });

  it("doesn't change a GTIN if the similar one has a wrong check digit", () => {
    const [finding] = ofItems(...good, "OOO12345678901").findings;
    expect(finding).toMatchObject({ fault: "letter-for-digit", sure: false });
  });

  it("recognizes a column of item numbers, and finds the GTIN among them", () => {
    const { itemType, findings } = ofItems(
      551234567,
      551234568,
      "551234569",
      "55123456O",
      "00012345678905",
      5512,
    );
    expect(itemType).toBe("wm_item_number");
    expect(findings.map(({ row, fault, sure }) => [row, fault, sure])).toEqual([
      [0, "mixed-types", true],
      [1, "mixed-types", true],
      [3, "letter-for-digit", true],
      [4, "gtin-among-item-numbers", false],
      [5, "unusual-length", false],
    ]);
  });

  it("swaps store and item back", () => {
    const { findings } = validate([
      { store: 1234, item: gtinOf(0) },
      { store: gtinOf(1), item: 2045 },
    ]);
    expect(findings).toEqual([
      expect.objectContaining({
        row: 1,
        fault: "swapped",
        sure: true,
        changes: [
          { field: "store", value: 2045 },
          { field: "item", value: gtinOf(1) },
        ],
      }),
    ]);
  });

  it.each<[string, PlainValue, string | number | null, boolean]>([
    ["Store 1234", "Store 1234", 1234, true],
    ["a name with a number", "Region 1234", 1234, false],
    ["thousands", "1,234", 1234, true],
    ["a fraction", "12/34", 1234, false],
    ["other letters", "S234", 5234, false],
    ["a minus", -1234, 1234, false],
    ["too long", 1234567, null, false],
    ["decimals", "1234.00", 1234, true],
  ])("puts a store right only where nothing but its spelling changes: %s", (_name, store, meant, sure) => {
    const [finding] = validate([{ store, item: gtinOf(0) }]).findings;
    expect(finding?.changes).toEqual(meant === null ? [] : [{ field: "store", value: meant }]);
    expect(finding?.sure).toBe(sure);
  });

  it("is sure of a correction to a store of the column", () => {
    const { findings } = validate([
      { store: 5234, item: gtinOf(0) },
      { store: "S234", item: gtinOf(1) },
    ]);
    expect(findings).toEqual([expect.objectContaining({ fault: "letter-for-digit", sure: true })]);
  });

  it("isn't sure about eight digits that are also a valid UPC-E", () => {
    const { findings } = ofItems("00012345678905", "00000284", "00000352", "96385074");
    expect(findings.map(({ row, fault, sure }) => [row, fault, sure])).toEqual([
      [1, "zeros-missing", false],
      [2, "zeros-missing", false],
      [3, "zeros-missing", true],
    ]);
    expect(findings[0]?.advice).toMatch(/may also be a UPC-E, short for 00000002000084/);
  });

  it("is never sure about a negative number", () => {
    const { findings } = validate([
      { store: 1234, item: gtinOf(0) },
      { store: -1234, item: gtinOf(1) },
      { store: 1234, item: -Number(gtinOf(2)) },
      { store: 1234, item: `-${gtinOf(3)}` },
    ]);
    expect(findings.map(({ row, fault, sure }) => [row, fault, sure])).toEqual([
      [1, "negative", false],
      [2, "negative", false],
      [3, "negative", false],
    ]);
    const { findings: ofNumbers } = ofItems(551234567, 551234568, 551234569, -551234567);
    expect(ofNumbers.at(-1)).toMatchObject({ fault: "negative", sure: false });
  });

  it("reports an error in a cell, and nothing in blank rows", () => {
    const { findings, validated } = validate([
      { store: null, item: null },
      { store: " ", item: 0 },
      { store: 1234, item: "#REF!" },
    ]);
    expect(validated).toBe(1);
    expect(findings).toEqual([expect.objectContaining({ row: 2, fault: "sheet-error", changes: [] })]);
  });

  it("finds repeated stores and items in any spelling, with the row that they repeat", () => {
    const { findings } = validate([
      { store: 1234, item: "00012345678905" },
      { store: "01234", item: 12345678905 },
      { store: 2045, item: "00012345678905" },
    ]);
    expect(findings.find(({ fault }) => fault === "duplicate")).toMatchObject({ row: 1, sameAs: 0 });
    expect(findings.filter(({ row }) => row === 2)).toEqual([]);
  });

  it("has a title for every fault it finds", () => {
    for (const title of Object.values(faultTitles)) expect(title.length).toBeGreaterThan(3);
  });
});

describe("in any column", () => {
  const cell = fc.oneof(
    fc.string(),
    fc.double({ noNaN: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );
  const digits = fc.string({ unit: fc.constantFrom(...Array.from("0123456789OIlSB-. ,")), maxLength: 18 });
  const anyCell = fc.oneof(cell, digits);

  it("INV reads sure corrections, and they leave no other sure corrections", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ store: anyCell, item: anyCell }), { maxLength: 12 }), (rows) => {
        const { findings, itemType } = validate(rows);
        for (const { changes, sure } of findings) {
          for (const { field, value } of sure ? changes : []) {
            if (field === "store") expect(parseStoreNumber(value)).toBe(Number(value));
            else if (itemType === "gtin") expect(parseGtin(value)).toBe(value);
          }
        }
        const after = repaired(rows, findings);
        const again = validate(after, itemType).findings.filter(
          ({ sure, fault }) => sure && fault !== "mixed-types",
        );
        expect(again).toEqual([]);
      }),
    );
  });

  it("a GTIN with a usual error is corrected to itself, or not at all", () => {
    const body = fc.string({
      unit: fc.constantFrom(...Array.from("0123456789")),
      minLength: 13,
      maxLength: 13,
    });
    const error = fc.constantFrom<(gtin: string) => PlainValue>(
      (gtin) => gtin.replace(/^0+/, ""),
      (gtin) => Number(gtin),
      (gtin) => gtin.replace(/0/g, "O"),
      (gtin) => gtin.replace("1", "I"),
      (gtin) => ` ${gtin}\u00A0`,
      (gtin) => `${gtin.slice(0, 1)}-${gtin.slice(1, 7)}-${gtin.slice(7)}`,
      (gtin) => `(01)${gtin}`,
      (gtin) => `0${gtin}`,
      (gtin) => `-${gtin}`,
      (gtin) => `${gtin}.0`,
    );
    fc.assert(
      fc.property(body, error, (start, spoil) => {
        fc.pre(Number(start) > 100_000_000);
        const gtin = `${start}${checkDigitOf(start)}`;
        const { findings } = ofItems(...good, spoil(gtin));
        for (const { sure, changes } of findings) {
          if (sure) expect(changes).toEqual([{ field: "item", value: gtin }]);
        }
      }),
    );
  });
});
