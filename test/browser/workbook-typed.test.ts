/** What a planner types, pastes and fills on an English and on a German system. */
import type { CellValue } from "../../src/workbook/port";
import { openScratch, scratch, type WorkbookPage } from "./workbook-page";

/** Typed text, value, and shown text. test/browser-workbook/paste/typed-text.test.ts has more. */
const typedIn = {
  "en-US": [
    ["1,234.50", 1234.5, "1,234.50"],
    ["1,707", 1707, "1,707"],
    ["12.5 %", 0.125, "12.5%"],
    ["1/2", "1/2", "1/2"],
    ["11/23/2026", 46349, "11/23/2026"],
    ["23.11.2026", "23.11.2026", "23.11.2026"],
    ["$12.50", "$12.50", "$12.50"],
    ["(3)", "(3)", "(3)"],
    ["\u22125", -5, "-5"],
    ["00012345678905", "00012345678905", "00012345678905"],
    ["true", true, "TRUE"],
  ],
  "de-DE": [
    ["1,500", 1.5, "1,5"],
    ["1.707", 1707, "1.707"],
    ["1.234,50", 1234.5, "1.234,50"],
    ["12,5 %", 0.125, "12,5%"],
    ["1,5E3", 1500, "1500"],
    ["23.11.2026", 46349, "23.11.2026"],
    ["11/23/2026", "11/23/2026", "11/23/2026"],
    ["1.5", "1.5", "1.5"],
    ["12,50 €", "12,50 €", "12,50 €"],
    ["\u22125", -5, "-5"],
    ["00012345678905", "00012345678905", "00012345678905"],
    ["true", true, "TRUE"],
  ],
} as const;

const twoWays =
  "#VALUE! A semicolon isn't available between arguments here. Use commas between arguments and a point for decimals.";
const pointInStore =
  "#VALUE! 1.234 can be read in two ways. Write a store as 1234, and a number with decimals as 1,234.";
const notEnglish = "#NAME? RUNDEN isn't known here. This workbook uses English function names.";

/** Typed formula, what the cell then contains, its value, and the reason of an error. */
const formulasIn = {
  "en-US": [
    ['=SUM({1;2};3)&"a;b,c"', '=SUM({1;2},3)&"a;b,c"', "6a;b,c"],
    ["=SUM(D1;D2)*1.5", "=SUM(D1,D2)*1.5", 21],
    ["=SUM(1,5;2)", "=SUM(1,5;2)", "#VALUE!", twoWays],
    ["=RUNDEN(D1*1,5;1)", "=RUNDEN(D1*1,5;1)", "#VALUE!", twoWays],
  ],
  "de-DE": [
    ['=SUM({1;2};3)&"a;b,c"', '=SUM({1;2},3)&"a;b,c"', "6a;b,c"],
    ["=SUM(D1;D2)*1,5", "=SUM(D1,D2)*1.5", 21],
    ["=SUM(1,5;2)", "=SUM(1.5,2)", 3.5],
    ["=D2*1,19", "=D2*1.19", 11.9],
    ["=RUNDEN(D1*1,5;1)", "=RUNDEN(D1*1.5,1)", "#NAME?", notEnglish],
    ["=SUM(D1,D2;3)", "=SUM(D1,D2;3)", "#VALUE!", twoWays],
    ["=INV.QTY(1.234;A2)", "=INV.QTY(1.234;A2)", "#VALUE!", pointInStore],
  ],
} as const satisfies Record<string, readonly (readonly [string, string, CellValue, string?])[]>;

/** For `before`: the tests' clock begins at half past eleven in UTC. An hour earlier, midnight is far off in both time zones below. */
function anHourEarlier(): void {
  const now = Date.now.bind(Date);
  Date.now = () => now() - 3_600_000;
}

// Two time zones with different days: at half past ten in UTC, it is half past twelve on the next day in the first, or half past ten in
// the evening before in the second.
describe.each([
  ["en-US", "Pacific/Kiritimati"],
  ["de-DE", "Etc/GMT+12"],
] as const)("on a system in %s, in %s", (locale, timezone) => {
  let workbook: WorkbookPage;
  beforeAll(async () => {
    workbook = await openScratch({ locale, timezone, before: anHourEarlier });
  });

  /** Opens a cell of the first column, changes it and changes it back. */
  async function editAgain(row: number): Promise<void> {
    await workbook.select(scratch, row, 0);
    await workbook.focusGrid();
    for (const key of ["F2", "0", "Backspace", "Enter"]) await workbook.page.keyboard.press(key);
  }

  const column = async (col: number, rows: number): Promise<CellValue[]> =>
    (await workbook.values(scratch, 0, col, rows, 1)).flat();

  test("reads typed numbers, percentages and dates as the system writes them, and shows them again to be edited", async () => {
    const cells = typedIn[locale];
    await workbook.select(scratch, 0, 0);
    for (const [text] of cells) await workbook.enter(text);
    const values = cells.map(([, value]) => value);
    await workbook.until(async () => (await column(0, cells.length)).at(-1) === true);
    expect(await column(0, cells.length)).toEqual(values);
    expect((await workbook.texts(scratch, 0, 0, cells.length, 1)).flat()).toEqual(
      cells.map(([, , shown]) => shown),
    );
    for (const row of cells.keys()) await editAgain(row);
    await workbook.settled();
    expect(await column(0, cells.length)).toEqual(values);
  });

  test("reads a number typed into a cell of percentages as one, as Excel does", async () => {
    const [typed, shown] = locale === "de-DE" ? ["12,5", "12,5%"] : ["12.5", "12.5%"];
    const cells = { sheet: scratch, row: 30, col: 0, rows: 2, cols: 1 };
    await workbook.port((port, at) => port.format(at, { numberFormat: "0.0%" }), cells);
    await workbook.select(scratch, 30, 0);
    await workbook.enter(typed);
    await workbook.enter(typed === "12.5" ? "0.125" : "0,125");
    await workbook.until(async () => (await workbook.values(scratch, 31, 0))[0]?.[0] === 0.125);
    expect(await workbook.values(scratch, 30, 0)).toEqual([[0.125]]);
    expect(await workbook.texts(scratch, 30, 0, 2, 1)).toEqual([[shown], [shown]]);
  });

  test("keeps all digits of a number that is opened and left, whatever its format shows", async () => {
    const formats = ["# ?/?", "0%", '#,##0 "pcs"', "0;;"];
    const values = [2.55, 0.15567, 1234.567, 7.25];
    await workbook.write(
      [scratch, 33, 0],
      values.map((value) => [value]),
    );
    await workbook.port(async (port, all) => {
      for (const [down, numberFormat] of all.entries()) {
        await port.format({ sheet: "Scratch", row: 33 + down, col: 0, rows: 1, cols: 1 }, { numberFormat });
      }
    }, formats);
    for (const row of values.keys()) await editAgain(33 + row);
    await workbook.settled();
    expect((await workbook.values(scratch, 33, 0, values.length, 1)).flat()).toEqual(values);
  });

  test("shows, speaks and copies calculated, spilled and pasted numbers as the system writes them", async () => {
    const { page } = workbook;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const [half, large] = locale === "de-DE" ? ["1,5", "1.707,25"] : ["1.5", "1,707.25"];
    await workbook.write([scratch, 20, 0], [["=3/2", "={1.5,2}*1"]]);
    await workbook.select(scratch, 21, 0);
    await workbook.paste({ text: `${large}\t${half}` });
    await workbook.until(async () => (await workbook.values(scratch, 21, 1))[0]?.[0] === 1.5);
    await workbook.settled();
    expect(await workbook.values(scratch, 21, 0)).toEqual([[1707.25]]);
    expect(await workbook.texts(scratch, 20, 0, 2, 3)).toEqual([
      [half, half, "2"],
      [large, half, ""],
    ]);
    const hidden = { sheet: scratch, row: 23, col: 0, rows: 1, cols: 3 };
    await workbook.port((port, at) => port.format(at, { numberFormat: "#,##0.00;;" }), hidden);
    await workbook.write([scratch, 23, 0], [[0, -2, 1707.25]]);
    expect(await workbook.texts(scratch, 23, 0, 1, 3)).toEqual([["", "", large]]);
    await workbook.select(scratch, 20, 0);
    await workbook.until(async () => (await page.textContent("#selection")) === `A21: ${half}`);
    await workbook.select(scratch, 20, 0, 2, 2);
    await workbook.focusGrid();
    await page.keyboard.press("ControlOrMeta+c");
    await workbook.until(
      async () =>
        (await page.evaluate(() => navigator.clipboard.readText())) === `${half}\t${half}\n${large}\t${half}`,
    );
  });

  test("a typed formula with semicolons is calculated, or is an error with its reason", async () => {
    await workbook.write([scratch, 0, 3], [[4], [10]]);
    await workbook.select(scratch, 0, 2);
    const typed = formulasIn[locale];
    for (const [text] of typed) await workbook.enter(text);
    await workbook.until(async () => (await column(2, typed.length)).at(-1) !== null);
    await workbook.settled();
    expect((await workbook.formulas(scratch, 0, 2, typed.length, 1)).flat()).toEqual(
      typed.map(([, formula]) => formula),
    );
    expect(await column(2, typed.length)).toEqual(typed.map(([, , value]) => value));
    for (const [row, [, , , reason]] of typed.entries()) {
      await workbook.select(scratch, row, 2);
      await workbook.until(async () => (await workbook.page.textContent("#reason")) === (reason ?? ""));
    }
  });

  test("keeps a text a text when a part of it is replaced", async () => {
    const { page } = workbook;
    const code = locale === "de-DE" ? "00012345678905" : "00012345678912";
    const replaced = code.replace("678", "9");
    await workbook.write([scratch, 40, 5], [[code], [12_678]]);
    await workbook.select(scratch, 40, 5, 2);
    const find = page.getByPlaceholder("Find in this Sheet");
    // The find dialog works only a few seconds after the first drawing.
    await workbook.until(async () => {
      await workbook.focusGrid();
      await page.keyboard.press("Control+h");
      return (await find.count()) > 0;
    });
    await find.fill("678");
    await page.getByPlaceholder("Input Replace String").fill("9");
    await page.getByRole("button", { name: "Find", exact: true }).click();
    await page.getByText("1/2").waitFor();
    await page.getByRole("button", { name: "Replace All" }).click();
    await page.getByRole("button", { name: "OK" }).click();
    await workbook.until(async () => (await workbook.values(scratch, 41, 5))[0]?.[0] === 129);
    expect(await workbook.values(scratch, 40, 5)).toEqual([[replaced]]);
    await page.keyboard.press("Escape");
  });

  test("TODAY is the day on the person's clock", async () => {
    await workbook.write([scratch, 30, 0], [["=TODAY()"], ["=INT(NOW())"]]);
    await workbook.settled();
    const day = await workbook.page.evaluate(() => {
      const now = new Date();
      return Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86_400_000 + 25_569;
    });
    // The system's day isn't that of UTC.
    const ofUtc = await workbook.page.evaluate(() => Math.floor(Date.now() / 86_400_000) + 25_569);
    expect(day).toBe(ofUtc + (timezone === "Etc/GMT+12" ? -1 : 1));
    expect((await workbook.values(scratch, 30, 0, 2, 1)).flat()).toEqual([day, day]);
  });
});
