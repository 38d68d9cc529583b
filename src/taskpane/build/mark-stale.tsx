/** Marks stale values on the active sheet, and says how many it marked. */
import { loaded } from "../../workbook/loaded";
import type { Workbook } from "../../workbook/port";
import { WorkButtons } from "../parts/action";
import { counted } from "../parts/words";
import type { PaneServices } from "../services";

export function MarkStale({ services, workbook }: { services: PaneServices; workbook: Workbook }) {
  async function mark(): Promise<string> {
    const { markStaleValues } = await loaded(
      import(/* webpackChunkName: "mark-stale" */ "../../workbook/mark-stale"),
    );
    const { sheet, cells, skipped } = await markStaleValues(workbook, services.clock);
    const rest =
      skipped === 0
        ? ""
        : ` ${counted(skipped, "formula")} can't be marked: grids, LET, and columns of a table.`;
    return cells === 0
      ? `No INV values to mark on "${sheet}".${rest}`
      : `${counted(cells, "value")} on "${sheet}" marked. Press Ctrl+Z to undo.${rest}`;
  }

  return (
    <>
      <p class="hint">
        Adds a Status column to this sheet. The column colours values that the service didn't answer for.
      </p>
      <WorkButtons quiet actions={{ "Mark this sheet": mark }} />
    </>
  );
}
