/** What INV does to cells, tried on an empty sheet: kinds of values, formats, spills, tables. */
import { withoutKind } from "../../src/workbook/cell-content";
import { isInvFormula } from "../../src/formula/calls";
import { type ActionCheck, type CheckBed, inExcel, areaOnBed, seenIn, settled } from "./check";

const gtin = '"00012345678905"';
const number = `=INV.QTY(1234,${gtin})`;

export const cellActions: readonly ActionCheck[] = [
  {
    id: "kinds",
    fact: "INV distinguishes an error from a text that looks the same, in every language",
    action: "Writes the text #N/A and the formula =NA(), and reads both",
    expected: "text #N/A, error #N/A",
    sure: "documented",
    reliedOnIn: "workbook/office/contents.ts",
    run: inExcel(async (bed) => {
      await bed.workbook.write(areaOnBed(bed, "A1"), [["#N/A"]], { asText: true });
      await bed.workbook.write(areaOnBed(bed, "B1"), [["=NA()"]]);
      const [row = []] = await settled(bed, areaOnBed(bed, "A1:B1"));
      return row.map((cell) => `${typeof cell === "object" ? "error" : "text"} ${seenIn(cell)}`).join(", ");
    }),
  },
  {
    id: "apostrophe",
    fact: "Text that looks like a formula isn't read as a formula",
    action: "Writes '=INV.QTY(1,2) as text and looks for formulas",
    expected: "none found",
    sure: "reported",
    source: "office-js 6687",
    reliedOnIn: "workbook/office/find.ts",
    async run(bed) {
      await bed.workbook.write(areaOnBed(bed, "A1"), [["=INV.QTY(1,2)"]], { asText: true });
      return found(await formulasOn(bed));
    },
  },
  {
    id: "number-format",
    fact: "A number format is read as it was set, whatever the regional settings",
    action: "Sets 0.00 and yyyy-mm-dd, and reads both",
    expected: "0.00, yyyy-mm-dd",
    sure: "documented",
    reliedOnIn: "workbook/office/formatting.ts",
    async run(bed) {
      await bed.workbook.format(areaOnBed(bed, "A1"), { numberFormat: "0.00" });
      await bed.workbook.format(areaOnBed(bed, "B1"), { numberFormat: "yyyy-mm-dd" });
      const [row = []] = await bed.workbook.formatsOf(areaOnBed(bed, "A1:B1"));
      return row.map(({ numberFormat }) => numberFormat).join(", ");
    },
  },
  {
    id: "spill",
    fact: "A spilled formula is one cell, and Excel reports its extent",
    action: "Writes one formula over three stores, and reads its extent",
    expected: "1 formula over 3 by 1",
    sure: "documented",
    source: "learn.microsoft.com: handle dynamic arrays and spilling",
    reliedOnIn: "workbook/office/extents.ts",
    async run(bed) {
      await bed.workbook.write(areaOnBed(bed, "A1:A3"), [[1234], [12], [1234]]);
      await bed.workbook.write(areaOnBed(bed, "C1"), [[`=INV.QTY(A1:A3,${gtin})`]]);
      await settled(bed, areaOnBed(bed, "C1:C3"));
      const formulas = await formulasOn(bed);
      const [extent] = await bed.workbook.extents([areaOnBed(bed, "C1")]);
      return `${formulas.length} formula over ${extent?.rows ?? 0} by ${extent?.cols ?? 0}`;
    },
  },
  {
    id: "dependents",
    fact: "Excel calculates all cells that depend on a refreshed cell",
    action: "Refreshes A1 below =A1*2 and =B1+1, and compares",
    expected: "they agree",
    sure: "documented",
    source: "learn.microsoft.com: Excel.CalculationType",
    reliedOnIn: "workbook/office/recalculate.ts",
    async run(bed) {
      await bed.workbook.write(areaOnBed(bed, "A1:C1"), [[number, "=A1*2", "=B1+1"]]);
      await settled(bed, areaOnBed(bed, "A1:C1"));
      await bed.workbook.recalculate([areaOnBed(bed, "A1")]);
      const [row = []] = await settled(bed, areaOnBed(bed, "A1:C1"));
      const [stock, twice, more] = row.map(withoutKind);
      const agree = typeof stock === "number" && twice === stock * 2 && more === stock * 2 + 1;
      return agree ? "they agree" : `${String(stock)}, ${String(twice)}, ${String(more)}`;
    },
  },
  {
    id: "scattered",
    fact: "Cells that do not touch are refreshed together",
    action: "Refreshes C1 and E1",
    expected: "a number, a number",
    sure: "documented",
    reliedOnIn: "workbook/office/recalculate.ts",
    async run(bed) {
      const cells = [areaOnBed(bed, "C1"), areaOnBed(bed, "E1")];
      for (const cell of cells) await bed.workbook.write(cell, [[number]]);
      for (const cell of cells) await settled(bed, cell);
      await bed.workbook.recalculate(cells);
      const seen: string[] = [];
      for (const cell of cells) seen.push(seenIn((await settled(bed, cell))[0]?.[0]));
      return seen.join(", ");
    },
  },
  {
    id: "table",
    fact: "A Table may contain INV formulas, whether or not Excel fills their column by itself",
    action: "Makes a Table of three rows, writes a formula into one",
    expected: null,
    sure: "reported",
    source: "office-js 5909, 6745, 2093",
    reliedOnIn: "workbook/build-sheet.ts",
    run: inExcel(async (bed) => {
      await bed.workbook.write(areaOnBed(bed, "A1:B4"), [
        ["Store", "Stock"],
        [1234, null],
        [12, null],
        [1234, null],
      ]);
      await bed.workbook.addTable(areaOnBed(bed, "A1:B4"), "INV_check");
      await bed.workbook.write(areaOnBed(bed, "B2"), [[`=INV.QTY([@Store],${gtin})`]]);
      const [[first] = []] = await settled(bed, areaOnBed(bed, "B2"));
      const formulas = await formulasOn(bed);
      return `${seenIn(first)}; ${formulas.length === 1 ? "only that cell" : `${formulas.length} cells filled`}`;
    }),
  },
  {
    id: "rule-formula",
    fact: "The formula of a rule comes back as it was written",
    action: "Adds a rule with the formula =$B1>2, and reads the sheet's rules",
    expected: "=$B1>2",
    sure: "assumed",
    reliedOnIn: "workbook/office/highlights.ts",
    run: inExcel(async ({ workbook, ...bed }) => {
      const rule = { kind: "formula", formula: "=$B1>2", fill: "#FFF3CD" } as const;
      await workbook.highlight(areaOnBed(bed, "A1:A3"), rule);
      const [found] = await workbook.highlightsOf(bed.sheet);
      return found?.rule?.kind === "formula" ? found.rule.formula : (found?.name ?? "no rule");
    }),
  },
  {
    id: "copied-values",
    fact: "A copy of INV cells has plain values",
    action: "Copies a sheet with one INV formula with values, and reads the copy",
    expected: "a number, no formula",
    sure: "documented",
    source: "learn.microsoft.com: Range.copyFrom",
    reliedOnIn: "workbook/office/copy-sheets.ts",
    run: inExcel(async (bed) => {
      const { workbook, sheet } = bed;
      await workbook.write(areaOnBed(bed, "A1"), [[number]]);
      await settled(bed, areaOnBed(bed, "A1"));
      const to = `${sheet} copy`.slice(0, 31);
      await workbook.copyWithValues([{ area: areaOnBed(bed, "A1"), to, above: [], formats: [], errors: [] }]);
      const copied = areaOnBed({ sheet: to }, "A1");
      const [[content] = []] = await settled({ ...bed, sheet: to }, copied);
      const { length } = await workbook.findFormulas(isInvFormula, [copied]);
      const copy = (await workbook.sheets()).find(({ name }) => name === to);
      if (copy !== undefined) await workbook.deleteSheet(copy.id);
      return `${seenIn(content)}, ${length === 0 ? "no formula" : "a formula"}`;
    }),
  },
];

async function formulasOn(bed: CheckBed) {
  return bed.workbook.findFormulas(isInvFormula, [areaOnBed(bed, "A1:AN400")]);
}

function found({ length }: readonly unknown[]): string {
  return length === 0 ? "none found" : `${length} found`;
}
