/**
 * Calculates cells again that say INV is offline, once it is online. They have no number, so nothing is lost. Cells with a last known
 * value keep it until a refresh.
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
      ({ state, error }) => state === "problem" && error?.code === "offline",
    );
    const refs = offline.map(({ address }) => parseCellAddress(address)).filter((ref) => ref !== null);
    // Cells that the host refuses keep their error, which the pane lists.
    if (refs.length > 0) void workbook.recalculate(refs).catch(() => undefined);
  });
}
