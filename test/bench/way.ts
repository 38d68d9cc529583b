/**
 * One cell, then one refresh of it, on a composed and connected add-in that has done nothing else: `way.mjs` counts the
 * files. The workbook contains one formula and calculates it when it is marked.
 */
import { qty } from "../../src/functions/catalogue/inventory";
import type { Workbook } from "../../src/workbook/port";
// The first refresh would load this chunk. What a file does while it loads doesn't count.
import "../../src/workbook/what-changed/chunk";
import { createRefresher } from "../../src/workbook/refresh/refresh";
import { createBench, find } from "./measure";
import { leftOut, openFunctions } from "./whole-way";

const formula = { sheet: "Sheet1", row: 0, col: 2, formula: "=INV.QTY(A1,B1)" };

export function createWays() {
  const { bench, setting } = createBench(find("qty", "a").workload);
  const { clock } = setting;
  const { engine, cells } = openFunctions(setting, () => clock.steadyNow());
  const calculate = () => qty([[1001]], [["00012345678905"]], ...leftOut, { address: "Sheet1!C1" });
  const workbook: Partial<Workbook> = {
    names: () => Promise.resolve([]),
    findFormulas: () => Promise.resolve([formula]),
    recalculate: () => Promise.resolve(void calculate()),
    onSelection: () => () => undefined,
    onEdit: () => undefined,
    read: () => Promise.resolve([[1]]),
  };
  const refresher = createRefresher({ workbook: workbook as Workbook, engine, cells, clock });
  const ended = async (work: Promise<unknown>): Promise<void> => {
    let isEnded = false;
    void work.then(() => (isEnded = true));
    await bench.loop.run(() => isEnded);
  };

  return {
    cell: () => ended(calculate()),
    async refresh(): Promise<void> {
      await ended(refresher.quote("workbook"));
      await ended(refresher.start("workbook"));
      if (refresher.state.phase !== "done") throw new Error(`The refresh has ${refresher.state.phase}.`);
    },
  };
}
