/** Insert before it writes: the formula, its place, and its cost. */
import { withHost } from "../../functions/fakes";
import { createStage, gtin, heading, list, planIn } from "./stage";

withHost();

describe("beside a list", () => {
  it("finds the columns, fills the formula down, and sends nothing", async () => {
    const stage = createStage(list(250));
    await stage.begin(1, 3, "QTY");
    expect(planIn(stage.insert)).toMatchObject({
      formula: "=INV.QTY(A2,B2)",
      area: { sheet: "Plan", row: 1, col: 3, rows: 250, cols: 1 },
    });
    const { cost, list: found } = stage.insert.state();
    expect(found?.columns.map((each) => each.heading)).toEqual(heading);
    expect(cost?.price).toMatchObject({ searchCalls: 3, eventCallsAtLeast: 0 });
    expect(stage.service.calls).toHaveLength(0);
  });

  it("gives a new column a heading that says what it contains", async () => {
    const stage = createStage(list(20));
    await stage.begin(1, 3, "QTY");
    expect(planIn(stage.insert).heading).toBe("Quantity");
    stage.choose("QTY", { location_area: { kind: "word", word: "BACKROOM" } });
    await stage.clock.turns();
    expect(planIn(stage.insert).heading).toBe("Quantity, backroom");
    await stage.begin(4, 3, "QTY");
    expect(planIn(stage.insert).heading).toBeNull();
  });

  it("writes no heading above a list that has none", async () => {
    const stage = createStage(list(20).slice(1));
    await stage.begin(0, 3, "QTY");
    expect(planIn(stage.insert)).toMatchObject({ area: { row: 0 }, heading: null });
  });

  it("costs only what isn't cached, and refused and blank rows cost nothing", async () => {
    const rows = [...list(3), [1000, "OOO17", null], [null, gtin(99), null], [1001, gtin(98), null]];
    const stage = createStage(rows);
    await stage.begin(1, 3, "QTY");
    expect(planIn(stage.insert).area.rows).toBe(6);
    expect(stage.insert.state().cost).toMatchObject({ price: { searchCalls: 3 }, isPartial: false });
    const asked = stage.engine.item({ storeNumber: 1000, itemType: "gtin", value: gtin(17) });
    await stage.clock.until(asked);
    stage.insert.lookAgain();
    await stage.clock.turns();
    expect(stage.insert.state().cost).toMatchObject({ price: { searchCalls: 2 } });
  });

  it("reports rows beyond the workbook's limit of INV cells, and counts formulas that it replaces once", async () => {
    const stage = createStage(list(5));
    stage.workbook.mostInvCells = 5;
    stage.workbook.put({ sheet: "Plan", row: 1, col: 3 }, "=INV.QTY(A2,B2)");
    await stage.begin(1, 3, "QTY");
    expect(stage.insert.state().cost).toMatchObject({ tooMany: null });
    await stage.select(1, 4);
    await stage.clock.advance(1_000);
    expect(planIn(stage.insert).area).toMatchObject({ col: 4, rows: 5 });
    expect(stage.insert.state().cost).toMatchObject({ tooMany: { cells: 6, most: 5 } });
  });

  it("requests a list of item numbers by item number", async () => {
    const stage = createStage([
      ["Store", "Item no."],
      [1000, 123456789],
      [1000, 123456790],
    ]);
    await stage.begin(1, 2, "UPDATED");
    expect(planIn(stage.insert).formula).toBe('=INV.UPDATED(A2,B2,"wm_item_number")');
    expect(stage.insert.state().cost).toMatchObject({ price: { searchCalls: 1 }, isPartial: false });
  });

  it("reports missing arguments on a sheet without a list", async () => {
    const stage = createStage([["Notes"], ["call Ann"]]);
    await stage.begin(5, 3, "QTY");
    expect(stage.insert.state().plan).toBeNull();
    expect(stage.insert.state().lacks).toBe("Still to choose: store, item.");
    stage.choose("QTY", { store: { kind: "typed", text: "1000" }, item: { kind: "typed", text: gtin(17) } });
    await stage.clock.turns();
    expect(planIn(stage.insert)).toMatchObject({
      formula: `=INV.QTY(1000,"${gtin(17)}")`,
      area: { row: 5, rows: 1 },
    });
  });

  it("refuses a formula that would refer to its own cells", async () => {
    const stage = createStage(list(5));
    await stage.begin(1, 1, "QTY");
    expect(stage.insert.state().plan).toBeNull();
    expect(stage.insert.state().lacks).toMatch(/its own cells/);
    await stage.select(1, 3);
    stage.choose("QTY", { store: { kind: "typed", text: "Plan!$D$4" } });
    await stage.clock.advance(1_000);
    expect(stage.insert.state().lacks).toMatch(/its own cells/);
    stage.choose("QTY", { store: { kind: "typed", text: "Other!$D$4" } });
    await stage.clock.turns();
    expect(planIn(stage.insert).formula).toBe("=INV.QTY(Other!$D$4,B2)");
  });

  it("puts a table into one cell, and uses the planner's own date", async () => {
    const stage = createStage(list(5));
    await stage.begin(2, 4, "EVENTS", { start_date: { kind: "days-ago", days: 1 } }, { rows: 3 });
    expect(planIn(stage.insert)).toMatchObject({
      formula: "=INV.EVENTS(A3,B3,,TODAY()-1)",
      area: { row: 2, rows: 1 },
    });
    expect(stage.insert.state().cost?.price).toMatchObject({ searchCalls: 0, eventCallsAtLeast: 1 });
  });
});
