/** Quantities, times and identifiers of a response. */
import {
  createIdentifierIndex,
  gtinText,
  sameIdentifier,
  quantitySchema,
  readUtcMs,
} from "../../src/api/values";
import { fc } from "../helpers/properties";

/** The quantity, or null if the value is refused. */
function readQuantity(value: unknown): number | null {
  return quantitySchema.safeParse(value).data ?? null;
}

describe("a quantity", () => {
  it.each([
    ["12", 12],
    ["12.0", 12],
    ["-3.50", -3.5],
    ["007", 7],
    ["0", 0],
    ["-0", 0],
    [0, 0],
    [-0, 0],
    [4.25, 4.25],
  ])("reads %j as %d", (value, quantity) => {
    expect(Object.is(readQuantity(value), quantity)).toBe(true);
  });

  it.each([
    ["", null, undefined, " ", " 5", "5 ", "1,5", "1e3", "+1", ".5", "5.", "0x10", "NaN", "Infinity"],
    [NaN, Infinity, "9".repeat(400), true, false, [], [5], {}, "١٢"],
  ])("refuses everything else", (...values) => {
    expect(values.map((value) => readQuantity(value))).toEqual(values.map(() => null));
  });

  it("reads every decimal as Number does, to the last bit", () => {
    const decimals = fc.stringMatching(/^-?\d{1,18}(\.\d{1,9})?$/);
    fc.assert(
      fc.property(decimals, (text) => {
        expect(readQuantity(text)).toBe(Number(text) + 0);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("readUtcMs", () => {
  it.each([
    ["2026-11-18T04:05:06", "2026-11-18T04:05:06.000Z"],
    ["2026-11-18T04:05:06Z", "2026-11-18T04:05:06.000Z"],
    ["2026-11-18T04:05:06.789", "2026-11-18T04:05:06.789Z"],
    ["2026-11-18T04:05:06.123456Z", "2026-11-18T04:05:06.123Z"],
    ["2026-11-18 04:05:06", "2026-11-18T04:05:06.000Z"],
    ["2026-11-18T04:05", "2026-11-18T04:05:00.000Z"],
    ["2026-11-18T04:05:06+05:30", "2026-11-17T22:35:06.000Z"],
    ["2026-11-18T04:05:06-0600", "2026-11-18T10:05:06.000Z"],
    ["2024-02-29T00:00:00", "2024-02-29T00:00:00.000Z"],
  ])("reads %s as UTC", (text, iso) => {
    expect(readUtcMs(text)).toBe(Date.parse(iso));
  });

  it.each([
    ["2026-02-29T00:00:00", "2026-13-01T00:00:00", "2026-00-10T00:00:00", "2026-11-18T24:00:00"],
    ["2026-11-18", "18.11.2026 04:05", "", "yesterday", 1_763_438_706, null, undefined, {}],
  ])("returns null for anything else", (...values) => {
    expect(values.map(readUtcMs)).toEqual(values.map(() => null));
  });

  it("reads any time without a zone to the millisecond", () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date("2999-12-31"), noInvalidDate: true }), (date) => {
        expect(readUtcMs(date.toISOString().replace("Z", ""))).toBe(date.getTime());
      }),
    );
  });
});

describe("identifiers", () => {
  it("finds a value by its exact spelling, as a number, and without its leading zeros", () => {
    const index = createIdentifierIndex(["00012345678905", "00000000000017"]);
    const spellings = ["00012345678905", 12345678905, "12345678905", " 012345678905 ", 17];
    expect(spellings.map((spelling) => index.find(spelling))).toEqual([0, 0, 0, 0, 1]);
  });

  it("finds nothing for other values", () => {
    const index = createIdentifierIndex(["00012345678905", "0"]);
    const strangers = ["12345678906", "", null, undefined, 1.5, {}, [], true];
    expect(strangers.map((stranger) => index.find(stranger))).toEqual(strangers.map(() => -1));
  });

  it("finds values that differ only in leading zeros by their exact spelling", () => {
    const index = createIdentifierIndex(["012345678", "12345678"]);
    expect(["012345678", "12345678", "0012345678"].map((text) => index.find(text))).toEqual([0, 1, -1]);
  });

  it("compares store numbers and GTINs across text and number", () => {
    expect(sameIdentifier("0123", 123)).toBe(true);
    expect(sameIdentifier("", 0)).toBe(false);
    expect(sameIdentifier(null, null)).toBe(false);
    expect([gtinText(12345678905), gtinText("00012345678905"), gtinText(null), gtinText("")]).toEqual([
      "00012345678905",
      "00012345678905",
      null,
      null,
    ]);
  });
});
