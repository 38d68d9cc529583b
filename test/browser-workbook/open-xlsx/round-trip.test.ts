/** A workbook that INV downloads and opens again is the same, for any content of the cells. */
import { fc } from "../../helpers/properties";
import { workbookAsXlsx } from "../../../src/browser-workbook/download/xlsx";
import type { FileBook, FileCell } from "../../../src/browser-workbook/open-xlsx/file-book";
import { readFile } from "../../../src/browser-workbook/open-xlsx/read-file";
import { environmentSetting } from "../../../src/workbook/settings";
import type { CellFormat, CellValue } from "../../../src/workbook/port";
import { createMemoryWorkbook } from "../../workbook/memory-workbook";

const rows = 6;
const cols = 5;

const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom(
    "=1+1",
    "00012345678905",
    "_x000D_",
    "a\r\nb",
    " a ",
    "\u0001",
    "'",
    "<&>",
    "",
    '=HYPERLINK("x")',
  ),
);
const values: fc.Arbitrary<CellValue> = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.integer(),
  texts,
  fc.boolean(),
  fc.constantFrom("#N/A", "#VALUE!", "#DIV/0!"),
);
const formulas = fc.constantFrom(
  '=A1&"A1"',
  "=SUM($A$1:B2)",
  "=IFNA(Plan!A1,0)",
  '=IF(A1>"",TRUE,"<&>")',
  "='It''s'!B2*2",
  "=Total*Local",
);
const color = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, "0").toUpperCase()}`);
const format: fc.Arbitrary<CellFormat> = fc.record(
  {
    numberFormat: fc.constantFrom("yyyy-mm-dd hh:mm", "0.00", "#,##0", "@", "0%", '0 "pcs"'),
    bold: fc.constant(true),
    fill: color,
    color,
    align: fc.constantFrom("left", "center", "right"),
  },
  { requiredKeys: [] },
);
const area = fc.record({
  row: fc.nat(3),
  col: fc.nat(2),
  rows: fc.integer({ min: 1, max: 3 }),
  cols: fc.integer({ min: 1, max: 2 }),
});
interface Given {
  readonly value: CellValue;
  readonly formula?: string;
  readonly format: CellFormat;
}
const cell: fc.Arbitrary<Given> = fc.oneof(
  fc.record({ value: values, format }),
  fc.record({ value: values.filter((value) => value !== null), formula: formulas, format }),
);
const border = fc.record({
  kind: fc.constantFrom("thin", "double", "mediumDashDot"),
  color: fc.constantFrom(null, "#CC0000"),
});
const borders = fc.record({ left: border, top: border }, { requiredKeys: ["top"] });
const sheet = fc.record({
  cells: fc.array(fc.tuple(fc.nat(rows - 1), fc.nat(cols - 1), cell), { maxLength: 12 }),
  spill: fc.option(area, { nil: null }),
  inv: fc.boolean(),
  notes: fc.uniqueArray(fc.record({ row: fc.nat(5), col: fc.nat(5), text: fc.string({ minLength: 1 }) }), {
    selector: ({ row, col }) => row * 10 + col,
    maxLength: 2,
  }),
  bordered: fc.uniqueArray(fc.record({ row: fc.nat(5), col: fc.nat(5), borders }), {
    selector: ({ row, col }) => row * 10 + col,
    maxLength: 2,
  }),
  hiddenRows: fc.uniqueArray(fc.nat(4), { maxLength: 2 }),
  frozenRows: fc.nat(2),
  frozenCols: fc.nat(2),
  width: fc.integer({ min: 20, max: 300 }),
});
type GivenSheet = typeof sheet extends fc.Arbitrary<infer T> ? T : never;

const names = [
  { name: "Total", sheet: null, formula: "=Plan!$A$1:$B$2" },
  { name: "Local", sheet: "It's", formula: "='It''s'!$B$2*2" },
  { name: "Lists.Stores", sheet: null, formula: '=LET(x,Plan!$A$1,x&",")' },
];

function keyOf(row: number, col: number): string {
  return `${row}:${col}`;
}

/** The expected cells: each cell that has content or a visible look. */
function expected({ cells, spill, inv }: GivenSheet): Map<string, Omit<FileCell, "row" | "col" | "style">> {
  const all = new Map<string, { value: CellValue; formula?: string; spill?: object }>();
  for (const [row, col, { value, formula }] of cells) {
    all.set(keyOf(row, col), { value, ...(formula === undefined ? {} : { formula }) });
  }
  if (spill !== null) {
    for (let r = 0; r < spill.rows; r += 1) {
      for (let c = 0; c < spill.cols; c += 1) all.delete(keyOf(spill.row + r, spill.col + c));
    }
    const isLarger = spill.rows * spill.cols > 1;
    const size = { rows: spill.rows, cols: spill.cols };
    all.set(keyOf(spill.row, spill.col), {
      formula: "=SEQUENCE(9)",
      value: 7,
      ...(isLarger ? { spill: size } : {}),
    });
  }
  if (inv) all.set(keyOf(rows, 0), { value: 42 });
  return all as Map<string, FileCell>;
}

async function downloaded(sheets: readonly GivenSheet[]): Promise<FileBook> {
  const sheetNames = ["Plan", "It's", "Дані 3"].slice(0, sheets.length);
  const workbook = createMemoryWorkbook(sheetNames);
  workbook.definedNames.push(...names.slice(0, sheets.length === 1 ? 1 : 3));
  const shown = new Map<string, CellValue>();
  await workbook.setSetting(environmentSetting, "sandbox");
  for (const [index, given] of sheets.entries()) {
    const name = sheetNames[index]!;
    const at = (row: number, col: number) => ({ sheet: name, row, col });
    workbook.formats.push({ area: { ...at(0, 0), rows: 9, cols: 9 }, format: { widthPx: given.width } });
    const put = (row: number, col: number, { value, formula }: { value: CellValue; formula?: string }) => {
      const text = typeof value === "string" && value.startsWith("=") ? `'${value}` : value;
      workbook.put(at(row, col), formula ?? text);
      shown.set(`${name}${keyOf(row, col)}`, value);
    };
    const formats = new Map<string, CellFormat>();
    for (const [row, col, each] of given.cells) {
      put(row, col, each);
      formats.set(keyOf(row, col), each.format);
    }
    for (const [key, format] of formats) {
      const [row, col] = key.split(":").map(Number);
      workbook.formats.push({ area: { ...at(row!, col!), rows: 1, cols: 1 }, format });
    }
    const { spill } = given;
    if (spill !== null) {
      for (let r = 0; r < spill.rows; r += 1) {
        for (let c = 0; c < spill.cols; c += 1) put(spill.row + r, spill.col + c, { value: 7 });
      }
      put(spill.row, spill.col, { value: 7, formula: "=SEQUENCE(9)" });
      workbook.spills.set(`${spill.row},${spill.col},${name}`, { rows: spill.rows, cols: spill.cols });
    }
    if (given.inv) put(rows, 0, { value: 42, formula: "=INV.QTY(1234,A1)" });
  }
  workbook.valueOf = (_formula, { sheet: name, row, col }) => shown.get(`${name}${keyOf(row, col)}`) ?? null;
  const blob = await workbookAsXlsx({
    workbook,
    layoutOf(name) {
      return { ...sheets[sheetNames.indexOf(name)]!, merged: [], hiddenCols: [] };
    },
  });
  return readFile(new Uint8Array(await blob.arrayBuffer()));
}

test("downloaded and read again: values, formulas, styles, names, notes and the ledger", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(sheet, { minLength: 1, maxLength: 3 }), async (given) => {
      const book = await downloaded(given);
      expect(book.unshown).toEqual([]);
      for (const [index, one] of given.entries()) {
        const read = book.sheets[index]!;
        const found = new Map(
          read.cells
            .filter(({ value, formula }) => value !== null || formula !== undefined)
            .map(({ row, col, value, formula, spill }) => [
              keyOf(row, col),
              {
                value,
                ...(formula === undefined ? {} : { formula }),
                ...(spill === undefined ? {} : { spill }),
              },
            ]),
        );
        const styleAt = (row: number, col: number) =>
          book.styles[read.cells.find((each) => each.row === row && each.col === col)?.style ?? 0];
        const wanted = expected(one);
        expect(found).toEqual(wanted);
        for (const [row, col, { format: look }] of new Map(
          one.cells.map((each) => [keyOf(each[0], each[1]), each]),
        ).values()) {
          const around = one.bordered.find((each) => each.row === row && each.col === col);
          expect(styleAt(row, col)).toEqual({ ...look, ...(around && { borders: around.borders }) });
        }
        for (const { row, col, borders: around } of one.bordered) {
          expect(styleAt(row, col)?.borders).toEqual(around);
        }
        expect(read).toMatchObject({ frozenRows: one.frozenRows, frozenCols: one.frozenCols });
        // The file's library writes only rows with content.
        const held = new Set(read.cells.map(({ row }) => row));
        const hidden = read.rows
          .filter(({ row, isHidden }) => isHidden && held.has(row))
          .map(({ row }) => row);
        expect(hidden).toEqual(one.hiddenRows.filter((row) => held.has(row)).sort());
        const byPlace = (a: { row: number; col: number }, b: { row: number; col: number }) =>
          a.row - b.row || a.col - b.col;
        expect([...read.notes].sort(byPlace)).toEqual([...one.notes].sort(byPlace));
        for (const { width } of read.columns) expect(Math.round(width! * 7 + 5)).toBe(one.width);
      }
      const count = given.length === 1 ? 1 : 3;
      expect(book.names.map(({ name, sheet: on, formula }) => ({ name, sheet: on, formula }))).toEqual(
        names.slice(0, count),
      );
      const ledger = book.sheets.find(({ name }) => name === "_inv");
      const kept =
        ledger?.cells.filter(({ row, col }) => row >= 2 && col === 3).map(({ value }) => value) ?? [];
      expect(kept).toEqual(given.filter(({ inv }) => inv).map(() => "INV.QTY(1234,A1)"));
      expect(ledger?.isHidden ?? true).toBe(true);
    }),
    { numRuns: 40 },
  );
});
