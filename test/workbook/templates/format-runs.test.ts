/** The look of a sheet as runs of equal cells, for templates that are made from a sheet. */
import { fc } from "../../helpers/properties";
import type { CellFormat } from "../../../src/workbook/port";
import { formatRuns } from "../../../src/workbook/templates/from-sheet";
import { createMemoryWorkbook } from "../memory-workbook";

test("runs of formats reproduce what was read, and the last row's format continues below", async () => {
  const format = fc.constantFrom<CellFormat>({}, { bold: true }, { fill: "#ffffff" }, { align: "right" });
  const column = fc.array(format, { minLength: 1, maxLength: 70 });
  await fc.assert(
    fc.asyncProperty(fc.array(column, { minLength: 1, maxLength: 3 }), async (columns) => {
      const workbook = createMemoryWorkbook(["Plan"]);
      const rows = Math.max(...columns.map(({ length }) => length));
      const wanted = Array.from({ length: rows }, (_, row) => columns.map((each) => each[row] ?? {}));
      workbook.formatsOf = async (read) => wanted.slice(read.row, read.row + read.rows);
      const { runs } = await formatRuns(workbook, {
        sheet: "Plan",
        row: 0,
        col: 0,
        rows,
        cols: columns.length,
      });
      const painted = wanted.map((line) => line.map((): CellFormat => ({})));
      for (const run of runs) {
        for (let row = run.area.row; row < run.area.row + run.area.rows; row += 1) {
          expect(painted[row]?.[run.area.col]).toEqual({});
          painted[row]![run.area.col] = run.format;
        }
      }
      expect(painted).toEqual(wanted.map((_, row) => wanted[Math.min(row, 59)]));
    }),
    { numRuns: 100 },
  );
});
