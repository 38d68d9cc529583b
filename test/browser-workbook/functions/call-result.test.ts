/** Converts what functions return and throw to what cells show. */
import {
  CustomFunctionError,
  readThrown,
  readResult,
} from "../../../src/browser-workbook/functions/call-result";

test.each([0, -1.5, "", "00012345678905", true, false])("shows a single %p unchanged", (value) => {
  expect(readResult(value)).toEqual({ kind: "value", value });
});

test("shows 0 for null and undefined, as Excel does", () => {
  expect(readResult(null)).toEqual({ kind: "value", value: 0 });
  expect(readResult(undefined)).toEqual({ kind: "value", value: 0 });
});

test("shows #VALUE! for NaN and #NUM! for infinity", () => {
  expect(readResult(Number.NaN)).toMatchObject({ value: { error: "#VALUE!" } });
  expect(readResult(Number.POSITIVE_INFINITY)).toMatchObject({ value: { error: "#NUM!" } });
});

test("spills rows, fills short rows with blanks, and keeps a single cell's error", () => {
  const returned = [[1, 2, 3], [new CustomFunctionError("#N/A", "No data found")], [4, "x"]];
  expect(readResult(returned)).toEqual({
    kind: "rows",
    rows: [
      [1, 2, 3],
      [{ error: "#N/A", reason: "No data found" }, "", ""],
      [4, "x", ""],
    ],
  });
});

test("keeps the number format of a formatted number", () => {
  const date = { type: "Double", basicType: "Double", basicValue: 46345.5, numberFormat: "yyyy-mm-dd hh:mm" };
  expect(readResult([[date]])).toEqual({
    kind: "value",
    value: { number: 46345.5, format: "yyyy-mm-dd hh:mm" },
  });
  expect(readResult({ ...date, numberFormat: undefined })).toEqual({ kind: "value", value: 46345.5 });
});

test("shows one row of one value as that value", () => {
  expect(readResult([[7]])).toEqual({ kind: "value", value: 7 });
});

test.each([[[]], [[[]]]])("shows #CALC! for no rows: %p", (returned) => {
  expect(readResult(returned)).toMatchObject({ kind: "value", value: { error: "#CALC!" } });
});

test("returns a reason for a value that no cell can show", () => {
  expect(readResult({ type: "Entity" })).toMatchObject({
    value: { error: "#VALUE!", reason: expect.any(String) as string },
  });
});

test("keeps the code and reason of an error from another realm", () => {
  expect(readThrown({ code: "#N/A", message: "GTIN not mapped to the supplier" })).toEqual({
    kind: "value",
    value: { error: "#N/A", reason: "GTIN not mapped to the supplier" },
  });
});

test("shows #VALUE! for errors that only formulas may return", () => {
  expect(readThrown({ code: "#REF!", message: "" })).toEqual({
    kind: "value",
    value: { error: "#VALUE!", reason: null },
  });
});

test.each([new Error("secret detail"), "text", null, undefined, { code: "constructor" }])(
  "shows #VALUE! without its text for anything else thrown: %p",
  (thrown) => {
    const result = readThrown(thrown);
    expect(result).toMatchObject({ value: { error: "#VALUE!" } });
    expect(JSON.stringify(result)).not.toContain("secret");
  },
);
