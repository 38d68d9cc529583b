/**
 * The port's visible names, for the tests of both adapters: Office.js in Node and the browser workbook in Chromium. `tryNames` runs
 * beside the port, so it refers to nothing outside itself.
 */
import type { Workbook } from "../../src/workbook/port";

const formula = "=FILTER('INV lists'!$A$1:$A$9,ROW('INV lists'!$A$1:$A$9)>1,0)";

/** Needs a workbook without a sheet "INV lists". */
export async function tryNames(port: Workbook): Promise<unknown> {
  const column = {
    sheet: "INV lists",
    isNewSheet: true,
    name: "Stores_North",
    beside: [],
    cells: ["Stores_North", 1234],
    headingFormat: { bold: true },
    entryFormat: {},
    roomToGrow: 5,
    formulaFor: () => "=FILTER('INV lists'!$A$1:$A$9,ROW('INV lists'!$A$1:$A$9)>1,0)",
  };
  const refused = (name: string) =>
    port.addNamedColumn({ ...column, isNewSheet: false, name }).then(
      () => "accepted",
      () => "refused",
    );
  const heading = await port.addNamedColumn(column);
  const again = [await refused("stores_NORTH"), await refused("a b"), await refused("TOP25")];
  const defined = (await port.names()).filter(({ name }) => name === "Stores_North");
  const used = await port.usedArea("INV lists");
  await port.deleteNames(["Stores_North"]);
  return { heading, again, defined, used, remaining: (await port.names()).length };
}

export const namesExpected = {
  heading: { sheet: "INV lists", row: 0, col: 0 },
  again: ["refused", "refused", "refused"],
  defined: [{ name: "Stores_North", sheet: null, formula }],
  used: { sheet: "INV lists", row: 0, col: 0, rows: 2, cols: 1 },
  remaining: 0,
};
