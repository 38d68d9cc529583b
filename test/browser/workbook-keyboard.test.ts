/** The browser workbook by keyboard alone: the name box, every sheet, and the toolbar's menus. */
import { openScratch, scratch, type WorkbookPage } from "./workbook-page";

describe("the name box", () => {
  let workbook: WorkbookPage;
  beforeAll(async () => {
    workbook = await openScratch();
    await workbook.port((port) => port.addSheet("Try here"), null);
    await workbook.write(["Try here", 25, 0], [[1234]]);
  });

  const box = () => workbook.page.getByLabel("Cell or name");

  async function goTo(text: string): Promise<void> {
    await box().fill(text);
    await box().press("Enter");
  }

  const selected = () =>
    workbook.port(
      (port) =>
        new Promise<string>((resolve) =>
          port.onSelection(([{ sheet, row, col, rows, cols }]) =>
            resolve([sheet, row, col, rows, cols].join(" ")),
          ),
        ),
      null,
    );
  const selects = (wanted: string) => workbook.until(async () => (await selected()) === wanted);
  const message = () => workbook.page.textContent("#reason");

  test("goes to the cells of the sheet that is named, and keys then reach these cells", async () => {
    await workbook.select(scratch, 3, 3);
    await goTo("'Try here'!A26");
    await selects("Try here 25 0 1 1");
    await workbook.page.keyboard.type("7");
    await workbook.page.keyboard.press("Enter");
    await workbook.until(async () => (await workbook.values("Try here", 25, 0))[0]?.[0] === 7);
    expect(await workbook.values(scratch, 25, 0)).toEqual([[null]]);

    await goTo("scratch!b2:c3");
    await selects(`${scratch} 1 1 2 2`);
    // People leave out the quotation marks.
    await goTo("try here!B5");
    await selects("Try here 4 1 1 1");
    await goTo("C:C");
    await selects("Try here 0 2 1000 1");
  });

  test("goes to the cells of a name", async () => {
    await workbook.port(async (port) => {
      for (const sheet of ["Lists", "More"]) await port.addSheet(sheet);
      await port.addName("MyStores", "=Lists!$A$2:$A$3");
      await port.addName("Counted", "=OFFSET(More!$A$2,0,0,1,1)");
    }, null);
    await workbook.select(scratch, 3, 3);
    await goTo("mystores");
    await selects("Lists 1 0 2 1");
    await goTo("Counted");
    await workbook.until(
      async () =>
        (await message()) === '"Counted" names a formula, not fixed cells: =OFFSET(More!$A$2,0,0,1,1)',
    );
    await selects("Lists 1 0 2 1");
  });

  test("says why it goes nowhere, and keeps the selection", async () => {
    await workbook.select(scratch, 3, 3);
    for (const [text, said] of [
      ["ZZZ99999", '"ZZZ99999" isn\'t a cell or a name in this workbook. Type a cell such as B7 or Plan!B7.'],
      ["Storez", '"Storez" isn\'t a cell or a name in this workbook. Type a cell such as B7 or Plan!B7.'],
      ["Plan!A1", 'There is no sheet "Plan".'],
      ["A1001", `A1001 is outside the sheet "${scratch}", which ends at T1000.`],
    ] as const) {
      await goTo(text);
      await workbook.until(async () => (await message()) === said);
      expect(await selected()).toBe(`${scratch} 3 3 1 1`);
    }
    // The grid would have made it a name.
    expect(await workbook.port((port) => port.names(), null)).not.toContainEqual(
      expect.objectContaining({ name: "Storez" }),
    );
  });
});
