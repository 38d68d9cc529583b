/** The ledger between a freeze and a thaw. */
import { isLedgerSheet } from "../../../src/workbook/frozen-formulas/ledger-sheets";
import { formulasOf, freezeStage, planWorkbook, sheet } from "./stage";

it("removes no formula that the ledger doesn't contain", async () => {
  const workbook = planWorkbook(2);
  const { freezer } = freezeStage(workbook);
  const before = await formulasOf(workbook);
  const { writeText } = workbook;
  workbook.writeText = async (area, cells) => {
    if (!isLedgerSheet(area.sheet) || area.row < 2) await writeText(area, cells);
  };
  await expect(freezer.freeze("workbook")).rejects.toMatchObject({ code: expect.any(String) as string });
  expect(await formulasOf(workbook)).toEqual(before);
});

it("uses the later of two entries for one cell", async () => {
  const workbook = planWorkbook(1);
  const { freezer } = freezeStage(workbook);
  await workbook.select({ sheet, row: 1, col: 2, rows: 1, cols: 1 });
  await freezer.freeze("selection");
  const ledger = (await workbook.sheets()).find(({ name }) => isLedgerSheet(name))!;
  const rowOf = (row: number) => ({ sheet: ledger.name, row, col: 0, rows: 1, cols: 19 });
  const [entry] = await workbook.read(rowOf(2), "values");
  const older = entry!.with(8, "2.another").with(15, "2020-01-01T00:00:00.000Z");
  await workbook.writeText({ ...rowOf(2), rows: 2 }, [older, entry!]);
  workbook.put({ sheet: ledger.name, row: 0, col: 4 }, 4);
  expect(await freezer.thaw("workbook")).toEqual({ cells: 1, skipped: [] });
  expect(await freezer.frozen()).toBeNull();
});

it("refuses to freeze if the ledger is full, and changes nothing", async () => {
  const workbook = planWorkbook(2);
  const { freezer } = freezeStage(workbook);
  const before = await formulasOf(workbook);
  const ledger = await workbook.addSheet("_inv_full0000", { veryHidden: true });
  const head = ["INV ledger", 3, "none", "", 200_002];
  for (const [col, value] of head.entries()) workbook.put({ sheet: ledger, row: 0, col }, value);
  workbook.put({ sheet: ledger, row: 200_001, col: 3 }, "INV.ENV()");
  await expect(freezer.freeze("workbook")).rejects.toThrow("This workbook's ledger is full");
  expect(await formulasOf(workbook)).toEqual(before);
  expect((await workbook.sheets()).map(({ name }) => name)).toEqual([sheet, ledger]);
  expect(workbook.definedNames).toEqual([]);
});

it("deletes the hidden names of two lines for one cell", async () => {
  const workbook = planWorkbook(1);
  const { freezer } = freezeStage(workbook);
  await workbook.select({ sheet, row: 1, col: 2, rows: 1, cols: 1 });
  await freezer.freeze("selection");
  const ledger = (await workbook.sheets()).find(({ name }) => isLedgerSheet(name))!;
  const rowOf = (row: number) => ({ sheet: ledger.name, row, col: 0, rows: 1, cols: 19 });
  const [entry] = await workbook.read(rowOf(2), "values");
  const name = `${ledger.name}_99`;
  await workbook.addHiddenNames([{ name, area: { sheet, row: 1, col: 2, rows: 1, cols: 1 } }]);
  await workbook.writeText(rowOf(3), [entry!.with(13, name)]);
  workbook.put({ sheet: ledger.name, row: 0, col: 4 }, 4);
  expect(workbook.definedNames).toHaveLength(2);
  expect(await freezer.thaw("workbook")).toEqual({ cells: 1, skipped: [] });
  expect(workbook.definedNames).toEqual([]);
  expect((await workbook.sheets()).map((each) => each.name)).toEqual([sheet]);
});

it("lists the formulas of an earlier ledger, which has no names, and changes nothing", async () => {
  const workbook = planWorkbook(2);
  const { freezer } = freezeStage(workbook);
  await freezer.freeze("workbook");
  const ledger = (await workbook.sheets()).find(({ name }) => isLedgerSheet(name))!;
  for (let row = 2; row < 7; row += 1) {
    for (const col of [13, 18]) workbook.put({ sheet: ledger.name, row, col }, null);
  }
  await workbook.deleteNames(workbook.definedNames.map(({ name }) => name));
  const before = new Map(workbook.cells);
  const { addHiddenNames } = workbook;
  workbook.addHiddenNames = () => Promise.reject(new Error("Adds a name."));
  expect((await freezer.lines()).map(({ refusal }) => refusal)).toEqual([null, null, null, null, null]);
  expect(workbook.cells).toEqual(before);
  workbook.addHiddenNames = addHiddenNames;
  expect(await freezer.thaw("workbook")).toEqual({ cells: 5, skipped: [] });
});
