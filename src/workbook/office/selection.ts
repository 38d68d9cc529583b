/**
 * Reports the selection in Excel, now and at every change. One event handler serves all listeners. While a person moves
 * quickly, INV reads only where they stop, with all areas in one round trip if Excel supports several. It reports nothing while
 * a chart or a shape is selected.
 * Invariant: no listener gets a selection that was read before it began to listen, because it may be older than its click.
 */
import { createNotices } from "../../domain/notices";
import { areaOf } from "./area";
import type { ExcelBatches } from "./excel-batches";
import type { SelectedAreas } from "../port";

type Listener = (areas: SelectedAreas) => void;

export function createSelectionWatch(
  batches: ExcelBatches,
  excel: { readonly run: typeof Excel.run },
): (listener: Listener) => () => void {
  const selected = createNotices<{ readonly areas: SelectedAreas; readonly readNumber: number }>();
  let readsBegun = 0;
  let listening = 0;
  let handler: Promise<OfficeExtension.EventHandlerResult<Excel.SelectionChangedEventArgs>> | null = null;
  let reading: Promise<void> | null = null;
  let isReadAgain = false;

  /** Skips this change if no cell is selected or Excel is busy. */
  async function read(): Promise<void> {
    readsBegun += 1;
    const readNumber = readsBegun;
    const areas = await batches.run((context) => selectedAreas(context, batches)).catch(() => null);
    if (areas !== null) selected.tell({ areas, readNumber });
  }

  /** Runs one read at a time, and another one if the selection changed in the meantime. */
  function readSoon(): void {
    if (reading !== null) {
      isReadAgain = true;
      return;
    }
    isReadAgain = false;
    reading = read().finally(() => {
      reading = null;
      if (isReadAgain) readSoon();
    });
  }

  function watch(): void {
    handler ??= batches.run(async (context) => {
      const result = context.workbook.onSelectionChanged.add(() => {
        readSoon();
        return Promise.resolve();
      });
      await context.sync();
      return result;
    });
    handler.catch(() => (handler = null));
  }

  async function unwatch(): Promise<void> {
    const result = await handler;
    if (result === null || listening > 0) return;
    handler = null;
    await excel.run(result.context, async (context) => {
      result.remove();
      await context.sync();
    });
  }

  return (listener) => {
    const readsBefore = readsBegun;
    let reported = "";
    let stop: (() => void) | null = selected.subscribe(({ areas, readNumber }) => {
      const text = JSON.stringify(areas);
      if (readNumber <= readsBefore || text === reported) return;
      reported = text;
      listener(areas);
    });
    listening++;
    watch();
    readSoon();
    return () => {
      if (stop === null) return;
      stop();
      stop = null;
      listening--;
      if (listening === 0) unwatch().catch(() => undefined);
    };
  };
}

async function selectedAreas(
  context: Excel.RequestContext,
  batches: ExcelBatches,
): Promise<SelectedAreas | null> {
  const { workbook } = context;
  if (!batches.supports("1.9")) {
    const range = workbook.getSelectedRange();
    const { worksheet } = range;
    worksheet.load("name");
    range.load("rowIndex,columnIndex,rowCount,columnCount");
    await context.sync();
    return [areaOf(worksheet.name, range)];
  }
  const selected = workbook.getSelectedRanges();
  const { areas, worksheet } = selected;
  worksheet.load("name");
  areas.load("items/rowIndex,items/columnIndex,items/rowCount,items/columnCount");
  await context.sync();
  const [first, ...others] = areas.items.map((range) => areaOf(worksheet.name, range));
  return first === undefined ? null : [first, ...others];
}
