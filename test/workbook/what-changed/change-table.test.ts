/** The list of changes on a new sheet. */
import { createCellRegister } from "../../../src/cells/cell-register";
import { writeChangeSheet } from "../../../src/workbook/what-changed/change-table";
import type { ChangedCell, ValueChange } from "../../../src/workbook/what-changed/report";
import { createVirtualClock } from "../../helpers/virtual-clock";
import { createMemoryWorkbook } from "../memory-workbook";

const place = { sheet: "Plan", row: 1, col: 2 };
const change = (given: Partial<ValueChange>): ValueChange => ({
  ...{ ...place, store: "1234", item: "00012345678905" },
  ...{ before: 1, after: 2 },
  ...given,
});

it("writes a line for each value: items keep their zeros, and no text becomes a formula", async () => {
  const workbook = createMemoryWorkbook(["Plan"]);
  workbook.put({ ...place, col: 0 }, "=Cola");
  const cells = createCellRegister({ clock: createVirtualClock() });
  const grid: ChangedCell = {
    ...{ cell: place, of: 3 },
    values: [change({ before: "=A1", after: { error: "#N/A" } }), change({ row: 2, store: "", item: "" })],
  };
  workbook.valueOf = () => "=Cola";
  const sheet = await writeChangeSheet({ workbook, cells }, [grid], 0);
  expect(await workbook.read({ sheet, row: 0, col: 0, rows: 3, cols: 6 }, "formulas")).toEqual([
    ["Cell", "Store", "Item", "Text in the row", "Before", "After"],
    ["Plan!C2", 1234, "00012345678905", "=Cola", "=A1", "#N/A"],
    ["Plan!C3", null, "", "", 1, 2],
  ]);
  expect((await workbook.findFormulas(() => true)).map((cell) => cell.sheet)).toEqual(["Plan"]);
});
