/** Creates the parts of INV that need an open workbook: the refresher, and what follows the person's edits. */
import type { CellRegister } from "../cells/cell-register";
import type { Clock } from "../engine/clock";
import type { Engine } from "../engine/types";
import { followEdits } from "../workbook/edit-follower";
import type { FunctionPreview } from "../workbook/function-preview";
import type { Workbook } from "../workbook/port";
import { createEarlierValues } from "../workbook/refresh/earlier-values";
import { createRefresher } from "../workbook/refresh/refresh";
import type { Host } from "./host";

export function createWorkbookParts(
  workbook: Workbook,
  tools: {
    readonly host: Host;
    readonly engine: Engine;
    readonly cells: CellRegister;
    readonly clock: Clock;
    readonly functions: Pick<FunctionPreview, "queries">;
  },
) {
  const { host, engine, cells, clock, functions } = tools;
  workbook.onSelection(([{ sheet }]) => engine.preferSheet(sheet));
  const refresher = createRefresher({ workbook, engine, cells, clock, functions });
  followEdits({ workbook, cells, clock });
  const savesFreely = host.facts.kind === "browser-workbook";
  const earlier = createEarlierValues({ workbook, cells, clock, refresher, savesFreely });
  const parts = { kind: "open", workbook, refresher } as const;
  return { parts, earlier };
}
