/** Each place of a range formula shows what a formula for only that place shows, for any shape of its arguments. */
import { fc } from "../helpers/properties";
import { qty } from "../../src/functions/catalogue/inventory";
import { startFunctions } from "../../src/functions/context";
import { fakeContext, found, none, record, shownBy, withHost } from "./fakes";

withHost();

const cells = {
  store: [1234, "1234", " 0099", 0, null, "x", "#N/A"],
  item: ["00012345678905", 12345678905, "123456789", "", "12345"],
  area: ["STORE", "all", null, "x"],
  state: ["AVAILABLE", "net available", null],
  type: ["gtin", "wm_item_number", null, "x"],
};

/** A column, a row, or one value. */
const argument = (usual: readonly unknown[]) =>
  fc.oneof(
    fc.array(fc.constantFrom(...usual), { minLength: 3, maxLength: 3 }).map((all) => all.map((one) => [one])),
    fc.array(fc.constantFrom(...usual), { minLength: 2, maxLength: 2 }).map((all) => [all]),
    fc.constantFrom(...usual).map((one) => [[one]]),
  );

const at = (matrix: unknown[][], row: number, col: number): unknown[][] => {
  const line = matrix[matrix.length === 1 ? 0 : row] ?? [];
  return [[line[line.length === 1 ? 0 : col]]];
};

it("a place of a range formula shows and names what a formula of its own would", async () => {
  const calculate = async (given: unknown[][][]) => {
    const context = fakeContext();
    context.engine.answerItem = ({ storeNumber, itemType, value }) =>
      storeNumber === 99 ? none("not-mapped", `${itemType} ${value}`) : found(record());
    startFunctions(context);
    const [store = [], item = [], ...rest] = given;
    const shown = await shownBy(qty(store, item, ...(rest as [unknown[][], unknown[][], unknown[][]])));
    const told = context.cells.problemList
      .recent()
      .map(({ store, item, error }) => [store, item, error.message]);
    return { shown, told: new Set(told.map((one) => one.join())) };
  };
  const anyArguments = fc.tuple(...Object.values(cells).map(argument));
  await fc.assert(
    fc.asyncProperty(anyArguments, async (given) => {
      const ranged = await calculate(given);
      const rows = Array.isArray(ranged.shown) ? (ranged.shown as unknown[][]) : [[ranged.shown]];
      const told = new Set<string>();
      for (const [row, values] of rows.entries()) {
        for (const [col, value] of values.entries()) {
          const alone = await calculate(given.map((matrix) => at(matrix, row, col)));
          expect(value).toEqual(alone.shown);
          for (const one of alone.told) told.add(one);
        }
      }
      expect(ranged.told).toEqual(told);
    }),
    { numRuns: 100 },
  );
});
