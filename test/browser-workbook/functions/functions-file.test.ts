/** The browser workbook registers functions.json as the build writes it. */
import { readFunctionsFile } from "../../../src/browser-workbook/functions/functions-file";

const quantity = (parameters: readonly object[]) => ({
  functions: [{ id: "QTY", name: "QTY", description: "Quantity", parameters }],
});

test("reads functions and their parameters", () => {
  const store = { name: "store", description: "Number", type: "any", dimensionality: "matrix" };
  const headers = { name: "headers", type: "any", optional: true };
  expect(readFunctionsFile(quantity([store, headers]))[0]?.parameters).toEqual([
    { name: "store", description: "Number", isMatrix: true, optional: false },
    { name: "headers", description: "", isMatrix: false, optional: true },
  ]);
});

test("refuses a parameter whose arguments would have to be converted", () => {
  expect(() => readFunctionsFile(quantity([{ name: "days", type: "number" }]))).toThrow(
    /Build the add-in again/,
  );
});

test.each([null, "text", {}, { functions: 1 }, { functions: [{}] }])("refuses %p", (json) => {
  expect(() => readFunctionsFile(json)).toThrow(/Build the add-in again/);
});
