/** What the pane does in the grid over the workbook port: copies of sheets with values, texts, a selection that a person fills down. */
import { openScratch, scratch, type WorkbookPage } from "./workbook-page";

let workbook: WorkbookPage;

beforeAll(async () => {
  workbook = await openScratch();
});
afterEach(() => {
  expect(workbook.complaints.splice(0)).toEqual([]);
});

const at = (sheet: string, row: number, col: number, rows = 1, cols = 1) => ({ sheet, row, col, rows, cols });

test("a copy has the values, formats and texts of its original, and times look like times", async () => {
  await workbook.write([scratch, 0, 0], [["00012345678905", '=INV.UPDATED(1234,"00012345678905")', "=1/0"]]);
  await workbook.settled();
  await workbook.port(
    async (port, given) => {
      await port.format(given.code, { bold: true, fill: "#FFEE00" });
      const [pattern = null] = await port.broughtFormats([given.time]);
      const formats = pattern === null ? [] : [{ ref: given.time, numberFormat: pattern }];
      await port.copyWithValues([
        { area: given.all, to: "Copy", above: ["From INV", null], formats, errors: [] },
      ]);
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
});

test("copies that can't all be made leave no sheet behind", async () => {
  await workbook.write([scratch, 0, 0], [["kept"]]);
  const before = await workbook.sheetNames();
  const message = await copies([
    { area: at(scratch, 0, 0), to: "One" },
    // Below the lines above, this row would be outside every sheet.
    { area: at(scratch, 1_048_575, 0), to: "Two" },
  ]);
  expect(message).toMatch(/XFD1048576/);
  expect(await workbook.sheetNames()).toEqual(before);
  expect(await workbook.values(scratch, 0, 0)).toEqual([["kept"]]);
  expect(await copies([{ area: at(scratch, 0, 0), to: "One" }])).toBe("");
  expect(await workbook.sheetNames()).toEqual([...before, "One"]);
});

test("a text with which the formula bar would freeze is refused, whoever writes it", async () => {
  const refused = /one has 32,767 characters, and a cell can have 8,192 here/;
  await expect(workbook.write([scratch, 20, 0], [["short", "y".repeat(32_767)]])).rejects.toThrow(refused);
  expect(await workbook.values(scratch, 20, 0, 1, 2)).toEqual([[null, null]]);
});

test("colours and notes are read back as they were added, and a copy colours its own cells", async () => {
  const area = at(scratch, 30, 5, 4);
  const rules = [
    { kind: "formula", formula: "=F31>12", fill: "#fde7e5" },
    { kind: "bars", color: "#b3261e" },
    { kind: "formula", formula: "=$F31=0", fill: "#fde7e5", color: "#b3261e" },
  ] as const;
  const notes = [
    { cell: { sheet: scratch, row: 30, col: 5 }, text: "Eaches on hand" },
    { cell: { sheet: scratch, row: 33, col: 5 }, text: "Two lines,\nthe second" },
  ];
  await workbook.port(
    async (port, given) => {
      for (const rule of given.rules) await port.highlight(given.area, rule);
      await port.note(given.notes[0]!.cell, "replaced");
      for (const { cell, text } of given.notes) await port.note(cell, text);
    },
    { area, rules, notes },
  );
  const found = await workbook.port(
    async (port, sheet) => ({ colours: await port.highlightsOf(sheet), notes: await port.notesOf(sheet) }),
    scratch,
  );
  const names = { formula: "rule with a formula", bars: "data bar" };
  const colours = rules.map((rule) => ({ areas: [area], name: names[rule.kind], rule }));
  expect(found).toEqual({ colours, notes });

  await workbook.port(
    (port, of) =>
      port.copyWithValues([{ area: of, to: "Colours", above: ["From INV", null], formats: [], errors: [] }]),
    area,
  );
  const copied = await workbook.port((port, sheet) => port.highlightsOf(sheet), "Colours");
  const moved = { ...area, sheet: "Colours", row: area.row + 2 };
  const [first, bars, last] = rules;
  expect(copied.map(({ areas, rule }) => ({ areas, rule }))).toEqual([
    { areas: [moved], rule: { ...first, formula: "=F33>12" } },
    { areas: [moved], rule: bars },
    { areas: [moved], rule: { ...last, formula: "=$F33=0" } },
  ]);
});

test("the fill handle works at once on cells that the pane has selected", async () => {
  await workbook.write([scratch, 0, 3], [[1], [2]]);
  const { page } = workbook;
  await workbook.select(scratch, 0, 3, 2);
  const cells = (await page.locator("#grid canvas[id*='sheet-main']").boundingBox())!;
  // The width of the row numbers and of the columns up to D, and the heights of the column letters and of two rows.
  const formats = await workbook.port((port, area) => port.formatsOf(area), at(scratch, 0, 0, 1, 4));
  const columnsPx = (formats[0] ?? []).reduce((sum, { widthPx }) => sum + (widthPx ?? 0), 0);
  const [x, y] = [cells.x + 46 + columnsPx - 1, cells.y + 20 + 2 * 24 - 1];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + 24, { steps: 4 });
  await page.mouse.move(x, y + 48, { steps: 4 });
  await page.mouse.up();
  await workbook.until(async () => (await workbook.values(scratch, 3, 3))[0]?.[0] === 4);
  expect(await workbook.values(scratch, 0, 3, 5)).toEqual([[1], [2], [3], [4], [null]]);
});

/** Returns the reason for a failure. */
function copies(
  given: readonly { readonly area: ReturnType<typeof at>; readonly to: string }[],
): Promise<string> {
  return workbook.port(
    (port, all) =>
      port
        .copyWithValues(all.map((copy) => ({ ...copy, above: ["From INV", null], formats: [], errors: [] })))
        .then(
          () => "",
          (error: unknown) => String(error),
        ),
    given,
  );
}
