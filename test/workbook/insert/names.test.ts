/** Insert with names of cells: saved lists and names of an area. */
import type { Picks } from "../../../src/workbook/insert/picks";
import { saveList } from "../../../src/workbook/lists/saved-lists";
import { withHost } from "../../functions/fakes";
import { createStage, gtin, planIn } from "./stage";

withHost();

describe("over names of cells", () => {
  async function stageWithLists() {
    const stage = createStage([]);
    const { workbook } = stage;
    await saveList(workbook, { name: "North", kind: "stores", entries: [1000, 1001, 1002] });
    await saveList(workbook, { name: "Top", kind: "items", entries: [gtin(17), gtin(24)] });
    workbook.put({ sheet: "Other", row: 0, col: 0 }, 1000);
    await workbook.addName("HQ", "=Other!$A$1");
    await stage.select(4, 2);
    stage.insert.follow(() => undefined);
    return stage;
  }
  const lists: Picks = { store: { kind: "list", name: "North" }, item: { kind: "list", name: "Top" } };

  it("two lists make a grid of one formula, with a price for all its cells", async () => {
    const stage = await stageWithLists();
    stage.choose("QTY", lists);
    await stage.clock.turns();
    expect(planIn(stage.insert)).toMatchObject({
      formula: "=INV.QTY(North,TRANSPOSE(Top))",
      area: { row: 4, col: 2, rows: 1, cols: 1 },
      spills: true,
    });
    expect(stage.insert.state().savedLists.map(({ name }) => name)).toEqual(["North", "Top"]);
    expect(stage.insert.state().appraisal).toMatchObject({
      cells: 6,
      refused: [],
      price: { searchCalls: 3 },
    });
    stage.insert.ask();
    await stage.clock.runAll(2_000);
    expect(stage.calls()).toBe(1);
    expect(stage.insert.state().appraisal?.preview?.rows.map((row) => row.length)).toEqual([2, 2, 2]);
  });

  it("a typed name is a name, and a wrong item of a list is reported once", async () => {
    const stage = await stageWithLists();
    stage.workbook.put({ sheet: "INV lists", row: 3, col: 1 }, "12A");
    await stage.select(5, 2);
    await stage.clock.runAll(1_000);
    stage.choose("QTY", { store: { kind: "typed", text: "hq" }, item: lists["item"]! });
    await stage.clock.turns();
    expect(planIn(stage.insert).formula).toBe("=INV.QTY(hq,Top)");
    const { appraisal } = stage.insert.state();
    expect(appraisal).toMatchObject({ cells: 2, price: { searchCalls: 1 } });
    expect(appraisal?.refused).toHaveLength(1);
    stage.choose("QTY", lists);
    await stage.clock.turns();
    expect(stage.insert.state().appraisal).toMatchObject({ cells: 6, refused: [{ row: 6 }] });
  });

  it("a formula isn't written into its own list", async () => {
    const stage = await stageWithLists();
    stage.choose("QTY", lists);
    await stage.workbook.select({ sheet: "INV lists", row: 2, col: 0, rows: 1, cols: 1 });
    await stage.clock.runAll(1_000);
    expect(stage.insert.state().lacks).toMatch(/its own cells/);
  });
});
