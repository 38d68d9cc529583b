/** INV's assumptions about names, undo groups and batches. Only Excel can confirm them. */
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
  {
    id: "moved-block",
    fact: "Excel refuses a batch over a block that has moved, before anything of it is written",
    action: "Names A1:A3, inserts a row above, and writes where the block was",
    expected: "refused; nothing written",
    sure: "documented",
    source: "learn.microsoft.com: OfficeExtension.Error, Range.getIntersection",
    reliedOnIn: "workbook/office/replace.ts",
    run: inExcel(async (bed) => {
      const name = "_inv_check_moved";
      const area = areaOnBed(bed, "A1:A3");
      await bed.probes.addName(name, `='${bed.sheet}'!$A$1:$A$3`);
      await bed.probes.insertRow(area);
      const outcome = (await bed.probes.writeInPlace(name, area)) === null ? "written" : "refused";
      const [contents = []] = await bed.workbook.contentsOf([areaOnBed(bed, "A1:A4")]);
      await bed.probes.deleteName(name);
      return `${outcome}; ${contents.flat().includes("written") ? "written" : "nothing written"}`;
    }),
  },
  {
    id: "left-name",
    fact: "A name that a crash has left doesn't stop a write, and goes with it",
    action: "Leaves the name of a write, then replaces a text and looks for the name",
    expected: "1 written, no name",
    sure: "reported",
    reliedOnIn: "workbook/office/replace.ts",
    run: inExcel(async (bed) => {
      await bed.workbook.write(areaOnBed(bed, "A1"), [["before"]]);
      await bed.probes.addName("_inv_write", `='${bed.sheet}'!$A$9`);
      const { cells } = await bed.workbook.replace(areaOnBed(bed, "A1"), [[{ from: "before", to: "after" }]]);
      const names = (await bed.probes.namesOf(null)).filter(({ name }) => name === "_inv_write");
      return `${cells} written, ${names.length === 0 ? "no name" : "a name"}`;
    }),
  },
  {
    id: "failed-batch",
    fact: "A batch that fails leaves what ran before the failure; INV reads back after every failure",
    action: "Writes A1, and asks in the same batch for a sheet that is not there",
    expected: null,
    sure: "documented",
    source: "learn.microsoft.com: OfficeExtension.Error, traceMessages",
    reliedOnIn: "workbook/office/replace.ts",
    run: inExcel(async (bed) => {
      const code = await bed.probes.failAfterWrite(areaOnBed(bed, "A1"));
      const [[[content] = []] = []] = await bed.workbook.contentsOf([areaOnBed(bed, "A1")]);
      return `${code}; ${content === "written" ? "half of it was done" : "nothing was done"}`;
    }),
  },
];
