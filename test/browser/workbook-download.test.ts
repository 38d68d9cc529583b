/** The browser workbook downloaded as an .xlsx file: its content, read by an independent library. */
import ExcelJS from "exceljs";
import { readFileSync } from "node:fs";
import { openWithScratch } from "./workbook-page";

test("downloads values, styles and the ledger as .xlsx", async () => {
  const workbook = await openWithScratch();
  const { page } = workbook;
  await workbook.port(
    (port) =>
      port.write({ sheet: "Scratch", row: 0, col: 0, rows: 1, cols: 1 }, [
        ['=INV.QTY(1234,"00012345678905")'],
      ]),
    null,
  );
  await workbook.settled();
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
  expect(download.suggestedFilename()).toMatch(/^INV .*\.xlsx$/);
  const file = new ExcelJS.Workbook();
  await file.xlsx.load(readFileSync(await download.path()) as unknown as ArrayBuffer);
  const planning = file.getWorksheet("Planning")!;
  const shown = await workbook.values("Planning", 1, 0, 5, 5);
  for (const [row, line] of shown.entries()) {
    for (const [col, value] of line.entries()) {
      const cell = planning.getCell(row + 2, col + 1);
      const held = cell.type === ExcelJS.ValueType.Formula ? cell.result : cell.value;
      expect(held ?? null).toEqual(value);
    }
  }
  expect(planning.getCell("A2").value).toBe(1234);
  expect(planning.getCell("B2").value).toBe("00012345678905");
  expect(planning.getCell("G2").numFmt).toBe("yyyy-mm-dd hh:mm");
  expect(planning.getColumn(2).width).toBeGreaterThan(10);
  expect(planning.views[0]).toMatchObject({ state: "frozen", ySplit: 1 });
  const headings = planning.getRow(1).values as (string | undefined)[];
  const { note } = planning.getCell(1, headings.indexOf("Backroom"));
  expect(typeof note === "string" ? note : note.texts?.map((part) => part.text).join("")).toMatch(
    /^A dash: the service has no backroom record/,
  );
  const ledger = file.getWorksheet("_inv")!;
  expect(ledger.state).toBe("veryHidden");
  expect(ledger.getCell("A1").value).toBe("INV ledger");
  const formulas = ledger.getColumn(4).values.map(String);
  expect(formulas).toContain("INV.QTY(A2,B2)");
  expect(workbook.complaints).toEqual([]);
});
