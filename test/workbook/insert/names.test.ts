/** Insert with names of cells: lists that grow, named ranges, columns of Tables, and names of one cell. */
import type { Picks } from "../../../src/workbook/insert/picks";
import { withHost } from "../../functions/fakes";
import { addList } from "../lists/list-column";
import { createStage, gtin, planIn } from "./stage";

withHost();

async function stageWithLists() {
  const stage = createStage([]);
  const { workbook } = stage;
  const at = (col: number) => ({ sheet: "Other", row: 2, col });
  await addList(workbook, { name: "North", entries: [1000, 1001, 1002], heading: at(3) });
  await addList(workbook, { name: "Top", entries: [gtin(17), gtin(24)], heading: at(4) });
  workbook.put({ sheet: "Other", row: 0, col: 0 }, 1000);
  await workbook.addName("HQ", "=Other!$A$1");
  await stage.select(4, 2);
  stage.insert.follow(() => undefined);
  return stage;
}
const lists: Picks = { store: { kind: "list", name: "North" }, item: { kind: "list", name: "Top" } };

it("two lists make a grid of one formula, with the cost of all its cells", async () => {
  const stage = await stageWithLists();
  stage.choose("QTY", lists);
  await stage.clock.turns();
  expect(planIn(stage.insert)).toMatchObject({
    formula: "=INV.QTY(North,TRANSPOSE(Top))",
    area: { row: 4, col: 2, rows: 1, cols: 1 },
    spills: true,
  });
  expect(stage.insert.state().cellLists.map(({ text, kind }) => `${text} ${kind}`)).toEqual([
    "North stores",
    "Top items",
  ]);
  expect(stage.insert.state().cost).toMatchObject({ price: { searchCalls: 3 }, isPartial: false });
});

it("a list that has grown costs more, and blanks in it cost nothing", async () => {
  const stage = await stageWithLists();
  stage.workbook.put({ sheet: "Other", row: 7, col: 3 }, 1003);
  stage.choose("QTY", lists);
  await stage.clock.turns();
  expect(stage.insert.state().cost).toMatchObject({ price: { searchCalls: 4 } });
});

it("a typed name is a name", async () => {
  const stage = await stageWithLists();
  stage.choose("QTY", { store: { kind: "typed", text: "hq" }, item: lists["item"]! });
  await stage.clock.turns();
  expect(planIn(stage.insert).formula).toBe("=INV.QTY(hq,Top)");
  expect(stage.insert.state().cost).toMatchObject({ price: { searchCalls: 1 } });
});

it("the columns of a Table that contain stores and items are lists, and quantities are not", async () => {
  const stage = await stageWithLists();
  const { workbook } = stage;
  const table = [
    ["Store", "GTIN", "On hand"],
    [1000, gtin(17), 120],
    [1001, gtin(24), 75],
  ];
  table.forEach((line, row) => {
    line.forEach((value, col) => workbook.put({ sheet: "Other", row: 20 + row, col }, value));
  });
  await workbook.addTable({ sheet: "Other", row: 20, col: 0, rows: 3, cols: 3 }, "Planning");
  stage.insert.lookAgain();
  stage.choose("QTY", {
    store: { kind: "list", name: "Planning[Store]" },
    item: { kind: "list", name: "Planning[GTIN]" },
  });
  await stage.clock.turns();
  expect(stage.insert.state().cellLists.map(({ text }) => text)).toEqual([
    "North",
    "Top",
    "Planning[Store]",
    "Planning[GTIN]",
  ]);
  // Each row of the Table is a pair, as it is on the sheet.
  expect(planIn(stage.insert)).toMatchObject({
    formula: "=INV.QTY(Planning[Store],Planning[GTIN])",
    spills: true,
  });
  expect(stage.insert.state().cost).toMatchObject({ price: { searchCalls: 2 }, isPartial: false });
  stage.choose("QTY", { store: { kind: "list", name: "Planning[Store]" }, item: lists["item"]! });
  await stage.clock.turns();
  expect(planIn(stage.insert).formula).toBe("=INV.QTY(Planning[Store],TRANSPOSE(Top))");
});

it("a formula isn't written into its own list", async () => {
  const stage = await stageWithLists();
  stage.choose("QTY", lists);
  await stage.workbook.select({ sheet: "Other", row: 4, col: 3, rows: 1, cols: 1 });
  await stage.clock.runAll(1_000);
  expect(stage.insert.state().lacks).toMatch(/its own cells/);
});
