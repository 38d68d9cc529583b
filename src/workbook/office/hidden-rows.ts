/** Reads which rows Excel hides: the property `rowHidden` of each row (ExcelApi 1.9), many rows in a round trip. */
import { rangeOf } from "./area";
import type { ExcelBatches } from "./excel-batches";
import type { Area } from "../port";
import { charactersPerTrip } from "./limits";

/** A row in the answer, `{"rowHidden":false}`, with some room. */
const charactersPerRow = 40;

/** In an Excel that is too old to tell, no row is hidden. */
export async function hiddenOfficeRows(batches: ExcelBatches, area: Area): Promise<readonly boolean[]> {
  if (!batches.supports("1.9")) return new Array<boolean>(area.rows).fill(false);
  const most = Math.floor(charactersPerTrip / charactersPerRow);
  return batches.run(async (context) => {
    const hidden: boolean[] = [];
    while (hidden.length < area.rows) {
      const rows = Math.min(most, area.rows - hidden.length);
      const part = rangeOf(context, { ...area, row: area.row + hidden.length, rows, cols: 1 });
      const properties = part.getRowProperties({ rowHidden: true });
      await context.sync();
      for (let row = 0; row < rows; row += 1) hidden.push(properties.value[row]?.rowHidden === true);
    }
    return hidden;
  });
}
