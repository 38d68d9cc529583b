/** What a planner types, pastes and fills on an English and on a German system. */
import type { CellValue } from "../../src/workbook/port";
import { openScratch, scratch, tryFormulas, type WorkbookPage } from "./workbook-page";

/** Typed text, value, and shown text. test/browser-workbook/paste/typed-text.test.ts has more. */
const typedIn = {
  "en-US": [
    ["1,234.50", 1234.5, "1,234.50"],
    ["12.5 %", 0.125, "12.5%"],
    ["1/2", "1/2", "1/2"],
    ["11/23/2026", 46349, "11/23/2026"],
    ["00012345678905", "00012345678905", "00012345678905"],
    ["true", true, "TRUE"],
  ],
  "de-DE": [
    ["1,500", 1.5, "1.5"],
    ["1.234,50", 1234.5, "1,234.50"],
    ["12,5 %", 0.125, "12.5%"],
    ["1,5E3", 1500, "1500"],
    ["23.11.2026", 46349, "23.11.2026"],
    ["00012345678905", "00012345678905", "00012345678905"],
    ["true", true, "TRUE"],
  ],
} as const;

describe.each(["en-US", "de-DE"] as const)("on a system in %s", (locale) => {
  let workbook: WorkbookPage;
  beforeAll(async () => {
    workbook = await openScratch({ locale });
  });

  async function enter(text: string): Promise<void> {
    await workbook.type(text);
    await workbook.page.keyboard.press("Enter");
  }

  const column = async (col: number, rows: number): Promise<CellValue[]> =>
    (await workbook.values(scratch, 0, col, rows, 1)).flat();

  test("reads typed numbers, percentages and dates as the system writes them, and shows them again to be edited", async () => {
    const cells = typedIn[locale];
    await workbook.select(scratch, 0, 0);
    for (const [text] of cells) await enter(text);
    const values = cells.map(([, value]) => value);
    await workbook.until(async () => (await column(0, cells.length)).at(-1) === true);
    expect(await column(0, cells.length)).toEqual(values);
    expect((await workbook.texts(scratch, 0, 0, cells.length, 1)).flat()).toEqual(
      cells.map(([, , shown]) => shown),
    );
    // Opens each cell, changes it and changes it back.
    for (const row of cells.keys()) {
      await workbook.select(scratch, row, 0);
      await workbook.focusGrid();
      await workbook.page.keyboard.press("F2");
      await workbook.page.keyboard.type("0");
      await workbook.page.keyboard.press("Backspace");
      await workbook.page.keyboard.press("Enter");
    }
    await workbook.settled();
    expect(await column(0, cells.length)).toEqual(values);
  });

  test("takes semicolons between arguments where no comma stands, and otherwise says what to do", async () => {
    await workbook.select(scratch, 0, 2);
    await enter('=INV.QTY(1234;"00012345678905")');
    await enter('=SUM({1;2};3)&"a;b,c"');
    await enter("=SUM(1,5;2)");
    await workbook.until(async () => (await column(2, 3))[2] !== null);
    await workbook.page.getByText("Use commas between arguments and a point for decimals.").waitFor();
    await workbook.settled();
    expect((await workbook.formulas(scratch, 0, 2, 3, 1)).flat()).toEqual([
      '=INV.QTY(1234,"00012345678905")',
      '=SUM({1;2},3)&"a;b,c"',
      "=SUM(1,5;2)",
    ]);
    expect(await column(2, 3)).toEqual([expect.any(Number), "6a;b,c", "=SUM(1,5;2)"]);
  });
});

// The tests' clock shows half past eleven in UTC, so it is half past one on the next day there, or half past eleven in the
// evening before.
test.each(["Pacific/Kiritimati", "Etc/GMT+12"])(
  "TODAY is the day on the person's clock in %s",
  async (timezone) => {
    const workbook = await openScratch({ timezone });
    const values = await tryFormulas(workbook, ["=TODAY()", "=INT(NOW())"]);
    const day = await workbook.page.evaluate(() => {
      const now = new Date();
      return Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86_400_000 + 25_569;
    });
    expect(values).toEqual([day, day]);
  },
);
