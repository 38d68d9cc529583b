/** The words that an argument takes, in a list while a formula is typed. */
import { problemsInBothThemes } from "./support";
import { openScratch, scratch } from "./workbook-page";

test("the words of an argument are offered while it is typed, for keys and mouse", async () => {
  const workbook = await openScratch();
  const { page } = workbook;
  const edited = () => page.evaluate(() => window.invHost?.editedFormula());
  const words = page.locator(".argument-list:not([hidden]) li");
  await workbook.select(scratch, 0, 0);
  await workbook.focusGrid();
  await page.keyboard.type("=INV.QTY(A1,B1,");
  await page.locator(".argument-list li[aria-selected='true']", { hasText: "STORE" }).waitFor();
  expect(await words.allTextContents()).toEqual(["STORE", "BACKROOM", "ALL"]);
  const problems = await problemsInBothThemes(page);
  expect(problems.filter((problem) => /argument-list|: (?:ul|li)\b/.test(problem))).toEqual([]);
  await page.keyboard.press("ArrowDown");
  await page.locator(".argument-list li[aria-selected='true']", { hasText: "BACKROOM" }).waitFor();
  await page.keyboard.press("Tab");
  await workbook.until(async () => (await edited()) === '=INV.QTY(A1,B1,"BACKROOM"');
  await words.first().waitFor({ state: "detached" });
  await page.keyboard.type(',"n');
  await workbook.until(async () => (await words.allTextContents()).join() === "NET_AVAILABLE");
  await words.first().click();
  await workbook.until(async () => (await edited()) === '=INV.QTY(A1,B1,"BACKROOM","NET_AVAILABLE"');
  const written = '=INV.QTY(A1,B1,"BACKROOM","NET_AVAILABLE")';
  await page.keyboard.type(")");
  await page.keyboard.press("Enter");
  await workbook.until(async () => (await workbook.formulas(scratch, 0, 0))[0]?.[0] === written);
  await words.first().waitFor({ state: "detached" });
  expect(workbook.complaints).toEqual([]);
});
