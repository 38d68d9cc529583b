/**
 * Conditional formats, notes, Tables, charts and cell formats in Excel, each in one or two round trips. If an older Excel lacks
 * a feature, the function does nothing.
 */
import { areaOf, rangeOf } from "./area";
import type { ExcelBatches } from "./excel-batches";
import type { Area, CellFormat, CellNote, CellRef, ChartSpec, Highlight, TableInfo } from "../port";

export async function highlightInOffice(batches: ExcelBatches, area: Area, rule: Highlight): Promise<void> {
  await batches.run(async (context) => {
    const range = rangeOf(context, area);
    if (rule.kind === "heat") {
      const format = range.conditionalFormats.add("ColorScale");
      const [low, middle, high] = rule.colors;
      format.colorScale.criteria = {
        minimum: { type: "LowestValue", color: low },
        midpoint: { type: "Percentile", formula: "50", color: middle },
        maximum: { type: "HighestValue", color: high },
      };
    } else if (rule.kind === "bars") {
      const format = range.conditionalFormats.add("DataBar");
      format.dataBar.positiveFormat.fillColor = rule.color;
    } else {
      const { custom } = range.conditionalFormats.add("Custom");
      if (rule.fill !== undefined) custom.format.fill.color = rule.fill;
      if (rule.color !== undefined) custom.format.font.color = rule.color;
      custom.rule.formula = rule.formula;
    }
    await batches.send(context);
  });
}

/** Adds a note if Excel can: notes need ExcelApi 1.18, and some Office libraries lack them even in a newer Excel. */
export async function noteInOffice(batches: ExcelBatches, cell: CellRef, text: string): Promise<void> {
  if (!batches.supports("1.18")) return;
  await batches.run(async (context) => {
    if (!("notes" in context.workbook)) return;
    context.workbook.notes.add(rangeOf(context, { ...cell, rows: 1, cols: 1 }), text);
    await batches.send(context);
  });
}

export function officeNotes(batches: ExcelBatches, sheet: string): Promise<readonly CellNote[]> {
  if (!batches.supports("1.18")) return Promise.resolve([]);
  return batches.run(async (context) => {
    const worksheet = context.workbook.worksheets.getItem(sheet);
    if (!("notes" in worksheet)) return [];
    const { notes } = worksheet;
    notes.load("items/content");
    await context.sync();
    const cells = notes.items.map((note) => note.getLocation().load("rowIndex,columnIndex"));
    if (cells.length > 0) await context.sync();
    return notes.items.map(({ content }, index) => {
      const { rowIndex: row = 0, columnIndex: col = 0 } = cells[index] ?? {};
      return { cell: { sheet, row, col }, text: content };
    });
  });
}

/** Adds a Table. If a Table or a defined name has the name, Excel chooses another. */
export async function addOfficeTable(batches: ExcelBatches, area: Area, name: string): Promise<void> {
  await batches.run(async (context) => {
    const { tables, names } = context.workbook;
    const inUse = [tables.getItemOrNullObject(name), names.getItemOrNullObject(name)];
    for (const each of inUse) each.load("name");
    await context.sync();
    const table = tables.add(rangeOf(context, area), true);
    table.style = "TableStyleLight1";
    if (inUse.every(({ isNullObject }) => isNullObject)) table.name = name;
    await batches.send(context);
  });
}

export async function officeTables(batches: ExcelBatches): Promise<readonly TableInfo[]> {
  return batches.run(async (context) => {
    const { tables } = context.workbook;
    tables.load("items/name");
    await context.sync();
    if (tables.items.length === 0) return [];
    const loads = tables.items.map((table) => ({
      name: table.name,
      sheet: table.worksheet.load("name"),
      range: table.getRange().load("rowIndex,columnIndex,rowCount,columnCount"),
      headers: table.getHeaderRowRange().load("values"),
    }));
    await context.sync();
    return loads.map(({ name, sheet, range, headers }) => ({
      name,
      area: areaOf(sheet.name, range),
      headers: (headers.values[0] ?? []).map(String),
    }));
  });
}

export async function addOfficeChart(batches: ExcelBatches, chart: ChartSpec): Promise<void> {
  await batches.run(async (context) => {
    const { charts } = context.workbook.worksheets.getItem(chart.over.sheet);
    const added = charts.add(
      chart.kind === "line" ? "Line" : "ColumnClustered",
      rangeOf(context, chart.data),
      "Columns",
    );
    added.title.text = chart.title;
    const { row, col, rows, cols } = chart.over;
    const sheet = context.workbook.worksheets.getItem(chart.over.sheet);
    added.setPosition(
      sheet.getRangeByIndexes(row, col, 1, 1),
      sheet.getRangeByIndexes(row + rows - 1, col + cols - 1, 1, 1),
    );
    await batches.send(context);
  });
}

/** Returns the cells' formats, without properties that Excel doesn't report. */
export async function officeFormats(
  batches: ExcelBatches,
  area: Area,
): Promise<readonly (readonly CellFormat[])[]> {
  return batches.run(async (context) => {
    const range = rangeOf(context, area).load("numberFormat");
    const cells = range.getCellProperties({
      format: { fill: { color: true }, font: { bold: true, color: true }, horizontalAlignment: true },
    });
    const columns = range.getColumnProperties({ format: { columnWidth: true } });
    await context.sync();
    // oxlint-disable-next-line office-addins/load-object-before-read -- a ClientResult needs a sync alone.
    const widths = columns.value;
    return cells.value.map((row, r) =>
      row.map(({ format }, c): CellFormat => {
        const numberFormat: unknown = (range.numberFormat as unknown[][])[r]?.[c];
        const points = widths[c]?.format?.columnWidth;
        const align = alignments[format?.horizontalAlignment ?? ""];
        const { color: fill } = format?.fill ?? {};
        const { bold, color } = format?.font ?? {};
        return {
          ...(typeof numberFormat === "string" && numberFormat !== "General" ? { numberFormat } : {}),
          ...(bold === true ? { bold } : {}),
          ...(fill !== undefined && !/^(|#ffffff)$/i.test(fill) ? { fill } : {}),
          ...(color !== undefined && !/^(|#000000)$/i.test(color) ? { color } : {}),
          ...(align === undefined ? {} : { align }),
          ...(points === undefined ? {} : { widthPx: Math.round(points / 0.75) }),
        };
      }),
    );
  });
}

const alignments: Readonly<Record<string, "left" | "center" | "right">> = {
  Left: "left",
  Center: "center",
  Right: "right",
};
