/**
 * Formulas that the grid can't follow, on a German system: each shows an error with its reason, wherever it comes from, and no old number.
 * test/formula/grid-check.test.ts has the whole list.
 */
import { openScratch, scratch, tryFormulas, type WorkbookPage } from "./workbook-page";

let workbook: WorkbookPage;
beforeAll(async () => {
  workbook = await openScratch({ locale: "de-DE" });
  await workbook.write([scratch, 0, 2], [[1], [2], [3]]);
});
afterEach(() => expect(workbook.complaints).toEqual([]));

const reason = () => workbook.page.textContent("#reason");

test("each of them is an error that says what to write instead, also in the formulas that refer to it", async () => {
  const refused = [
    ["=COUNTA(C1#)", "#VALUE! C1#, all cells that a formula fills, isn't available here. Name the cells."],
    ["=SUM(Jan:Dec!A1)", '#REF! There is no sheet "Jan:Dec" in this workbook.'],
    [
      "=MAP(C1:C3,SUM)",
      "#VALUE! A function as an argument (SUM) isn't available here. Write LAMBDA(x,SUM(x)).",
    ],
    [
      "=SUM(#REF!,1)",
      "#REF! The cells or the name that this formula referred to were deleted. Write the reference again where it says #REF!.",
    ],
    ["=WENNNV(C1,0)", "#NAME? WENNNV isn't known here. This workbook uses English function names."],
    ['=IMAGE("http://x/y.png")', "#NAME? IMAGE reaches outside the workbook. That isn't available here."],
  ] as const;
  const values = await tryFormulas(
    workbook,
    refused.map(([formula]) => formula),
  );
  expect(values).toEqual(refused.map(([, text]) => text.split(" ")[0]));
  for (const [row, [, text]] of refused.entries()) {
    await workbook.select(scratch, row, 0);
    await workbook.until(async () => (await reason()) === text);
  }
  await workbook.write([scratch, 0, 4], [["=SUM(A1,1)"], ["=IFERROR(A1,5)"]]);
  await workbook.settled();
  expect((await workbook.values(scratch, 0, 4, 2, 1)).flat()).toEqual(["#VALUE!", 5]);
});

test("the grid itself shows an error for what it can't read", async () => {
  const formulas = ["=SUM(C1:C3 C2:D2)", "=C1001", "=C1+", "=Items[Qty]", "=SUM((C1:C2,C3))"];
  const values = await tryFormulas(workbook, formulas);
  expect(formulas.filter((_, row) => !String(values[row]).startsWith("#"))).toEqual([]);
});

test("a name that is defined later is known then", async () => {
  const { page } = workbook;
  await tryFormulas(workbook, ["=Later*2"]);
  await workbook.write([scratch, 5, 5], [[21]]);
  await workbook.select(scratch, 5, 5);
  await page.locator("[data-u-comp='defined-name'] > a").click();
  await page.getByText("Create a defined name").click();
  await page.getByText("Add a defined name").click();
  await page.getByPlaceholder("Please enter a name").fill("Later");
  await page.getByRole("button", { name: "Confirm" }).click();
  await workbook.until(async () => (await workbook.values(scratch, 0, 0, 1, 1))[0]?.[0] === 42);
});
