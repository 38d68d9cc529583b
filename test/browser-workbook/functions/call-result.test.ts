/** Converts what functions return and throw to what cells show. */
import {
  CustomFunctionError,
  readThrown,
  readResult,
} from "../../../src/browser-workbook/functions/call-result";

test.each([0, -1.5, "", "00012345678905", true, false])("a single %p stands as it is", (value) => {
  expect(readResult(value)).toEqual({ kind: "value", value });
});

test("null and undefined show 0, as in Excel", () => {
  expect(readResult(null)).toEqual({ kind: "value", value: 0 });
  expect(readResult(undefined)).toEqual({ kind: "value", value: 0 });
});

test("NaN is #VALUE!, an endless number #NUM!", () => {
  expect(readResult(Number.NaN)).toMatchObject({ value: { error: "#VALUE!" } });
  expect(readResult(Number.POSITIVE_INFINITY)).toMatchObject({ value: { error: "#NUM!" } });
});

test("rows spill, shorter ones are filled with blanks, and one bad row keeps its own error", () => {
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

test("a number that brings its format keeps both, and is a plain number without one", () => {
  const date = { type: "Double", basicType: "Double", basicValue: 46345.5, numberFormat: "yyyy-mm-dd hh:mm" };
  expect(readResult([[date]])).toEqual({
    kind: "value",
    value: { number: 46345.5, format: "yyyy-mm-dd hh:mm" },
  });
  expect(readResult({ ...date, numberFormat: undefined })).toEqual({ kind: "value", value: 46345.5 });
});

test("one row of one value is that value", () => {
  expect(readResult([[7]])).toEqual({ kind: "value", value: 7 });
});

test.each([[[]], [[[]]]])("no rows, %p, are #CALC!", (returned) => {
  expect(readResult(returned)).toMatchObject({ kind: "value", value: { error: "#CALC!" } });
});

test("a value no cell can show is an error with a reason", () => {
  expect(readResult({ type: "Entity" })).toMatchObject({
    value: { error: "#VALUE!", reason: expect.any(String) as string },
  });
});

test("a thrown error of another realm keeps its code and reason", () => {
  expect(readThrown({ code: "#N/A", message: "GTIN not mapped to the supplier" })).toEqual({
    kind: "value",
    value: { error: "#N/A", reason: "GTIN not mapped to the supplier" },
  });
});

test("errors that Excel takes from formulas only become #VALUE!", () => {
  expect(readThrown({ code: "#REF!", message: "" })).toEqual({
    kind: "value",
    value: { error: "#VALUE!", reason: null },
  });
});

test.each([new Error("secret detail"), "text", null, undefined, { code: "constructor" }])(
  "anything else thrown, %p, is #VALUE! and its text is not shown",
  (thrown) => {
    const result = readThrown(thrown);
    expect(result).toMatchObject({ value: { error: "#VALUE!" } });
    expect(JSON.stringify(result)).not.toContain("secret");
  },
);
