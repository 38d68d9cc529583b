/**
 * Workbooks saved from the test host: sheets with ids and cells, names and settings, as JSON compressed with gzip. Opening
 * one creates an Excel with its content.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { type NodeExcel, openExcelOn } from "./excel-in-node";
import { type Cell, type HostSheet, newSheet } from "./sheet";

export interface SavedHost {
  readonly sheets: readonly {
    readonly id: string;
    readonly name: string;
    readonly visibility: HostSheet["visibility"];
    readonly cells: readonly (readonly [row: number, col: number, cell: Cell])[];
    readonly formats: HostSheet["formats"];
  }[];
  /** `scope` is a sheet's name, or null for a name of the workbook. */
  readonly names: readonly {
    readonly name: string;
    readonly scope: string | null;
    readonly formula: string;
    readonly visible: boolean;
  }[];
  readonly settings: readonly (readonly [string, unknown])[];
  /** Every formula before the freeze, by sheet and cell: `Plan!C2`. */
  readonly formulas: Readonly<Record<string, string>>;
}

export function readSavedHost(path: string): SavedHost {
  return JSON.parse(gunzipSync(readFileSync(path)).toString()) as SavedHost;
}

export function openSavedHost({ sheets, names, settings }: SavedHost): NodeExcel {
  const excel = openExcelOn(new Map(settings));
  for (const { id, name, visibility, cells, formats } of sheets) {
    const sheet = newSheet(name, id);
    sheet.visibility = visibility;
    for (const [row, col, cell] of cells) {
      const line = sheet.cells.get(row) ?? new Map<number, Cell>();
      sheet.cells.set(row, line.set(col, cell));
    }
    sheet.formats.push(...formats);
    excel.sheets.push(sheet);
  }
  excel.active = sheets[0]?.name ?? "";
  for (const { scope, ...name } of names) {
    excel.names.push({ ...name, scope: scope === null ? null : excel.sheet(scope) });
  }
  return excel;
}
