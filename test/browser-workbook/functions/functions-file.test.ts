/** The browser workbook registers functions.json as the build writes it. */
import { readFunctionsFile } from "../../../src/browser-workbook/functions/functions-file";

test("functions, their parameters and whether errors reach them are read", () => {
  const single = { description: "", type: "any", matrix: false, optional: false };
  const file = readFunctionsFile({
    allowErrorForDataTypeAny: true,
    functions: [
      {
        id: "QTY",
        name: "QTY",
        description: "Quantity",
        parameters: [
          { name: "store", description: "Number", type: "any", dimensionality: "matrix" },
          { name: "location_area" },
          { name: "headers", type: "boolean", optional: true },
        ],
      },
    ],
  });
  expect(file.errorsReachFunctions).toBe(true);
  expect(file.functions[0]?.parameters).toEqual([
    { name: "store", description: "Number", type: "any", matrix: true, optional: false },
    { ...single, name: "location_area" },
    { name: "headers", description: "", type: "boolean", matrix: false, optional: true },
  ]);
});

test.each([null, "text", {}, { functions: 1 }, { functions: [{}] }])(
  "%p is refused with what to do",
  (json) => {
    expect(() => readFunctionsFile(json)).toThrow(/Build the add-in again/);
  },
);
