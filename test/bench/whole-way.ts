/**
 * What Excel calls for a cell: INV.QTY as the add-in registers it, and for comparison one scalar function per cell over each
 * peer, as the guides show it. INV's part includes what the host creates for it: matrices of one value and the cell's
 * address.
 */
import { createCellRegister } from "../../src/cells/cell-register";
import { anyItem } from "../../src/engine/test-connection";
import type { Engine } from "../../src/engine/types";
import { qty } from "../../src/functions/catalogue/inventory";
import { createResultThrottle } from "../../src/functions/result-throttle";
import { startFunctions } from "../../src/functions/context";
import { createTimeSlices } from "../../src/functions/time-slices";
import { connectedEngine, contenders, type Contender, type Create, type Setting } from "./contenders";
import type { Cell } from "./workloads";

/** What Excel calls for a cell, by the name under which each is measured. */
export const functions: Readonly<Record<string, Create>> = {
  qty: createQty,
  "qty-dataloader": contenders["dataloader-100"]!,
  "qty-window": contenders["window-100"]!,
};

/** Excel passes null for omitted arguments. */
const leftOut = [null, null, null] as unknown as [unknown[][], unknown[][], unknown[][]];

/**
 * Starts the functions as the add-in does, over an engine of their own. The length of a turn is real time, as in a page,
 * because the sheet's processor time determines it.
 */
function openFunctions(setting: Setting): Engine {
  const { clock } = setting;
  const engine = connectedEngine(setting);
  startFunctions({
    engine,
    cells: createCellRegister({ clock }),
    timeSlices: createTimeSlices(
      { nextTurn: clock.nextTurn, steadyNow: () => performance.now() },
      engine.expectMore,
    ),
    throttle: createResultThrottle(clock),
    eventTypesSeen: new Set(),
    now: () => clock.now(),
    steadyNow: () => clock.steadyNow(),
    formatsTimes: true,
    showsCards: false,
    environmentId: () => "bench",
  });
  return engine;
}

function createQty(setting: Setting): Contender {
  const engine = openFunctions(setting);
  return {
    ask: ({ store, gtin }: Cell, row) => qty([[store]], [[gtin]], ...leftOut, invocationOf(row + 1)),
    quantity: (result) => Number((result as unknown[][])[0]?.[0]),
    prepare: () => engine.item(anyItem),
  };
}

/** Joined, because V8 would keep a concatenated text twice. */
function invocationOf(row: number): CustomFunctions.Invocation {
  return { address: ["Sheet1!C", row].join("") };
}
