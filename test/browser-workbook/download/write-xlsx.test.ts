/** Downloads are compared cell by cell with what another library reads from the file. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { Workbook } from "@cj-tech-master/excelts";
import { withFacts } from "../../../src/browser-workbook/download/save-file";
import type {
  FileCell,
  FileRow,
  FileSheet,
  FileStyle,
} from "../../../src/browser-workbook/download/file-book";
import { createStyles } from "../../../src/browser-workbook/download/styles-part";
import { rowXml, writeXlsx } from "../../../src/browser-workbook/download/write-xlsx";
import type { CellContent } from "../../../src/workbook/port";

const emptySheet: Omit<FileSheet, "rows"> = {
  ...{ name: "Plan", isHidden: false, frozenRows: 0, frozenCols: 0, defaultWidthPx: 64 },
  ...{ columns: [], merged: [], notes: [] },
};

function sheetOf(rows: readonly FileRow[], changes: Partial<FileSheet> = {}): FileSheet {
  return { ...emptySheet, rows: () => rows, ...changes };
}

const rowOf = (row: number, contents: readonly CellContent[], style: FileStyle | null = null): FileRow => ({
  ...{ row, heightPx: null, isHidden: false },
  cells: contents.map((content, col): FileCell => ({ col, content, style })),
});

const quiet = () => new AbortController().signal;

async function readBack(sheets: readonly FileSheet[], shownSheet = 0): Promise<Workbook> {
  const blob = await writeXlsx({ sheets, shownSheet }, quiet());
  const file = new Workbook();
  await file.xlsx.load(await blob.arrayBuffer());
  return file;
}

test("a text that begins with = stays a text when it is edited, and a number format with a control character breaks nothing", async () => {
  const cells = rowOf(0, ["=1+1", "00012345678905"]).cells;
  const format = { numberFormat: '0 "pcs\u0001"', bold: true };
  const row = { ...rowOf(1, [5, "=A1"], format), cells: [...rowOf(1, [5, "=A1"], format).cells] };
  const styles = createStyles();
  const xml = [rowXml({ ...rowOf(0, []), cells }, styles), rowXml(row, styles)].join("");
  const quoted = styles.xml().match(/<xf [^>]*quotePrefix="1"[^>]*>/g) ?? [];
  expect(quoted).toHaveLength(2);
  expect(quoted[1]).toContain('numFmtId="164"');
  expect(xml).toContain('<c r="B1" t="inlineStr">');
  const sheet = (await readBack([sheetOf([{ ...rowOf(0, []), cells }, row])])).worksheets[0]!;
  expect(sheet.getCell("A1").value).toBe("=1+1");
  expect(sheet.getCell("A2").numFmt).toBe('0 "pcs"');
  expect(sheet.getCell("B2").font?.bold).toBe(true);
});

test("values arrive as what they are", async () => {
  const values: CellContent[] = [
    ...[
      0,
      -1.5,
      1e-7,
      45_000.123456789,
      1e21,
      true,
      false,
      "00012345678905",
      "=1+1",
      "#N/A",
      "TRUE",
      " a\n b ",
    ],
    ...["<b>&amp;\"'", "\uD83D\uDE00", { error: "#N/A" }, { error: "#DIV/0!" }],
  ];
  const sheet = (await readBack([sheetOf([rowOf(2, [...values, "a\u0001b\r_x0041_"])])])).worksheets[0]!;
  const read = values.map((_, col) => sheet.getCell(3, col + 1).value);
  // The library shows Excel's codes of such characters as they are in the file.
  expect(sheet.getCell(3, values.length + 1).value).toBe("a_x0001_b_x000D__x005F_x0041_");
  expect(read).toEqual(values);
});

test("what no file can contain arrives as an error, or cut off at what Excel can read", async () => {
  const text = `${"x".repeat(32_766)}\uD83D\uDE00`;
  const sheet = (await readBack([sheetOf([rowOf(0, [{ error: "#SPILL!" }, NaN, text])])])).worksheets[0]!;
  expect([1, 2, 3].map((col) => sheet.getCell(1, col).value)).toEqual([
    { error: "#VALUE!" },
    { error: "#NUM!" },
    "x".repeat(32_766),
  ]);
});

test("formats arrive", async () => {
  const styles: FileStyle[] = [
    { numberFormat: '[$€-407] #,##0.00;[Red]-[$€-407] "<&>" #,##0.00' },
    { numberFormat: "00000", bold: true, color: "#abc", fill: "rgb(255, 238, 170)", align: "right" },
    { italic: true, underline: true, strike: true, wraps: true },
    { borders: { top: { kind: "thick", color: "#CC0000" }, left: { kind: "hair", color: "red" } } },
  ];
  const rows = styles.map((style, row) => rowOf(row, [7], style));
  const sheet = (await readBack([sheetOf(rows)])).worksheets[0]!;
  const [currency, code, text, lines] = styles.map((_, row) => sheet.getCell(row + 1, 1));
  expect(currency?.numFmt).toBe(styles[0]?.numberFormat);
  expect(code).toMatchObject({
    numFmt: "00000",
    font: { bold: true, color: { argb: "FFAABBCC" } },
    fill: { pattern: "solid", fgColor: { argb: "FFFFEEAA" } },
    alignment: { horizontal: "right" },
  });
  expect(text).toMatchObject({
    font: { italic: true, underline: true, strike: true, size: 11 },
    alignment: { wrapText: true },
  });
  expect(lines?.border).toEqual({
    top: { style: "thick", color: { argb: "FFCC0000" } },
    left: { style: "hair", color: { argb: "FF000000" } },
  });
});

test("a format that Excel would refuse is left out", async () => {
  const sheet = (await readBack([sheetOf([rowOf(0, [7], { numberFormat: `"${"x".repeat(300)}"` })])]))
    .worksheets[0]!;
  expect(sheet.getCell("A1").style.numFmt ?? "General").toBe("General");
});

test("merged cells keep the values and borders under them", async () => {
  const bordered = { borders: { right: { kind: "medium", color: "#00CC00" } } };
  const row: FileRow = {
    ...rowOf(0, []),
    cells: [
      { col: 0, content: "over", style: null },
      { col: 1, content: "under", style: bordered },
    ],
  };
  const file = await readBack([sheetOf([row], { merged: [{ row: 0, col: 0, rows: 1, cols: 2 }] })]);
  const [over, under] = [file.worksheets[0]?.getCell("A1"), file.worksheets[0]?.getCell("B1")];
  expect(under?.master).toBe(over);
  expect(under?.border?.right).toEqual({ style: "medium", color: { argb: "FF00CC00" } });
  // The library shows the first value in all merged cells, so this looks at what it reads.
  expect(rowXml(row, createStyles())).toContain(
    '<c r="B1" s="1" t="inlineStr"><is><t xml:space="preserve">under</t>',
  );
});

test("widths, heights, hidden and frozen lines, notes and tabs arrive", async () => {
  const first = sheetOf(
    [
      { ...rowOf(0, ["a", "b"]), heightPx: 40 },
      { ...rowOf(5, []), isHidden: true },
    ],
    {
      frozenRows: 1,
      frozenCols: 2,
      columns: [
        { col: 1, widthPx: 145, isHidden: false, style: { bold: true } },
        { col: 3, widthPx: null, isHidden: true, style: null },
      ],
      notes: [
        { row: 0, col: 0, text: "One <note>\nof two lines" },
        { row: 0, col: 1, text: "second" },
      ],
    },
  );
  const file = await readBack(
    [first, sheetOf([], { name: 'A & "B"', isHidden: true }), sheetOf([], { name: "C" })],
    2,
  );
  const sheet = file.worksheets[0]!;
  expect(sheet.getRow(1).height).toBe(30);
  expect(sheet.getRow(6).hidden).toBe(true);
  expect(sheet.getColumn(2)).toMatchObject({ width: 20, style: { font: { bold: true } } });
  expect(sheet.getColumn(4).hidden).toBe(true);
  expect(sheet.views[0]).toMatchObject({ state: "frozen", xSplit: 2, ySplit: 1 });
  const noteOf = (address: string) => {
    const { note } = sheet.getCell(address);
    return typeof note === "string" ? note : note?.texts?.map(({ text }) => text).join("");
  };
  expect([noteOf("A1"), noteOf("B1")]).toEqual(["One <note>\nof two lines", "second"]);
  expect(file.worksheets.map(({ name, state }) => [name, state])).toEqual([
    ["Plan", "visible"],
    ['A & "B"', "hidden"],
    ["C", "visible"],
  ]);
  expect(file.views[0]?.activeTab).toBe(2);
});

/** Debian's own, if another one is first on the path. */
const python = ["python3", "/usr/bin/python3"].find(
  (name) => spawnSync(name, ["-c", "import openpyxl"]).status === 0,
);
const readWithOpenpyxl = `
import json, sys
from openpyxl import load_workbook
sheet = load_workbook(sys.argv[1]).worksheets[0]
cells = [[c.coordinate, c.data_type, c.value, c.number_format, c.border.right.style] for row in sheet.iter_rows() for c in row]
print(json.dumps({
    "cells": cells, "merged": [str(area) for area in sheet.merged_cells.ranges], "freeze": sheet.freeze_panes,
    "heights": {row: each.height for row, each in sheet.row_dimensions.items()},
    "hidden": [row for row, each in sheet.row_dimensions.items() if each.hidden],
    "widths": {col: each.width for col, each in sheet.column_dimensions.items()}, "note": sheet["A1"].comment.text,
    "quoted": [c.coordinate for row in sheet.iter_rows() for c in row if c.quotePrefix],
}))`;

// Some machines have no openpyxl; .ci/run installs it where it can.
(python === undefined ? test.skip : test)("openpyxl reads the same cells, formats and sizes", async () => {
  const euros: FileStyle = { numberFormat: "[$€-407] #,##0.00" };
  const line: FileStyle = { borders: { right: { kind: "medium", color: "#00CC00" } } };
  const contents: CellContent[] = ["00012345678905", "#N/A", { error: "#N/A" }, 1e-7, true, "=1+1", " <&> "];
  const rows = [
    {
      ...{ ...rowOf(0, []), heightPx: 40 },
      cells: [
        { col: 0, content: "over", style: null },
        { col: 1, content: "under", style: line },
      ],
    },
    rowOf(1, contents),
    { ...rowOf(2, [1234.5], euros), isHidden: true },
  ];
  const sheet = sheetOf(rows, {
    ...{ frozenRows: 1, merged: [{ row: 0, col: 0, rows: 1, cols: 2 }] },
    columns: [{ col: 1, widthPx: 145, isHidden: false, style: null }],
    notes: [{ row: 0, col: 0, text: "One <note>" }],
  });
  const folder = mkdtempSync(join(os.tmpdir(), "inv-download-"));
  const path = join(folder, "file.xlsx");
  const blob = await writeXlsx({ sheets: [sheet], shownSheet: 0 }, quiet());
  writeFileSync(path, Buffer.from(await blob.arrayBuffer()));
  const read = execFileSync(python ?? "", ["-c", readWithOpenpyxl, path], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  const { cells, ...others } = JSON.parse(read) as { cells: unknown[][] } & Record<string, unknown>;
  const filled = cells.filter(([, , value, , border]) => value !== null || border !== null);
  expect(filled).toEqual([
    // It reads the border of merged cells as the first one's too, and leaves out the values under it.
    ["A1", "s", "over", "General", "medium"],
    ["B1", "n", null, "General", "medium"],
    ["A2", "s", "00012345678905", "General", null],
    ["B2", "s", "#N/A", "General", null],
    ["C2", "e", "#N/A", "General", null],
    ["D2", "n", 1e-7, "General", null],
    ["E2", "b", true, "General", null],
    ["F2", "s", "=1+1", "General", null],
    ["G2", "s", " <&> ", "General", null],
    ["A3", "n", 1234.5, "[$€-407] #,##0.00", null],
  ]);
  expect(others).toEqual({
    ...{ merged: ["A1:B1"], freeze: "A2", note: "One <note>", quoted: ["F2"] },
    ...{ heights: { 1: 30, 3: null }, hidden: [3], widths: { B: 20 } },
  });
});

test("a sheet before the others says what the file is, and how old its values are, and names become Excel's", async () => {
  const long = "A name of far more than thirty-one characters";
  const { sheets, shownSheet } = withFacts(
    { sheets: [sheetOf([], { name: long }), sheetOf([], { name: "About this copy" })], shownSheet: 1 },
    {
      nowMs: Date.UTC(2026, 10, 27, 9, 5),
      environment: "Demo",
      asOf: Date.UTC(2026, 10, 27, 8),
      stale: ["Plan!C2"],
    },
  );
  const file = await readBack(sheets, shownSheet);
  expect(file.worksheets.map(({ name }) => name)).toEqual([
    "About this copy",
    "A name of far more than thirty-",
    "About this copy 2",
  ]);
  expect(file.views[0]?.activeTab).toBe(2);
  expect(file.worksheets[0]?.getColumn(1).values.slice(1)).toEqual([
    "Values of an INV browser workbook, downloaded 2026-11-27 09:05 UTC. Environment: Demo.",
    "The oldest value was fetched 2026-11-27 08:00 UTC. Not answered, last known values: Plan!C2.",
    "This file has no formulas. To take them along, save a sheet as a template in INV's Templates tab.",
  ]);
});

test("lets other work run between rows, and ends early if the workbook changes", async () => {
  const rows = Array.from({ length: 60_000 }, (_, row) => rowOf(row, [row, "text", 1.5]));
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  const file = await writeXlsx({ sheets: [sheetOf(rows)], shownSheet: 0 }, quiet());
  clearInterval(timer);
  expect(turns).toBeGreaterThan(3);
  expect(file.size).toBeLessThan(1_000_000);

  const changed = new AbortController();
  let read = 0;
  function* readRows(): Generator<FileRow> {
    for (const row of rows) {
      read += 1;
      if (read === 1_000) changed.abort(new Error("changed"));
      yield row;
    }
  }
  const sheet = { ...sheetOf([]), rows: readRows };
  await expect(writeXlsx({ sheets: [sheet], shownSheet: 0 }, changed.signal)).rejects.toThrow("changed");
  expect(read).toBe(1_000);
});
