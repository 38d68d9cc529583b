/** A freezer of one page, over any workbook of a test. */
import { createCellRegister } from "../../../src/cells/cell-register";
import { createFreezer } from "../../../src/workbook/frozen-formulas/freezer";
import type { Freezer, FreezerOptions } from "../../../src/workbook/frozen-formulas/freezer-types";
import type { Workbook } from "../../../src/workbook/port";
import { createVirtualClock } from "../../helpers/virtual-clock";

/** Defaults: the demo, a register without cells, and nothing that waits. */
export function freezerOf(workbook: Workbook, changes: Partial<FreezerOptions> = {}): Freezer {
  // Each freezer has its own random numbers, because each is a separate writer.
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
