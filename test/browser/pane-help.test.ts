/** The help: its pages open beside the workbook, by button and key, for the function in question. */
import { openScratch, scratch } from "./workbook-page";
import { eventually } from "./support";

test("? opens the help, and F1 that of the function in the selected cell or the one being typed", async () => {
  const { page, pane, write, settled, select, focusGrid, type, complaints } = await openScratch();
  const opened = async (act: () => Promise<unknown>): Promise<string> => {
    const [help] = await Promise.all([page.context().waitForEvent("page"), act()]);
    await help.waitForURL("**/help/**");
    const { pathname } = new URL(help.url());
    await help.close();
    return pathname;
  };
  expect(await opened(() => pane().getByRole("button", { name: "Help" }).click())).toBe("/help/index.html");

  await write([scratch, 1, 6], [['=INV.UPDATED(1234,"00012345678905")']]);
  await settled();
  await select(scratch, 1, 6);
  await focusGrid();
  expect(await opened(() => page.keyboard.press("F1"))).toBe("/help/updated.html");
  expect(await opened(() => pane().getByRole("button", { name: "Help" }).click())).toBe("/help/updated.html");

  await select(scratch, 30, 0);
  const typed = "=INV.QTY(A2,B2)+INV.EVENTQTY(";
  await type(typed);
  await eventually(async () =>
    expect(await page.evaluate(() => window.invHost?.editedFormula())).toBe(typed),
  );
  expect(await opened(() => page.keyboard.press("F1"))).toBe("/help/eventqty.html");
  expect(complaints).toEqual([]);
});
