/** One evaluation in a cell, from arguments to result, and the reason that people see for an error. */
import { createCellCalls, maxCells } from "../../../src/browser-workbook/functions/cell-calls";
import { createCustomFunctions } from "../../../src/browser-workbook/functions/custom-functions";
import { readFunctionsFile } from "../../../src/browser-workbook/functions/functions-file";
import { createSettledCalls } from "../../../src/browser-workbook/functions/settled-calls";

const place = { sheetId: "s", row: 4, col: 2 };

function setUp(implementation: (...given: unknown[]) => unknown) {
  const [description] = readFunctionsFile({
    functions: [
      { id: "QTY", name: "QTY", parameters: [{ name: "store", type: "any", dimensionality: "matrix" }] },
    ],
  });
  const functions = createCustomFunctions();
  functions.host.associate("QTY", implementation);
  const table = createSettledCalls();
  const calls = createCellCalls({ functions, table, addressOf: ({ row, col }) => `S!${row},${col}` });
  if (description === undefined) throw new Error("The file holds one function.");
  return { calls, table, description };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("shows #BUSY!, then the value, and passes the cell's address", async () => {
  const addresses: unknown[] = [];
  const { calls, description } = setUp((_store, invocation) => {
    addresses.push((invocation as { address: string }).address);
    return Promise.resolve([[5]]);
  });
  expect(calls.evaluate(description, place, [1234])).toEqual({
    kind: "value",
    value: { error: "#BUSY!", reason: null },
  });
  await turn();
  expect(calls.evaluate(description, place, [1234])).toEqual({ kind: "value", value: 5 });
  expect(addresses).toEqual(["S!4,2"]);
});

test("explains a wrong argument until the formula is corrected", async () => {
  const { calls, table, description } = setUp(() => 1);
  table.beginPass();
  calls.evaluate(description, place, []);
  await turn();
  expect(calls.evaluate(description, place, [])).toMatchObject({ value: { error: "#VALUE!" } });
  // Another call of the same formula leaves the reason.
  calls.evaluate(description, place, [1]);
  expect(calls.explain(place, "#VALUE!")).toBe("INV.QTY needs store, which is missing.");
  table.forget(place);
  calls.evaluate(description, place, [1]);
  await turn();
  expect(calls.explain(place, "#VALUE!")).toBeNull();
});

test("explains each spilled cell's own error", async () => {
  const { calls, description } = setUp(() => [
    [{ code: "#N/A", message: "No data found" }],
    [{ code: "#VALUE!", message: "Not a GTIN" }],
    [{ code: "#N/A", message: "Not mapped" }],
  ]);
  calls.evaluate(description, place, [1]);
  await turn();
  expect(calls.explain(place, "#N/A", { row: 0, col: 0 })).toBe("No data found");
  expect(calls.explain(place, "#VALUE!", { row: 1, col: 0 })).toBe("Not a GTIN");
  expect(calls.explain(place, "#N/A", { row: 2, col: 0 })).toBe("Not mapped");
  expect(calls.explain(place, "#DIV/0!", { row: 0, col: 0 })).toBeNull();
});

test("calls for at most 5,000 cells, and explains it, until there is room", async () => {
  const { calls, table, description } = setUp(() => 1);
  const at = (row: number) => ({ ...place, row });
  for (let row = 0; row < maxCells; row += 1) calls.evaluate(description, at(row), [row]);
  await turn();
  expect(calls.evaluate(description, at(maxCells - 1), [0])).toMatchObject({ value: { error: "#BUSY!" } });
  const refused = calls.evaluate(description, at(maxCells), [1]);
  expect(refused).toMatchObject({ value: { error: "#VALUE!" } });
  expect(calls.explain(at(maxCells), "#VALUE!")).toContain("at most 5,000 cells");
  expect(calls.explain(at(maxCells), "#DIV/0!")).toBeNull();
  table.forget(at(7));
  calls.evaluate(description, at(maxCells), [1]);
  await turn();
  expect(calls.evaluate(description, at(maxCells), [1])).toEqual({ kind: "value", value: 1 });
  expect(calls.explain(at(maxCells), "#VALUE!")).toBeNull();
});
