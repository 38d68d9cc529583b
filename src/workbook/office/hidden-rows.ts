/** Which rows are hidden in Excel, by a filter or by a person. */
import type { Area } from "../port";
import { rangeOf } from "./area";
import type { ExcelBatches } from "./excel-batches";
import { charactersPerTrip } from "./limits";

/** A row in the answer, `{"rowHidden":false}`, with some room. */
const charactersPerRow = 40;

/** Reads the property `rowHidden` of many rows in a round trip. In an Excel that is too old to tell, no row is hidden. */
export async function hiddenOfficeRows(batches: ExcelBatches, area: Area): Promise<readonly boolean[]> {
  if (!batches.supports("1.9")) return new Array<boolean>(area.rows).fill(false);
  const rowsPerTrip = Math.floor(charactersPerTrip / charactersPerRow);
  return batches.run(async (context) => {
    const hidden: boolean[] = [];
    for (let from = 0; from < area.rows; from += rowsPerTrip) {
      const rows = Math.min(rowsPerTrip, area.rows - from);
      const part = rangeOf(context, { ...area, row: area.row + from, rows, cols: 1 });
      const properties = part.getRowProperties({ rowHidden: true });
      await context.sync();
      hidden.push(...properties.value.map((row) => row.rowHidden === true));
    }
    return hidden;
  });
}
