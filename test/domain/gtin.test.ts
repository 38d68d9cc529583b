/** GTINs as people enter them: padded, or refused with what to do. */
import { fc } from "../helpers/properties";
import { isInvError } from "../../src/domain/errors";
import { parseGtin } from "../../src/domain/identifiers";
import { checkDigitOf, diagnoseGtin } from "../../src/domain/gtin-hints";

function resultText(result: string | Error): string {
  return typeof result === "string" ? result : result.message;
}

describe("a GTIN", () => {
  it.each<[string, string | number, string]>([
    ["14 digits as they are", "00012345678905", "00012345678905"],
    ["13 digits", "0012345678905", "00012345678905"],
    ["12 digits", "012345678905", "00012345678905"],
    ["11 digits", "12345678905", "00012345678905"],
    ["10 digits", "1234567890", "00001234567890"],
    ["8 digits", "12345670", "00000012345670"],
    ["a number that lost its zeros", 12345678905, "00012345678905"],
    ["a number of 14 digits", 10012345678902, "10012345678902"],
    ["a leading apostrophe", "'00012345678905", "00012345678905"],
    ["spaces around", "  00012345678905 ", "00012345678905"],
    ["spaces between groups", "0 001234 567890 5", "00012345678905"],
    ["the spaces of web pages", "\u00A000012345678905\u200B\uFEFF", "00012345678905"],
  ])("is read from %s", (_name, input, gtin) => {
    expect(parseGtin(input)).toBe(gtin);
  });

  it.each<[string, string | number | boolean, RegExp]>([
    ["9 digits, which is an item number's length", "123456789", /wm_item_number/],
    ["9 digits as a number", 123456789, /wm_item_number/],
    ["7 digits", "1234567", /Digits are missing/],
    ["15 digits", "100012345678905", /More than 14 digits/],
    ["zeros too many", "000012345678905", /It has too many zeros\.$/],
    ["an application identifier", "(01)00012345678905", /keep only the GTIN, without \]C1 or \(01\)\.$/],
    ["an application identifier without brackets", "0100012345678905", /without the 01 before it\.$/],
    ["a scanner's prefix", "]C10100012345678905", /A scanner wrote it: keep only the GTIN/],
    ["a date as text", "2026-11-20", /It may be a date: select the cell with the GTIN\.$/],
    ["the letter O for a zero", "OOO12345678905", /letters in place of digits\.$/],
    ["hyphens", "0-001234-567890-5", /without separators\.$/],
    ["decimals", "12345678905.00", /without decimals\.$/],
    ["a number that lost its last digits", "1.23457E+13", /last digits are lost/],
    ["a number too large for Excel", 1e20, /Excel keeps 15 digits/],
    ["16 digits as a number", 1e15, /Excel keeps 15 digits of a number: enter it as text/],
    ["15 digits as a number", 100012345678905, /More than 14 digits/],
    ["a number beyond all digits", 1e21, /received "1e\+21"\. Excel keeps 15 digits/],
    ["a broken number", 12345678905.5, /It has decimals: look it up again/],
    ["a small broken number", 12.5, /received "12\.5"\. It has decimals: look it up again/],
    ["a negative number", -12345678905, /Leave out the minus sign\.$/],
    ["a negative text", "-12345678905", /Leave out the minus sign\.$/],
    ["a small negative number", -5, /received "-5"\. It is negative: look it up again/],
    ["a date", 46346, /It may be the date 2026-11-20: select the cell with the GTIN/],
    ["a date with a time", 46346.75, /received "46346\.75"\. It may be the date 2026-11-20/],
    ["a number of five digits that is no date of these days", 99999, /Digits are missing/],
    ["full-width digits", "\uFF10\uFF10\uFF10\uFF1112345678905".slice(0, 14), /digits 0 to 9\.$/],
    ["Arabic digits", "\u0661".repeat(14), /Write it with the digits 0 to 9\./],
    ["letters O and I", "OOOI2345678905", /letters in place of digits\.$/],
    ["a word", "Blood oil", /Write its digits only/],
    ["a truth value", true, /received "TRUE"\. Select the cell that contains its digits/],
  ])("is refused for %s, with what to do", (_name, input, advice) => {
    const result = parseGtin(input);
    expect(isInvError(result)).toBe(true);
    expect(resultText(result)).toMatch(advice);
    expect(resultText(result)).toMatch(/^item: expected a GTIN of 14 digits .* received "/);
  });

  it("doesn't advise wm_item_number for functions without an item type", () => {
    expect(resultText(parseGtin("123456789", "gtin"))).toMatch(/^gtin: .* this function takes GTINs only\.$/);
  });

  it("is 14 digits, or an error of under 200 characters that quotes at most 32", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.double(), fc.integer(), fc.string({ unit: "grapheme" })),
        (input) => {
          const result = parseGtin(input, "gtin");
          if (typeof result === "string") return /^\d{14}$/.test(result);
          return result.code === "bad-argument" && result.message.length < 200;
        },
      ),
    );
  });

  it("is the same without its leading zeros, down to the shortest length", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1_000_000_000n, max: 99_999_999_999_999n }), (digits) => {
        const gtin = String(digits).padStart(14, "0");
        expect(parseGtin(gtin)).toBe(gtin);
        expect(parseGtin(String(digits))).toBe(gtin);
        expect(parseGtin(Number(digits))).toBe(gtin);
      }),
    );
  });
});

describe("hints for a GTIN", () => {
  it("finds nothing wrong with a valid check digit, also without the leading zeros", () => {
    expect(diagnoseGtin("00012345678905")).toEqual({ gtin: "00012345678905", findings: [] });
    expect(diagnoseGtin(12345678905)).toEqual({ gtin: "00012345678905", findings: [] });
  });

  it("warns of a wrong check digit, and guesses no other item", () => {
    const advice = "Its check digit is not valid.";
    expect(diagnoseGtin("00012345678901")).toEqual({
      gtin: "00012345678901",
      findings: [{ fault: "wrong-check-digit", severity: "warning", advice }],
    });
  });

  it("names the letters that look like digits in any valid GTIN, and none of its digits", () => {
    const body = fc.string({
      unit: fc.constantFrom(...Array.from("0123456789")),
      minLength: 13,
      maxLength: 13,
    });
    fc.assert(
      fc.property(body, (digits) => {
        const gtin = `${digits}${checkDigitOf(digits)}`;
        const misread = gtin.replace("0", "O").replace("1", "l");
        const { findings } = diagnoseGtin(misread);
        if (misread === gtin) expect(findings).toEqual([]);
        else expect(findings[0]).toMatchObject({ fault: "letter-for-digit" });
        expect(findings[0]?.advice ?? "").not.toMatch(/\d/);
      }),
    );
  });

  it.each([
    ["0001234567890", 5],
    ["629104150021", 3],
    ["03600029145", 2],
  ])("computes the check digit of %s as %i", (body, digit) => {
    expect(checkDigitOf(body)).toBe(digit);
  });
});
