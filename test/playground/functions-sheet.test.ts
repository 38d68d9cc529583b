/** The sheet that shows every function live. */
import { buildFunctionsSheet, readFunctionsHelp } from "../../src/playground/functions-sheet";
import { createMemoryWorkbook } from "../workbook/memory-workbook";

const help = readFunctionsHelp({
  functions: [
    entry("INV.EVENTS", ["store", "start_date", "headers"]),
    entry("INV.QTY", ["store"]),
    entry("INV.STOCK", ["store", "headers"]),
    entry("INV.ENV", []),
    { name: "INV.NOTHING", description: "", arguments: [], live: "" },
  ],
});

function entry(name: string, parameters: string[]) {
  return {
    name,
    description: name,
    arguments: parameters.map((one) => ({ name: one })),
    live: `=${name}(1)`,
  };
}

test("each function with a live formula has a row with the formula and its text beside it", async () => {
  const workbook = createMemoryWorkbook();
  const { sheet, resultOf } = await buildFunctionsSheet(workbook, help);
  for (const name of ["QTY", "STOCK", "EVENTS", "ENV"]) {
    const result = resultOf(name.toLowerCase());
    if (result === null) throw new Error(`${name} has no row.`);
    const [row] = await workbook.read({ ...result, sheet, col: 0, cols: 4 }, "formulas");
    expect(row).toEqual([
      `INV.${name}`,
      `INV.${name}`,
      `=FORMULATEXT(D${result.row + 1})`,
      `=INV.${name}(1)`,
    ]);
  }
  expect(resultOf("NOTHING")).toBeNull();
  expect(resultOf("")).toBeNull();
});

test("tables have room to spill: single values stand first, a table of unknown length last", async () => {
  const { resultOf } = await buildFunctionsSheet(createMemoryWorkbook(), help);
  const row = (name: string) => resultOf(name)?.row ?? -1;
  expect([row("QTY"), row("ENV"), row("STOCK")]).toEqual([1, 2, 3]);
  expect(row("EVENTS") - row("STOCK")).toBeGreaterThan(25);
});

test("a file that is no list of functions is refused with what to do", () => {
  expect(() => readFunctionsHelp({})).toThrow(/Build the add-in again/);
});
