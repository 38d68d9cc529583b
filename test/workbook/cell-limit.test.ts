/** Cells that the host doesn't calculate are counted with their reason, whatever somebody does next, and no refresh waits for them. */
import { countBeyondLimit } from "../../src/workbook/cell-limit";
import { followEdits } from "../../src/workbook/edit-follower";
import { createStage } from "./refresh/refresh-stage";

const limit = 3;

async function beyondLimit() {
  const stage = createStage();
  const { workbook, cells } = stage;
  workbook.mostInvCells = limit;
  followEdits(stage);
  countBeyondLimit(workbook, cells);
  await stage.fill("Plan", limit);
  const ref = { sheet: "Plan", row: limit, col: 2 };
  workbook.put(ref, "=INV.QTY(1,2)");
  workbook.tellBeyondLimit([ref]);
  return { ...stage, ref };
}

type Stage = Awaited<ReturnType<typeof beyondLimit>>;

const counted = ({ cells }: Stage): string[] =>
  cells.problemList.groups().flatMap((group) => group.cells.map(({ address }) => `${address} ${group.code}`));

test("an edit of such a cell, told late, takes it out of no count", async () => {
  const stage = await beyondLimit();
  expect(counted(stage)).toEqual(["Plan!C4 not-possible"]);
  stage.workbook.tellEdit([{ ...stage.ref, rows: 1, cols: 1 }]);
  await stage.clock.advance(1_000);
  expect(stage.workbook.searches).toHaveLength(1);
  expect(counted(stage)).toEqual(["Plan!C4 not-possible"]);
});

test("the price of a refresh leaves it out, and it stays counted", async () => {
  const stage = await beyondLimit();
  expect(await stage.refresher.quote("workbook")).toMatchObject({ cells: limit });
  expect(counted(stage)).toEqual(["Plan!C4 not-possible"]);
});

test("it leaves the count when its formula is gone, and when there is room", async () => {
  const deleted = await beyondLimit();
  deleted.workbook.put(deleted.ref, null);
  deleted.workbook.tellEdit([{ ...deleted.ref, rows: 1, cols: 1 }]);
  await deleted.clock.advance(1_000);
  expect(counted(deleted)).toEqual([]);
  const stage = await beyondLimit();
  stage.workbook.tellBeyondLimit([]);
  expect(counted(stage)).toEqual([]);
});
