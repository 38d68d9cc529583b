/** functions.json, as the build writes it, is what the browser workbook registers. */
import { readFunctionsFile } from "../../../src/browser-workbook/functions/functions-file";

test("functions, their parameters and whether errors reach them are read", () => {
  const single = { description: "", type: "any", matrix: false, optional: false };
  const file = readFunctionsFile({
    allowErrorForDataTypeAny: true,
    enums: [
      {
        id: "A",
        type: "string",
        values: [{ stringValue: "STORE", tooltip: "Shelf" }, { stringValue: "ALL" }],
      },
    ],
    functions: [
      {
        id: "QTY",
        name: "QTY",
        description: "Quantity",
        parameters: [
          { name: "store", description: "Number", type: "any", dimensionality: "matrix" },
          { name: "location_area", customEnumId: "A" },
          { name: "headers", type: "boolean", optional: true },
        ],
      },
    ],
  });
  expect(file.errorsReachFunctions).toBe(true);
  expect(file.functions[0]?.parameters).toEqual([
    { name: "store", description: "Number", type: "any", matrix: true, optional: false, words: [] },
    {
      ...single,
      name: "location_area",
      words: [
        { word: "STORE", meaning: "Shelf" },
        { word: "ALL", meaning: "" },
      ],
    },
    { name: "headers", description: "", type: "boolean", matrix: false, optional: true, words: [] },
  ]);
});

test.each([null, "text", {}, { functions: 1 }, { functions: [{}] }])(
  "%p is refused with what to do",
  (json) => {
    expect(() => readFunctionsFile(json)).toThrow(/Build the add-in again/);
  },
);
