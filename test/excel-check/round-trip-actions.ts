/** INV's assumptions about names, undo groups and batches. Only Excel can confirm them. */
import { type ActionCheck, areaOnBed, inExcel } from "./check";

export const roundTripActions: readonly ActionCheck[] = [
  {
    id: "copied-names",
    fact: "A copied sheet gets names of its own for its cells; the workbook's name stays with the original",
    action: "Gives A1 a hidden name, copies the sheet, and reads where both names are",
    expected: "workbook: original; copy: copy",
    sure: "documented",
    reliedOnIn: "workbook/office/names.ts",
    run: inExcel(async (bed) => {
      const name = "_inv_check_copied";
      await bed.workbook.addHiddenNames([{ name, area: areaOnBed(bed, "A1") }]);
      const copy = await bed.probes.copySheet(bed.sheet);
      try {
        const place = async (scope: string | null): Promise<string> => {
          const formula = (await bed.probes.namesOf(scope)).find((each) => each.name === name)?.formula ?? "";
          return formula === "" ? "no name" : formula.includes(copy) ? "copy" : "original";
        };
        return `workbook: ${await place(null)}; copy: ${await place(copy)}`;
      } finally {
        await bed.workbook.deleteSheet(copy);
        await bed.workbook.deleteNames([name]);
      }
    }),
  },
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
      const names = [1, 2, 3].map((row) => ({
        name: `_inv_check_page_${row}`,
        area: areaOnBed(bed, `A${row}`),
      }));
      await bed.workbook.addHiddenNames(names);
      const pages = [
        await bed.probes.pageOfNames(others + 2, 0),
        await bed.probes.pageOfNames(5, others + 2),
      ];
      await bed.workbook.deleteNames(names.map(({ name }) => name));
      return `${(pages[0] ?? 0) - others} and ${pages[1] ?? 0}`;
    }),
  },
  {
    id: "undo-group",
    fact: "Excel groups several steps into one undo; if it refuses, INV continues without",
    action: "Writes a cell in an undo group, and notes the code of a refusal",
    expected: null,
    sure: "reported",
    source: "office-js 6255, 6491, 6711",
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
    sure: "assumed",
    reliedOnIn: "workbook/office/anchors.ts",
    run: inExcel(async (bed) => {
      const name = "_inv_check_moved";
      const area = areaOnBed(bed, "A1:A3");
      const cell = { formula: null, content: "written", numberFormat: null };
      const write = { anchor: { name, sheet: null }, block: area, area, cells: [[cell], [cell], [cell]] };
      await bed.workbook.addHiddenNames([{ name, area }]);
      await bed.probes.insertRow(area);
      const outcome = await bed.workbook.exchange({ writes: [write], beside: [] }).then(
        () => "written",
        () => "refused",
      );
      const contents = await bed.workbook.contents(areaOnBed(bed, "A1:A4"));
      await bed.workbook.deleteNames([name]);
      return `${outcome}; ${contents.flat().includes("written") ? "written" : "nothing written"}`;
    }),
  },
  {
    id: "failed-batch",
    fact: "Whether a batch that fails leaves what ran before the failure; INV reads back after every failure",
    action: "Writes A1, and asks in the same batch for a sheet that is not there",
    expected: null,
    sure: "assumed",
    reliedOnIn: "workbook/office/named-column.ts",
    run: inExcel(async (bed) => {
      const code = await bed.probes.failAfterWrite(areaOnBed(bed, "A1"));
      const [[content] = []] = await bed.workbook.contents(areaOnBed(bed, "A1"));
      return `${code}; ${content === "written" ? "half of it was done" : "nothing was done"}`;
    }),
  },
  {
    id: "round-trip",
    fact: "How long a round trip to Excel takes",
    action: "Times twenty round trips",
    expected: null,
    sure: "assumed",
    reliedOnIn: "workbook/office/excel-batches.ts",
    run: inExcel(async ({ probes }) => `${(await probes.roundTripMs()).toFixed(1)} ms`),
  },
];
