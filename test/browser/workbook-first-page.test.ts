/** What a newcomer sees first: one sheet that says what to do, and tabs that are filled when they are shown. */
import { isSaved } from "./saved-workbook";
import { stillness } from "./support";
import { openWorkbook } from "./workbook-page";

test("only Try here is built and follows a change; a tab is filled when it is first shown, also after a reload, and undo doesn't empty it", async () => {
  const workbook = await openWorkbook();
  const { page } = workbook;
  expect(await workbook.sheetNames()).toEqual(["Try here", "Planning", "Item history", "Functions"]);
  expect(await workbook.port((port) => port.usedArea("Planning"), null)).toBeNull();
  expect((await workbook.values("Try here", 1, 6))[0]).toEqual(["Change A2: the numbers follow."]);
  expect(await page.locator("#selection").textContent()).toMatch(/^A2: \d+$/);
  const [[other] = []] = await workbook.values("Try here", 5, 0);
  const [[before] = []] = await workbook.values("Try here", 1, 2);
  await workbook.enter(String(other));
  await workbook.until(async () => {
    const [[now] = []] = await workbook.values("Try here", 1, 2);
    return typeof now === "number" && now !== before;
  });

  await workbook.write(["Try here", 20, 5], [["mine"]]);
  await workbook.settled();
  await workbook.until(isSaved(page, "mine"));
  await page.reload();
  await workbook.settled();
  expect(await workbook.port((port) => port.usedArea("Planning"), null)).toBeNull();
  await workbook.write(["Try here", 21, 5], [["undone"]]);
  await workbook.settled();
  await page.getByText("Planning", { exact: true }).first().click();
  await workbook.settled();
  const shown = await workbook.values("Planning", 1, 0, 5, 3);
  for (const [, , shelf] of shown) expect(typeof shelf).toBe("number");
  await workbook.undo();
  await workbook.until(async () => (await workbook.values("Try here", 21, 5))[0]?.[0] === null);
  expect(await workbook.values("Planning", 1, 0, 5, 3)).toEqual(shown);
  expect(workbook.complaints).toEqual([]);
});

test("a tab that can't be filled says why until another cell is selected, and is filled when it is shown again", async () => {
  const workbook = await openWorkbook();
  const { page } = workbook;
  await page.route("**/demo-data", (route) => route.abort());
  await workbook.select("Planning", 0, 0);
  await page.locator("#reason", { hasText: "The Planning sheet could not be built" }).waitFor();
  // The line is written again in each frame after a change.
  await workbook.settled();
  await stillness(page);
  expect(await page.textContent("#reason")).toContain("The Planning sheet could not be built");
  await workbook.select("Try here", 1, 0);
  await page.locator("#reason", { hasText: /^$/ }).waitFor({ state: "attached" });
  await page.unroute("**/demo-data");
  await workbook.select("Planning", 0, 0);
  await workbook.filled("Planning", 1, 2);
});
