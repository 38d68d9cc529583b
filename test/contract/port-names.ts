/**
 * The port's visible names, for the tests of both adapters: Office.js in Node and the browser workbook in Chromium. `tryNames` runs
 * beside the port, so it refers to nothing outside itself.
 */
import type { Workbook } from "../../src/workbook/port";

const formula = "=FILTER('Store list'!$A$1:$A$9,ROW('Store list'!$A$1:$A$9)>1,0)";

/** Needs a workbook without a sheet "Store list". */
export async function tryNames(port: Workbook): Promise<unknown> {
  const wanted = "=FILTER('Store list'!$A$1:$A$9,ROW('Store list'!$A$1:$A$9)>1,0)";
  const sheet = await port.addSheet("Store list");
  await port.write({ sheet, row: 0, col: 0, rows: 2, cols: 1 }, [["Store"], [1234]]);
  await port.addName("Stores_North", wanted);
  const refused = (name: string) =>
    port.addName(name, wanted).then(
      () => "accepted",
      () => "refused",
    );
  const again = [await refused("stores_NORTH"), await refused("a b"), await refused("TOP25")];
  const defined = (await port.names()).filter(({ name }) => name === "Stores_North");
  await port.deleteNames(["Stores_North"]);
  return { again, defined, remaining: (await port.names()).length };
}

export const namesExpected = {
  again: ["refused", "refused", "refused"],
  defined: [{ name: "Stores_North", sheet: null, formula }],
  remaining: 0,
};
