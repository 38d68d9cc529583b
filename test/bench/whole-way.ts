/**
 * What Excel calls for a cell, and what people would have it call in its place: INV.QTY as the add-in registers it,
 * and one scalar function per cell over each batching peer, as the guides show it, with its checks left out. The
 * host's part is the same for all and counted with each: the arguments, and INV's address of the cell.
 */
import { createCellRegister } from "../../src/cells/cell-register";
import { qty } from "../../src/functions/catalogue/inventory";
import { createOutlet } from "../../src/functions/outlet";
import { openSession } from "../../src/functions/session";
import { createTimeSlices } from "../../src/functions/time-slices";
import {
  connectedEngine,
  contenders,
  quantityIn,
  type Contender,
  type Entry,
  type Setting,
} from "./contenders";
import type { Cell } from "./workloads";

export const functions: readonly Entry[] = [
  { id: "qty", title: "INV.QTY", create: createQty },
  { id: "qty-window", title: "scalar function, 100 ms window", create: scalarOver("window") },
  { id: "qty-tick", title: "scalar function, dataloader", create: scalarOver("tick") },
];

/** A function in which ranges make a grid. */
export interface GridFunction {
  readonly contender: Contender;
  /** One formula of all stores, across, and all items, down. */
  askGrid(stores: readonly number[], gtins: readonly string[]): Promise<unknown[][]>;
}

export function createGridFunction(setting: Setting): GridFunction {
  const contender = createQty(setting);
  return {
    contender,
    askGrid: (stores, gtins) =>
      qty(
        [[...stores]],
        gtins.map((gtin) => [gtin]),
        ...leftOut,
        invocationOf(1),
      ),
  };
}

/** Excel hands over null for what was left out. */
const leftOut = [null, null, null] as unknown as [unknown[][], unknown[][], unknown[][]];

function createQty(setting: Setting): Contender {
  const engine = connectedEngine(setting);
  let cells = 0;
  openSession({
    engine,
    cells: createCellRegister({ clock: setting.clock }),
    // By real time, as in a page: how long a turn has been is what the sheet's processor time decides.
    timeSlices: createTimeSlices(
      { nextTurn: setting.clock.nextTurn, steadyNow: () => performance.now() },
      (caughtUp) => engine.gather(caughtUp),
    ),
    outlet: createOutlet(setting.clock),
    eventTypesSeen: new Set(),
    now: () => setting.clock.now(),
    steadyNow: () => setting.clock.steadyNow(),
    formatsTimes: true,
    environmentId: () => "bench",
  });
  return {
    ask: ({ store, gtin }: Cell) => qty([[store]], [[gtin]], ...leftOut, invocationOf(++cells)),
    quantity: (result) => Number((result as unknown[][])[0]?.[0]),
    prepare: () => engine.testConnection(),
  };
}

/** Joined, since a text that is only concatenated would be held twice. */
function invocationOf(row: number): CustomFunctions.Invocation {
  return { address: ["Sheet1!C", row].join("") };
}

function scalarOver(peer: string): Entry["create"] {
  return (setting) => contenders.find(({ id }) => id === peer)!.create({ ...setting, read: quantityIn });
}
