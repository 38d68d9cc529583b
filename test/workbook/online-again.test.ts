/** Cells that say INV is offline are calculated again once it is online. */
import { createCellRegister } from "../../src/cells/cell-register";
import { InvError } from "../../src/domain/errors";
import { createSource } from "../../src/domain/notices";
import { offlineError } from "../../src/engine/types";
import { askAgainOnline } from "../../src/workbook/online-again";
import { createVirtualClock } from "../helpers/virtual-clock";
import { createMemoryWorkbook } from "./memory-workbook";

it("only these, and only when INV goes online", () => {
  const clock = createVirtualClock();
  const cells = createCellRegister({ clock });
  const workbook = createMemoryWorkbook(["My plan"]);
  const settings = createSource({ offline: true });
  const refuse = (address: string, error: InvError): void => {
    const report = cells.begin(address, "demo");
    report.failed(error);
    report.settled();
  };
  refuse("'My plan'!C2", offlineError());
  refuse("'My plan'!C3", new InvError("service-down", "The service is down."));
  // A grid whose first item isn't mapped, and the second wasn't asked for.
  const grid = cells.begin("'My plan'!E2", "demo");
  grid.failed(new InvError("not-mapped", "Not mapped."));
  grid.failed(offlineError());
  grid.settled();
  const stale = cells.begin("'My plan'!C4", "demo");
  stale.answered(clock.now(), offlineError());
  stale.settled();
  askAgainOnline({ workbook, cells, settings });
  settings.set({ offline: true });
  expect(workbook.recalculated).toEqual([]);
  settings.set({ offline: false });
  settings.set({ offline: false });
  expect(workbook.recalculated).toEqual([
    [
      { sheet: "My plan", row: 1, col: 2 },
      { sheet: "My plan", row: 1, col: 4 },
    ],
  ]);
});
