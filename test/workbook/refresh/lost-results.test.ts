/** Results that the host loses: found after a refresh, calculated again within limits, and reported. */
import type { CellRef } from "../../../src/workbook/port";
import { createStage, outage, type Stage } from "./refresh-stage";

/** The host shows these cells as #BUSY!, however INV has settled them. Recalculations repair those that `mends` allows. */
async function openLosing(count: number, mends: (marks: number) => boolean) {
  const stage = createStage();
  const refs = await stage.fill("Plan", count);
  const lost = new Set<number>();
  let marks = 0;
  const { onRecalculate, read } = stage.workbook;
  stage.workbook.onRecalculate = (marked) => {
    marks += 1;
    if (marks > 1 && mends(marks - 1)) for (const { row } of marked) lost.delete(row);
    return onRecalculate(marked);
  };
  stage.workbook.read = async (area, what) => {
    const rows = await read(area, what);
    return rows.map((line, r) => line.map((value) => (lost.has(area.row + r) ? "#BUSY!" : value)));
  };
  return { stage, refs, lost };
}

const marked = (stage: Stage): number[][] =>
  stage.workbook.recalculated.map((refs: readonly CellRef[]) => refs.map(({ row }) => row));

describe("a result that the host has lost", () => {
  it("is calculated again without a request, and reported", async () => {
    const { stage, lost } = await openLosing(5, () => true);
    await stage.run(2_000);
    expect(stage.refresher.state.phase).toBe("done");
    for (const row of [1, 3]) lost.add(row);
    await stage.clock.advance(60_000);
    expect(marked(stage)).toEqual([
      [0, 1, 2, 3, 4],
      [1, 3],
    ]);
    expect(stage.asked).toHaveLength(1);
    expect(stage.refresher.state.lost).toEqual({ again: 2, stuck: [] });
  });

  it("is reported after the second time", async () => {
    const { stage, refs, lost } = await openLosing(3, () => false);
    await stage.run(2_000);
    lost.add(2);
    await stage.clock.advance(300_000);
    expect(marked(stage)).toHaveLength(3);
    expect(stage.refresher.state.lost).toMatchObject({ again: 1, stuck: [refs[2]] });
  });

  it("isn't looked for in unanswered cells or after a cancel", async () => {
    const failing = await openLosing(3, () => true);
    failing.stage.endingOf = ({ row }) => (row === 1 ? "stale" : "value");
    void failing.stage.refresher.start("workbook");
    await failing.stage.clock.advance(2_000);
    expect(failing.stage.refresher.state.error).toBe(outage);
    failing.lost.add(1);
    await failing.stage.clock.advance(60_000);
    expect(marked(failing.stage)).toHaveLength(1);

    const stopped = await openLosing(3, () => true);
    void stopped.stage.refresher.start("workbook");
    await stopped.stage.clock.advance(150);
    stopped.stage.refresher.cancel();
    stopped.lost.add(1);
    await stopped.stage.clock.advance(60_000);
    expect(marked(stopped.stage)).toHaveLength(1);
  });

  it("of one refresh is forgotten at the start of the next", async () => {
    const { stage, lost } = await openLosing(3, () => false);
    await stage.run(2_000);
    lost.add(2);
    await stage.run(2_000);
    lost.clear();
    await stage.clock.advance(60_000);
    expect(stage.refresher.state).toMatchObject({ phase: "done" });
    expect(stage.refresher.state.lost).toBeUndefined();
    expect(marked(stage)).toHaveLength(2);
  });
});
