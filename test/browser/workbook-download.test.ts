/** The browser workbook taken along as an .xlsx file: what stands in it, read by the file's own library. */
import ExcelJS from "exceljs";
import { readFileSync } from "node:fs";
import { openWithScratch } from "./workbook-page";

test("downloaded, text stays text, and colours that follow values are there", async () => {
  const workbook = await openWithScratch();
  const { page } = workbook;
  const hostile = '=HYPERLINK("http://127.0.0.1/"&A1,"x")';
  await workbook.port(async (port, text) => {
    await port.writeText({ sheet: "Scratch", row: 0, col: 0, rows: 2, cols: 1 }, [[text], ["=1+1"]]);
    await port.write({ sheet: "Scratch", row: 2, col: 0, rows: 3, cols: 1 }, [["=1+1"], [5], [7]]);
    const colors = ["#ff0000", "#ffffff", "#00ff00"] as const;
    await port.highlight({ sheet: "Scratch", row: 2, col: 0, rows: 3, cols: 1 }, { kind: "heat", colors });
    await port.highlight(
      { sheet: "Scratch", row: 2, col: 1, rows: 3, cols: 1 },
      { kind: "bars", color: "#1f3a5f" },
    );
  }, hostile);
  await workbook.settled();
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
  const file = new ExcelJS.Workbook();
  await file.xlsx.load(readFileSync(await download.path()) as unknown as ArrayBuffer);
  const sheet = file.getWorksheet("Scratch")!;
  expect([sheet.getCell("A1").value, sheet.getCell("A2").value]).toEqual([hostile, "=1+1"]);
  expect(sheet.getCell("A3").value).toMatchObject({ formula: "1+1", result: 2 });
  interface FileRule {
    readonly type: string;
    readonly formulae?: readonly string[];
    readonly cfvo?: readonly { readonly type: string; readonly value?: number }[];
    readonly color?: unknown;
    readonly style?: { readonly fill?: { readonly bgColor?: unknown } };
  }
  const rulesOf = (name: string) =>
    (
      file.getWorksheet(name) as unknown as {
        conditionalFormattings: readonly { ref: string; rules: readonly FileRule[] }[];
      }
    ).conditionalFormattings.flatMap(({ ref, rules }) => rules.map((rule) => ({ ref, ...rule })));
  const [bars, heat] = rulesOf("Scratch");
  expect(heat).toMatchObject({ ref: "A3:A5", type: "colorScale" });
  expect(heat?.cfvo?.map(({ type, value }) => [type, value])).toEqual([
    ["min", undefined],
    ["percentile", 50],
    ["max", undefined],
  ]);
  expect(heat?.color).toEqual([{ argb: "FFFF0000" }, { argb: "FFFFFFFF" }, { argb: "FF00FF00" }]);
  expect(bars).toMatchObject({ ref: "B3:B5", type: "dataBar", color: { argb: "FF1F3A5F" } });
  const [order] = rulesOf("Planning").filter(({ formulae }) => formulae?.[0]?.includes('"order"'));
  expect(order).toMatchObject({ type: "expression" });
  expect(order?.style?.fill?.bgColor).toBeDefined();
  expect(workbook.complaints).toEqual([]);
  await page.context().close();
});

test("downloaded as .xlsx it holds values, styles and the ledger, so that Excel with INV offers to thaw", async () => {
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
  await page.close();
});
