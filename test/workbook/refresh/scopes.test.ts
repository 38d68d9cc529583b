/** A target keeps its cell's register entry, and no other. */
import { createCellRegister } from "../../../src/cells/cell-register";
import { invCellOf } from "../../../src/workbook/refresh/scopes";
import { createVirtualClock } from "../../helpers/virtual-clock";

const bare = "My plan!A1";
const quoted = "'My plan'!A1";

function calculated(address: string) {
  const cells = createCellRegister({ clock: createVirtualClock() });
  cells.begin(address, "demo").settled();
  const ref = { sheet: "My plan", row: 0, col: 0, formula: "=INV.ENV()" };
  const target = { ref, address: bare, invCell: cells.get(bare) };
  return { cells, target };
}

it.each([bare, quoted])("is found under %s, in any spelling", (address) => {
  const { cells, target } = calculated(address);
  expect(invCellOf(cells, target)).toBe(cells.get(address));
});

it("is looked up again after its cell was forgotten", () => {
  const { cells, target } = calculated(bare);
  invCellOf(cells, target);
  cells.forget([bare]);
  expect(invCellOf(cells, target)).toBeUndefined();
  cells.begin(quoted, "demo").settled();
  expect(invCellOf(cells, target)).toBe(cells.get(quoted));
});
