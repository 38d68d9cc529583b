/**
 * Calculates cells again that have no value because INV was offline, once it is online. A range formula is one of them if a single
 * place of it is. Cells that show only last known values keep them until a refresh.
 */
import type { CellRegister } from "../cells/cell-register";
import type { Source } from "../domain/notices";
import { parseCellAddress } from "./addresses";
import type { Workbook } from "./port";

export function askAgainOnline(options: {
  readonly workbook: Pick<Workbook, "recalculate">;
  readonly cells: Pick<CellRegister, "all">;
  readonly settings: Source<{ readonly offline: boolean }>;
}): void {
  const { workbook, cells, settings } = options;
  let wasOffline = settings.get().offline;
  settings.subscribe(() => {
    const isBack = wasOffline && !settings.get().offline;
    wasOffline = settings.get().offline;
    if (!isBack) return;
    const offline = [...cells.all()].filter(
      ({ state, unansweredBecause }) => state === "problem" && unansweredBecause?.code === "offline",
    );
    const refs = offline.map(({ address }) => parseCellAddress(address)).filter((ref) => ref !== null);
    // Cells that the host refuses keep their error, which the pane lists.
    if (refs.length > 0) void workbook.recalculate(refs).catch(() => undefined);
  });
}
