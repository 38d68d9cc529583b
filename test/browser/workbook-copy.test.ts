/** Copies of sheets with values, made in the grid over the workbook port. */
import { openScratch, scratch, type WorkbookPage } from "./workbook-page";

const at = (sheet: string, row: number, col: number, rows = 1, cols = 1) => ({ sheet, row, col, rows, cols });

test("a copy has the values, formats and texts of its original, and times look like times", async () => {
  const workbook = await openScratch();
  await workbook.write([scratch, 0, 0], [["00012345678905", '=INV.UPDATED(1234,"00012345678905")', "=1/0"]]);
  await workbook.settled();
  await workbook.port(
    async (port, given) => {
      await port.format(given.code, { bold: true, fill: "#FFEE00" });
      const [pattern = null] = await port.broughtFormats([given.time]);
      const formats = pattern === null ? [] : [{ ref: given.time, numberFormat: pattern }];
      await port.copyWithValues([{ area: given.all, to: "Copy", above: ["From INV"], formats }]);
    },
    { all: at(scratch, 0, 0, 1, 3), code: at(scratch, 0, 0), time: at(scratch, 0, 1) },
  );
  const [original] = await workbook.texts(scratch, 0, 0, 1, 3);
  expect(original?.[1]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d/);
  expect(await workbook.texts("Copy", 2, 0, 1, 3)).toEqual([original]);
  expect((await workbook.formulas("Copy", 2, 0, 1, 3))[0]).toEqual([
    "00012345678905",
    expect.any(Number),
    "#DIV/0!",
  ]);
  expect(await workbook.texts("Copy", 0, 0)).toEqual([["From INV"]]);
  const [look] = await workbook.port((port, area) => port.formatsOf(area), at("Copy", 2, 0));
  expect(look?.[0]).toMatchObject({ bold: true, fill: "#FFEE00" });
  expect(workbook.complaints).toEqual([]);
});

test("copies that can't all be made leave no sheet behind", async () => {
  const workbook = await openScratch();
  await workbook.write([scratch, 0, 0], [["kept"]]);
  const message = await copies(workbook, [
    { area: at(scratch, 0, 0), to: "One" },
    // Below the lines above, this row would be outside every sheet.
    { area: at(scratch, 1_048_575, 0), to: "Two" },
  ]);
  expect(message).toMatch(/XFD1048576/);
  expect(await workbook.sheetNames()).toEqual([scratch]);
  expect(await workbook.values(scratch, 0, 0)).toEqual([["kept"]]);
  expect(await copies(workbook, [{ area: at(scratch, 0, 0), to: "One" }])).toBe("");
  expect(await workbook.sheetNames()).toEqual([scratch, "One"]);
});

/** Returns the reason for a failure. */
function copies(
  workbook: WorkbookPage,
  given: readonly { readonly area: ReturnType<typeof at>; readonly to: string }[],
): Promise<string> {
  return workbook.port(
    (port, all) =>
      port.copyWithValues(all.map((copy) => ({ ...copy, above: ["From INV"], formats: [] }))).then(
        () => "",
        (error: unknown) => String(error),
      ),
    given,
  );
}
