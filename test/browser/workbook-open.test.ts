/**
 * The browser workbook opens .xlsx files: its own downloads, files that Excel writes, and hostile files. The tests read
 * them through the workbook's grid, so that they compare what a person would see.
 */
import ExcelJS from "exceljs";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { markSetting } from "../../src/workbook/settings";
import { button, openTab } from "./pane-parts";
import { problemsInBothThemes, eventually } from "./support";
import { openScratch, type WorkbookPage } from "./workbook-page";

interface Given {
  readonly name: string;
  readonly buffer: Buffer;
}

async function choose(page: Page, file: Given): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("#open")]);
  await chooser.setFiles({ ...file, mimeType: "application/octet-stream" });
}

/** Answers the page's next question. Resolves with the question. If yes, the page loads again. */
function answer(page: Page, isYes: boolean): Promise<string> {
  return new Promise((resolve) => {
    page.once("dialog", (dialog) => {
      resolve(dialog.message());
      void (isYes ? dialog.accept() : dialog.dismiss());
    });
  });
}

async function download(page: Page): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
  return readFileSync(await file.path());
}

/** Waits until the file's first sheet is there. */
async function opened(workbook: WorkbookPage, sheet: string): Promise<void> {
  await workbook.page.waitForEvent("load");
  await workbook.settled();
  expect((await workbook.sheetNames())[0]).toBe(sheet);
}

/** The grid reads a formula's empty text sometimes as "" and sometimes as null. */
const texts = (values: readonly (readonly unknown[])[]) =>
  values.map((row) => row.map((value) => value ?? ""));

async function contents(workbook: WorkbookPage) {
  return workbook.port(async (port) => {
    const sheets = (await port.sheets()).filter(({ name }) => !name.startsWith("_inv"));
    const read = [];
    for (const { name, visible } of sheets) {
      const area = await port.usedArea(name);
      if (area === null) continue;
      read.push({
        ...{ name, visible, values: await port.read(area, "values"), formats: await port.formatsOf(area) },
        formulas: await port.read(area, "formulas"),
      });
    }
    return { read, names: await port.names() };
  }, null);
}

test("an opened download equals the workbook, and can be thawed and refreshed", async () => {
  const mine = await openScratch();
  await mine.port(async (port) => {
    const at = (row: number, col: number, rows: number, cols: number) => ({
      sheet: "Scratch",
      row,
      col,
      rows,
      cols,
    });
    await port.write(at(0, 0, 4, 2), [
      ['=INV.QTY(1234,"00012345678905")', "=A1*2"],
      ["=SEQUENCE(3)", 45000.123456789],
      [null, true],
      [null, '=A1&"A1"'],
    ]);
    await port.writeText(at(5, 0, 1, 2), [["00012345678905", "=1+1"]]);
    await port.write(at(7, 0, 1, 1), [["=INV.EVENTTYPES()"]]);
    const other = await port.addSheet("Other", { frozenRows: 1 });
    await port.write({ sheet: other, row: 0, col: 0, rows: 2, cols: 1 }, [
      ["On hand"],
      ['=IFNA(INV.QTY(1234,"00012345678912"),"")+Scratch!A1'],
    ]);
    await port.format(at(1, 1, 1, 1), {
      numberFormat: "yyyy-mm-dd hh:mm",
      bold: true,
      fill: "#ffeeaa",
      widthPx: 150,
    });
    await port.addHiddenNames([{ name: "Stores_North", area: at(1, 1, 1, 1) }]);
  }, null);
  await mine.settled();
  const before = await contents(mine);
  const file = { name: "INV plan.xlsx", buffer: await download(mine.page) };
  await mine.page.context().close();

  const theirs = await openScratch();
  await theirs.port((port, key) => port.setSetting(key, "a mark of this device"), markSetting);
  const asked = answer(theirs.page, true);
  const isOpened = opened(theirs, "Scratch");
  await choose(theirs.page, file);
  expect(await asked).not.toContain("Not shown");
  await isOpened;
  const after = await contents(theirs);
  const frozen = new Map(before.read.map((sheet) => [sheet.name, sheet]));
  expect(after.read.map(({ name, visible }) => [name, visible])).toEqual(
    before.read.map(({ name, visible }) => [name, visible]),
  );
  for (const sheet of after.read) {
    const was = frozen.get(sheet.name)!;
    expect(texts(sheet.values)).toEqual(texts(was.values));
    const upper = (formats: unknown) => JSON.stringify(formats).toUpperCase();
    expect(upper(sheet.formats)).toBe(upper(was.formats));
    // The download contains values instead of INV's own formulas.
    const isInv = (formula: unknown) => typeof formula === "string" && formula.includes("INV.");
    const kept = was.formulas.map((row, r) =>
      row.map((formula, c) => (isInv(formula) ? was.values[r]?.[c] : formula)),
    );
    expect(texts(sheet.formulas)).toEqual(texts(kept));
  }
  expect(after.names).toEqual(before.names);
  expect(await theirs.port((port, key) => port.setting(key), markSetting)).toBeNull();

  const pane = theirs.pane();
  await button(pane, /^\s*Thaw\s*$/)
    .first()
    .click();
  await pane.getByText(/cells thawed\./).waitFor();
  await theirs.settled();
  const thawed = await contents(theirs);
  expect(thawed.read.map(({ formulas }) => texts(formulas))).toEqual(
    before.read.map(({ formulas }) => texts(formulas)),
  );
  const calls = theirs.searches.length;
  await openTab(pane, "Refresh");
  await button(pane, /^\s*Refresh/).click();
  await pane.getByText(/cells refreshed/).waitFor();
  expect(theirs.searches.length).toBeGreaterThan(calls);
  await theirs.settled();
  expect(theirs.complaints).toEqual([]);
});

/** A file as a colleague's Excel would save it, as far as the library can write it. */
async function colleaguesFile(): Promise<Given> {
  const file = new ExcelJS.Workbook();
  const plan = file.addWorksheet("Plan", { views: [{ state: "frozen", ySplit: 1, xSplit: 0 }] });
  plan.columns = [{ width: 12 }, { width: 22 }, { width: 14 }, { width: 30 }];
  plan.addRow(["Store", "Item", "On hand", "Note"]).font = { bold: true, color: { argb: "FFFFFFFF" } };
  plan.getRow(1).fill = { type: "pattern", pattern: "solid", fgColor: { argb: "FF1F3A5F" } };
  plan.addRow([
    1234,
    "00012345678905",
    { formula: "_xldudf_INV_QTY(A2,B2)", result: { error: "#NAME?" } },
    "a\nb",
  ]);
  plan.addRow([
    1234,
    "00012345678905",
    { formula: "C2*2", result: 84 },
    { formula: "WEBSERVICE(B3)", result: "seen" },
  ]);
  plan.mergeCells("A5:D5");
  plan.getCell("A5").value = "Merged over four columns";
  plan.getCell("A5").border = { top: { style: "thick", color: { argb: "FFCC0000" } } };
  plan.getCell("C2").note = "A note";
  plan.getCell("D2").dataValidation = { type: "list", formulae: ['"a,b"'] };
  plan.addConditionalFormatting({
    ref: "C2:C3",
    rules: [
      {
        ...{ type: "cellIs", operator: "greaterThan", formulae: [50], priority: 1 },
        style: { fill: { type: "pattern", pattern: "solid", bgColor: { argb: "FFFFC7CE" } } },
      },
    ],
  });
  file.addWorksheet("Behind", { state: "hidden" }).addRow([1, 2]);
  return { name: "Budget <b>.xlsx", buffer: Buffer.from(await file.xlsx.writeBuffer()) };
}

test("changes nothing after Cancel or for a damaged file by keyboard, and opens a file that is dropped on the page", async () => {
  const workbook = await openScratch();
  const { page } = workbook;
  const before = await contents(workbook);
  // A busy page may handle a key before its file choosers are intercepted. The page answers `focus` first, which prevents that.
  const open = async () => {
    await page.focus("#open");
    await page.keyboard.press("Enter");
  };
  const question = answer(page, false);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), open()]);
  const theirs = await colleaguesFile();
  await chooser.setFiles({ ...theirs, mimeType: "application/octet-stream" });
  await question;
  await eventually(async () =>
    expect(await page.evaluate(() => document.activeElement?.id ?? "")).toBe("open"),
  );
  expect(await contents(workbook)).toEqual(before);

  const { buffer } = theirs;
  const damaged = Buffer.concat([buffer.subarray(0, 900), Buffer.alloc(300), buffer.subarray(1_200)]);
  await choose(page, { name: "x.xlsx", buffer: damaged });
  await page.locator("#reason", { hasText: /^The file is damaged: / }).waitFor();
  await eventually(async () => expect(await page.isEnabled("#open")).toBe(true));
  expect(await contents(workbook)).toEqual(before);

  const { name } = theirs;
  const dropQuestion = answer(page, true);
  const isOpened = opened(workbook, "Plan");
  await page.evaluate(
    ({ text, fileName }) => {
      const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
      const carried = new DataTransfer();
      carried.items.add(new File([bytes], fileName));
      document
        .querySelector("#grid canvas")
        ?.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: carried }));
    },
    { text: buffer.toString("base64"), fileName: name },
  );
  expect(await dropQuestion).toMatch(
    /^Open Budget <b>\.xlsx\?\n\nIt has 2 sheets \(Plan, Behind\) and 2 formulas\./,
  );
  expect(await dropQuestion).toContain(
    "Not shown here, and not in a download from here: conditional formats, rules for what may be typed, formulas that reach out of the workbook (their values stay).",
  );
  await isOpened;
  const [shown, sheets] = [await workbook.values("Plan", 1, 2, 2, 2), await contents(workbook)];
  expect(shown[0]?.[0]).toEqual(expect.any(Number));
  expect(shown[1]).toEqual([Number(shown[0]?.[0]) * 2, "seen"]);
  expect(sheets.read.map(({ name: sheet, visible }) => [sheet, visible])).toEqual([
    ["Plan", true],
    ["Behind", false],
  ]);
  expect(sheets.read[0]?.formulas[1]?.[2]).toBe("=INV.QTY(A2,B2)");
  expect(sheets.read[0]?.formats[0]?.[0]).toMatchObject({ bold: true, fill: "#1F3A5F", color: "#FFFFFF" });
  expect(await problemsInBothThemes(page)).toEqual([]);
  await page.reload();
  await workbook.settled();
  expect(await workbook.values("Plan", 1, 2, 2, 2)).toEqual(shown);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
  const file = new ExcelJS.Workbook();
  await file.xlsx.load(readFileSync(await download.path()) as unknown as ArrayBuffer);
  expect(file.getWorksheet("Plan")?.getCell("A5").border).toEqual({
    top: { style: "thick", color: { argb: "FFCC0000" } },
  });
  expect(workbook.complaints).toEqual([]);
});
