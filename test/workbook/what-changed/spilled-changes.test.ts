/** The changes in spilled formulas, cell by cell, and the limit of cells. */
import { cellKey } from "../../../src/workbook/addresses";
import type { CellContent } from "../../../src/workbook/port";
import { outage, queryOf } from "../refresh/refresh-stage";
import { show, type Shown } from "./changes-stage";

describe("a formula that spilled", () => {
  const grid = { sheet: "Other", row: 0, col: 0 };

  async function spilled(formula: string, ending: "value" | "failed"): Promise<Shown> {
    const shown = await show([1]);
    const { workbook, cells } = shown.stage;
    workbook.put(grid, formula);
    workbook.spills.set(cellKey(grid), { rows: 2, cols: 2 });
    const before: CellContent[][] = [
      [1, 2],
      [3, 4],
    ];
    let now = before;
    const { contentsOf } = workbook;
    workbook.contentsOf = async (areas) => {
      const contents = await contentsOf(areas);
      return contents.map((own, index) => (areas[index]?.sheet === "Other" ? now : own));
    };
    const mark = workbook.onRecalculate;
    workbook.onRecalculate = (refs) => {
      void mark(refs.filter(({ sheet }) => sheet === "Plan"));
      const report = cells.begin("Other!A1", "demo");
      for (const row of [0, 1, 2, 3]) report.requests(queryOf({ ...grid, row }));
      if (ending === "failed") report.failed(outage);
      else report.answered(shown.stage.clock.now());
      report.settled();
      now = [
        [0, 2],
        [8, ending === "failed" ? { error: "#VALUE!" } : 4],
      ];
    };
    await shown.refresh();
    return shown;
  }

  it.each(["value", "failed"] as const)(
    "counts by place, each with its own item, where it ends in %s",
    async (ending) => {
      const shown = await spilled("=INV.QTY(A2:A5,B2:B5)", ending);
      expect(shown.report()).toMatchObject({
        compared: ending === "failed" ? 4 : 5,
        toZero: 1,
        notAnswered: ending === "failed" ? 1 : 0,
      });
      expect(shown.report().changes).toMatchObject([
        { sheet: "Other", row: 1, col: 0, difference: 5, item: queryOf({ ...grid, row: 2 }).value },
        { sheet: "Other", row: 0, col: 0, difference: -1, item: queryOf({ ...grid, row: 0 }).value },
      ]);
    },
  );

  it("has no changes if something hides which of its cells failed", async () => {
    const shown = await spilled("=SORT(IFERROR(INV.QTY(A2:A5,B2:B5),0))", "failed");
    expect(shown.report()).toMatchObject({ changes: [], compared: 1, notAnswered: 4 });
  });
});

it("compares nothing with more than 200,000 cells, and the report says so", async () => {
  const shown = await show([1, 2]);
  const { workbook } = shown.stage;
  workbook.put({ sheet: "Other", row: 0, col: 0 }, "=INV.QTY(1,2)");
  workbook.spills.set(cellKey({ sheet: "Other", row: 0, col: 0 }), { rows: 200_000, cols: 1 });
  shown.next.set(0, 5);
  await shown.refresh();
  expect(shown.report()).toMatchObject({ isTooLarge: true, compared: 0, changes: [] });
});
