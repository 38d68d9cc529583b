/**
 * Reports edits in Excel as areas of the port: what was typed, pasted or deleted, and where inserted or deleted cells have
 * moved others. Calculated results aren't edits. The event contains the sheet's id, so INV reads the names, once for all edits
 * that arrive in the meantime. Before ExcelApi 1.9, Excel reports no edits, and a search of the whole workbook finds the
 * changes.
 */
import { createNotices } from "../../domain/notices";
import type { CellArea } from "../../formula/cells";
import { columnIndex, sheetCols, sheetRows } from "../../formula/columns";
import type { Area, Edit } from "../port";
import type { ExcelBatches } from "./excel-batches";

type Change = Pick<Excel.WorksheetChangedEventArgs, "worksheetId" | "address" | "changeType">;

export function createEditWatch(batches: ExcelBatches): (listener: (edit: Edit) => void) => () => void {
  const edits = createNotices<Edit>();
  let isWatching = false;
  let changes: Change[] = [];
  let isReading = false;

  /** Reports all edits, then throws what a listener threw. */
  async function reportAll(): Promise<void> {
    isReading = true;
    const thrown: unknown[] = [];
    while (changes.length > 0) {
      const batch = changes;
      changes = [];
      const names = await batches.run(sheetNames).catch(() => null);
      try {
        edits.tell(names && batch.flatMap((change) => areasOf(change, names.get(change.worksheetId))));
      } catch (error) {
        thrown.push(error);
      }
    }
    isReading = false;
    if (thrown.length > 0) throw thrown[0];
  }

  function tell(edit: Edit): Promise<void> {
    edits.tell(edit);
    return Promise.resolve();
  }

  async function watch(context: Excel.RequestContext): Promise<void> {
    const { worksheets } = context.workbook;
    worksheets.onChanged.add((change) => {
      changes.push(change);
      return isReading ? Promise.resolve() : reportAll();
    });
    worksheets.onDeleted.add(() => tell(null));
    worksheets.onAdded.add(async ({ worksheetId }) => {
      const added = (await batches.run(sheetNames).catch(() => null))?.get(worksheetId);
      return tell(added === undefined ? null : { added });
    });
    if (batches.supports("1.17")) {
      worksheets.onNameChanged.add(({ nameBefore, nameAfter }) => tell({ from: nameBefore, to: nameAfter }));
    }
    await context.sync();
  }

  return (listener) => {
    if (!isWatching && batches.supports("1.9")) {
      isWatching = true;
      batches.run(watch).catch(() => (isWatching = false));
    }
    return edits.subscribe(listener);
  };
}

async function sheetNames(context: Excel.RequestContext): Promise<ReadonlyMap<string, string>> {
  const { worksheets } = context.workbook;
  worksheets.load("items/id,items/name");
  await context.sync();
  return new Map(worksheets.items.map(({ id, name }) => [id, name]));
}

/** Returns nothing for a deleted sheet: its deletion is a separate event. */
function areasOf({ address, changeType }: Change, sheet: string | undefined): Area[] {
  if (sheet === undefined) return [];
  return address.split(",").map((part) => {
    const area = { sheet, ...blockOf(part) };
    if (changeType === "RangeEdited") return area;
    // All cells below or to the right of inserted and deleted cells may have moved.
    return { ...area, rows: sheetRows - area.row, cols: sheetCols - area.col };
  });
}

/** Parses `B2:C5`, `B2`, whole rows `2:5` and whole columns `B:C`. Returns the whole sheet for anything else. */
function blockOf(address: string): CellArea {
  const [, left, top, right = left, bottom = top] =
    /^([A-Z]{1,3})?(\d{1,7})?(?::([A-Z]{1,3})?(\d{1,7})?)?$/.exec(address) ?? [];
  const row = top === undefined ? 0 : Number(top) - 1;
  const col = left === undefined ? 0 : columnIndex(left);
  return {
    row,
    col,
    rows: bottom === undefined ? sheetRows - row : Number(bottom) - row,
    cols: right === undefined ? sheetCols - col : columnIndex(right) - col + 1,
  };
}
