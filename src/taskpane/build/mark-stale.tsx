/** Marks stale values on the sheet in view, and says how many. */
import { loaded } from "../../workbook/loaded";
import type { Workbook } from "../../workbook/port";
import { Told, useAction } from "../parts/action";
import { Button } from "../parts/parts";
import { counted } from "../parts/words";
import type { PaneServices } from "../services";

export function MarkStale({ services, workbook }: { services: PaneServices; workbook: Workbook }) {
  const marking = useAction();

  async function mark(): Promise<string> {
    const { markStaleValues } = await loaded(
      import(/* webpackChunkName: "mark-stale" */ "../../workbook/mark-stale"),
    );
    const { sheet, cells, left } = await markStaleValues(workbook, services.clock);
    const rest =
      left === 0 ? "" : ` ${counted(left, "formula")} can't be marked: grids, LET, and columns of a table.`;
    return cells === 0
      ? `Nothing to mark on "${sheet}".${rest}`
      : `${counted(cells, "value")} on "${sheet}" marked. Press Ctrl+Z to undo.${rest}`;
  }

  return (
    <>
      <p class="hint">Adds a Status column to this sheet. It colors values that were not answered.</p>
      <div class="buttons">
        <Button quiet onClick={() => marking.run(mark)}>
          Mark this sheet
        </Button>
      </div>
      <Told action={marking} />
    </>
  );
}
