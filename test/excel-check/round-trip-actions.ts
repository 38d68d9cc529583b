/** INV's assumptions about names and undo groups. Only Excel can confirm them. */
import { type ActionCheck, areaOnBed, inExcel } from "./check";

export const roundTripActions: readonly ActionCheck[] = [
  {
    id: "sheet-names",
    fact: "Names of a sheet are read beside those of the workbook, and do not need a selected cell",
    action: "Reads workbook.names and the sheet's names",
    expected: "both read",
    sure: "reported",
    source: "office-js 6365",
    reliedOnIn: "workbook/office/names.ts",
    run: inExcel(async ({ probes, sheet }) => {
      await probes.namesOf(null);
      await probes.namesOf(sheet);
      return "both read";
    }),
  },
  {
    id: "pages-of-names",
    fact: "Names are read in pages",
    action: "Adds three names, and reads a page of two and the one after it",
    expected: "2 and 1",
    sure: "documented",
    reliedOnIn: "workbook/office/names.ts",
    run: inExcel(async (bed) => {
      const others = (await bed.probes.namesOf(null)).length;
      const names = [1, 2, 3].map((row) => `_inv_check_page_${row}`);
      for (const name of names) await bed.probes.addName(name, "=1");
      const pages = [
        await bed.probes.pageOfNames(others + 2, 0),
        await bed.probes.pageOfNames(5, others + 2),
      ];
      for (const name of names) await bed.probes.deleteName(name);
      return `${(pages[0] ?? 0) - others} and ${pages[1] ?? 0}`;
    }),
  },
  {
    id: "undo-group",
    fact: "Excel groups several steps into one undo; if it refuses, INV continues without",
    action: "Writes a cell in an undo group, and notes the code of a refusal",
    expected: null,
    sure: "documented",
    source: "learn.microsoft.com: undo support; office-js 6255, 6491, 6711",
    reliedOnIn: "workbook/office/excel-batches.ts",
    run: inExcel(async (bed) => {
      if (!bed.probes.supports("ExcelApi", "1.20")) return "no groups";
      const code = await bed.probes.groupRefusal(areaOnBed(bed, "A1"));
      return code === null ? "accepted" : `refused: ${code}`;
    }),
  },
];
