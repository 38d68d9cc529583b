/** A freezer of one page, over whatever workbook a test has. */
import { createCellRegister } from "../../../src/cells/cell-register";
import { createFreezer } from "../../../src/workbook/frozen-formulas/freezer";
import type { Freezer, FreezerOptions } from "../../../src/workbook/frozen-formulas/freezer-types";
import type { Workbook } from "../../../src/workbook/port";
import { createVirtualClock } from "../../helpers/virtual-clock";

/** Of the demo, with a register that knows no cell and nothing that waits, unless told otherwise. */
export function freezerOf(workbook: Workbook, changes: Partial<FreezerOptions> = {}): Freezer {
  // Nobody shares another's chance: each is a writer of its own.
  const clock = { ...createVirtualClock(), random: Math.random };
  const register = createCellRegister({ clock });
  return createFreezer({
    workbook,
    register,
    clock,
    waiting: () => 0,
    environmentId: () => "demo",
    ...changes,
  });
}
