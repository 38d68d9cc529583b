/**
 * What the workbook port says of names that people see, asked of each adapter: of Office.js in Node and of the browser
 * workbook in Chromium. The question runs where the port is, so it holds all that it needs.
 */
import type { Workbook } from "../../src/workbook/port";

const formula = "=FILTER('INV lists'!$A$1:$A$9,ROW('INV lists'!$A$1:$A$9)>1,0)";

/** On a workbook with the sheet "INV lists". */
export async function tryNames(port: Workbook): Promise<unknown> {
  const given = "=FILTER('INV lists'!$A$1:$A$9,ROW('INV lists'!$A$1:$A$9)>1,0)";
  const refused = (name: string) =>
    port.addName(name, given).then(
      () => "taken",
      () => "refused",
    );
  await port.addName("Stores_North", given);
  const again = [await refused("stores_NORTH"), await refused("a b"), await refused("TOP25")];
  const held = (await port.names()).filter(({ name }) => name === "Stores_North");
  await port.deleteNames(["Stores_North"]);
  return { again, held, left: (await port.names()).length };
}

export const namesExpected = {
  again: ["refused", "refused", "refused"],
  held: [{ name: "Stores_North", sheet: null, formula }],
  left: 0,
};
