/**
 * What Excel calls for a cell, and what people would have it call in its place: INV.QTY as the add-in registers it,
 * and one scalar function per cell over each batching peer, as the guides show it, with its checks left out. The
 * host's part is the same for all and counted with each: the arguments, and INV's address of the cell. And INV.QTY once
 * for a whole grid.
 */
import { createCellRegister, type CellRegister } from "../../src/cells/cell-register";
import type { Engine } from "../../src/engine/types";
import { qty } from "../../src/functions/catalogue/inventory";
import { createOutlet } from "../../src/functions/outlet";
import { createTimeSlices, openSession } from "../../src/functions/session";
import {
  connectedEngine,
  contenders,
  quantityIn,
  type Contender,
  type Entry,
  type Setting,
} from "./contenders";
import { gridWorkload, type Cell } from "./workloads";

export const functions: readonly Entry[] = [
  { id: "qty", title: "INV.QTY", create: createQty },
  { id: "qty-window", title: "scalar function, 100 ms window", create: scalarOver("window") },
  { id: "qty-tick", title: "scalar function, dataloader", create: scalarOver("tick") },
  { id: "grid", title: "one INV.QTY of 1,000 items x 100 stores", create: createGrid },
];

/** Excel hands over null for what was left out. */
export const leftOut = [null, null, null] as unknown as [unknown[][], unknown[][], unknown[][]];

/**
 * The functions as the add-in opens them, over an engine of their own. How long a turn has been goes by real time, as in a
 * page: it is what the sheet's processor time decides.
 */
export function openFunctions(
  setting: Setting,
  steadyNow = () => performance.now(),
): { readonly engine: Engine; readonly cells: CellRegister } {
  const { clock } = setting;
  const engine = connectedEngine(setting);
  const cells = createCellRegister({ clock });
  openSession({
    engine,
    cells,
    timeSlices: createTimeSlices({ nextTurn: clock.nextTurn, steadyNow }, (caughtUp) =>
      engine.gather(caughtUp),
    ),
    outlet: createOutlet(clock),
    eventTypesSeen: new Set(),
    now: () => clock.now(),
    steadyNow: () => clock.steadyNow(),
    formatsTimes: true,
    environmentId: () => "bench",
  });
  return { engine, cells };
}

function createQty(setting: Setting): Contender {
  const { engine } = openFunctions(setting);
  return {
    ask: ({ store, gtin }: Cell, row) => qty([[store]], [[gtin]], ...leftOut, invocationOf(row + 1)),
    quantity: (result) => Number((result as unknown[][])[0]?.[0]),
    prepare: () => engine.testConnection(),
  };
}

/** Of which a result's quantity is how many of its values are numbers. */
function createGrid(setting: Setting): Contender {
  const { prepare, ask } = createQty(setting);
  const { cells } = gridWorkload();
  const stores = [...new Set(cells.map(({ store }) => store))];
  const gtins = [...new Set(cells.map(({ gtin }) => gtin))];
  return {
    ask,
    askGrid: () =>
      qty(
        [[...stores]],
        gtins.map((gtin) => [gtin]),
        ...leftOut,
        invocationOf(1),
      ),
    quantity: (result) => (result as unknown[][]).flat().filter((value) => typeof value === "number").length,
    prepare,
  };
}

/** Joined, since a text that is only concatenated would be held twice. */
function invocationOf(row: number): CustomFunctions.Invocation {
  return { address: ["Sheet1!C", row].join("") };
}

function scalarOver(peer: string): Entry["create"] {
  return (setting) => contenders.find(({ id }) => id === peer)!.create({ ...setting, read: quantityIn });
}
