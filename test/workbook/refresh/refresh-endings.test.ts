/** How a refresh ends if the host loses cells, and after a cancel: never stuck, nothing lost. */
import type { CellRef } from "../../../src/workbook/port";
import { InvError } from "../../../src/domain/errors";
import { cancelled, createStage, outage, queryOf, type Stage, stageWith } from "./refresh-stage";

const valuesOf = (stage: Stage): string[] => stage.asked.at(-1)!.items.map(({ value }) => value);
const hourMs = 3_600_000;
const rowsOf = (refs: readonly CellRef[]): number[] => refs.map(({ row }) => row);

describe("cells that the host loses", () => {
  it("are marked once more, and then settle", async () => {
    const stage = await stageWith(4);
    let marks = 0;
    const { onRecalculate } = stage.workbook;
    stage.workbook.onRecalculate = (refs) => {
      marks += 1;
      return onRecalculate(marks === 1 ? refs.slice(0, 3) : refs);
    };
    await stage.run(15_000);
    expect(stage.refresher.state).toMatchObject({ phase: "done", settled: 4 });
    expect(stage.workbook.recalculated.map((refs) => refs.length)).toEqual([4, 1]);
  });

  it.each(["uncalled", "hangs"] as const)("twice (%s) are reported and not waited for", async (fate) => {
    const stage = await stageWith(4);
    stage.endingOf = ({ row }) => (row === 2 ? fate : "value");
    await stage.run(30_000);
    expect(stage.refresher.state).toMatchObject({ phase: "done", cells: 4, settled: 3 });
    expect(rowsOf(stage.refresher.state.missed!)).toEqual([2]);
    expect(stage.workbook.recalculated).toHaveLength(2);
  });

  it("twice are the only ones that a resume marks", async () => {
    const stage = await stageWith(4);
    stage.endingOf = ({ row }) => (row === 2 ? "uncalled" : "value");
    await stage.run(30_000);
    stage.endingOf = () => "value";
    await stage.resume(5000);
    expect(stage.refresher.state).toMatchObject({ phase: "done", cells: 1, settled: 1 });
  });

  it("because their formula doesn't call INV count as settled", async () => {
    const stage = await stageWith(3);
    stage.workbook.put({ sheet: "Plan", row: 7, col: 2 }, '=IF(A8="","",INV.QTY(A8,B8))');
    stage.endingOf = ({ row }) => (row === 7 ? "uncalled" : "value");
    await stage.run(10_000);
    expect(stage.refresher.state).toMatchObject({ phase: "done", cells: 4, settled: 4 });
    expect(stage.workbook.recalculated).toHaveLength(1);
  });

  it("end the wait even if the engine stays busy forever", async () => {
    const stage = await stageWith(2);
    stage.endingOf = () => "hangs";
    stage.engine.busy = true;
    await stage.run(10 * 60_000);
    expect(stage.refresher.state).toMatchObject({ phase: "done", settled: 0 });
    expect(stage.refresher.state.missed).toHaveLength(2);
  });
});

describe("a refresh with a lost mark ends on time after the clock was set", () => {
  it.each([
    ["forward", 2 * hourMs],
    ["back", -2 * hourMs],
  ])("%s", async (_, byMs) => {
    const endsAfterMs = async (setByMs: number): Promise<number> => {
      const stage = await stageWith(4);
      stage.endingOf = ({ row }) => (row === 2 ? "hangs" : "value");
      const startMs = stage.clock.steadyNow();
      const refreshing = stage.refresher.start("workbook");
      await stage.clock.advance(1_000);
      stage.clock.setSystem(setByMs);
      await stage.clock.until(refreshing);
      expect(stage.refresher.state).toMatchObject({ phase: "done", settled: 3 });
      return stage.clock.steadyNow() - startMs;
    };
    expect(await endsAfterMs(byMs)).toBe(await endsAfterMs(0));
  });

  it("a pause of the quota doesn't count", async () => {
    const stage = await stageWith(4);
    stage.endingOf = ({ row }) => (row === 2 ? "hangs" : "value");
    stage.engine.busy = true;
    stage.clock.setSystem(-2 * hourMs);
    stage.engine.resumesAtMs = stage.clock.now() + 10 * 60_000;
    await stage.run(9 * 60_000);
    expect(stage.refresher.state.phase).toBe("running");
    await stage.clock.advance(6 * 60_000);
    expect(stage.refresher.state.phase).toBe("done");
  });
});

test("a refresh after being offline requests refused cells and those with their last value", async () => {
  const stage = createStage();
  const refs = await stage.fill("Plan", 4);
  const offline = new InvError("offline", "INV is offline: no calls are sent.");
  const refused = stage.cells.begin("Plan!C2", "demo");
  refused.requests(queryOf(refs[1]!));
  refused.failed(offline);
  refused.settled();
  const stale = stage.cells.begin("Plan!C3", "demo");
  stale.requests(queryOf(refs[2]!));
  stale.answered(0, offline);
  stale.settled();
  expect(stage.cells.summary().latestUnanswered).toBe(2);
  void stage.refresher.start("unanswered");
  await stage.clock.advance(5_000);
  expect(valuesOf(stage).map(Number)).toEqual([1, 2]);
  expect(stage.refresher.state).toMatchObject({ phase: "done", cells: 2, settled: 2 });
});

describe("a failed refresh whose rest is answered outside of a refresh", () => {
  it.each([
    ["is over, if all cells show newer values", null, "idle"],
    ["stays failed while cells show older values", "no probe", "failed"],
  ] as const)("%s", async (_, failing, phase) => {
    const stage = await stageWith(4);
    if (failing === null) stage.endingOf = ({ row }) => (row > 1 ? "stale" : "value");
    else stage.refusal = outage;
    await stage.run();
    expect(stage.refresher.state).toMatchObject({ phase: "failed", unanswered: failing === null ? 2 : 4 });
    stage.endingOf = () => "value";
    const rows = failing === null ? [2, 3] : [1, 2, 3];
    await stage.calculate(rows.map((row) => ({ sheet: "Plan", row, col: 2 })));
    // The host answers the last cell from the cache.
    const cached = stage.cells.begin("Plan!C1", "demo");
    cached.requests(queryOf({ sheet: "Plan", row: 0, col: 2 }));
    cached.answered(failing === null ? stage.clock.now() : 0);
    cached.settled();
    await stage.clock.advance(1000);
    expect(stage.refresher.state.phase).toBe(phase);
  });

  it("is over, if the cells show another environment", async () => {
    const stage = await stageWith(2);
    stage.refusal = outage;
    await stage.run();
    stage.engine.connection = { environment: { id: "sandbox" } as never, credentials: null };
    expect(stage.refresher.state.phase).toBe("failed");
    await stage.fill("Other", 1);
    expect(stage.refresher.state.phase).toBe("idle");
  });
});

describe("a cancel", () => {
  const halfDone = async () => {
    const stage = await stageWith(10);
    const { onRecalculate } = stage.workbook;
    stage.workbook.onRecalculate = (refs) => {
      void onRecalculate(refs.slice(0, 4));
      stage.clock.setTimeout(() => void onRecalculate(refs.slice(4)), 600);
    };
    await stage.run(80 + 500);
    expect(stage.refresher.state).toMatchObject({ phase: "running", settled: 4 });
    return stage;
  };

  it("ends the refresh at once and keeps the values that have arrived", async () => {
    const stage = await halfDone();
    let ended = false;
    stage.refresher.subscribe(() => (ended = stage.refresher.state.phase === "cancelled"));
    stage.refresher.cancel();
    expect(ended).toBe(true);
    expect(stage.refresher.state).toMatchObject({ phase: "cancelled", settled: 4 });
  });

  it("applies to cells that the host calls later", async () => {
    const stage = await halfDone();
    stage.refresher.cancel();
    await stage.clock.advance(5000);
    const states = [...stage.cells.all()].map(({ state, error }) => error?.code ?? state);
    expect(states.filter((state) => state === "value")).toHaveLength(4);
    expect(states.filter((state) => state === "cancelled")).toHaveLength(6);
  });

  it("doesn't apply to cells that are recalculated in another environment", async () => {
    const stage = await halfDone();
    const refs = stage.workbook.recalculated.flat();
    stage.refresher.cancel();
    await stage.clock.advance(1000);
    stage.engine.connection = { environment: { id: "production" } as never, credentials: null };
    await stage.calculate(refs);
    expect(new Set([...stage.cells.all()].map(({ state }) => state))).toEqual(new Set(["value"]));
  });

  it("during the probe marks nothing", async () => {
    const stage = await stageWith(3);
    const started = stage.refresher.start("workbook");
    await stage.clock.advance(10);
    expect(stage.refresher.state.phase).toBe("asking");
    stage.refresher.cancel();
    await started;
    await stage.clock.advance(5000);
    expect(stage.log).toEqual(["ask 3", "cancel"]);
    expect(stage.refresher.state).toMatchObject({ phase: "cancelled", settled: 0 });
  });

  it("of the engine's work counts too", async () => {
    const stage = await stageWith(3);
    await stage.run(150);
    stage.engine.cancel();
    await stage.clock.advance(5000);
    expect(stage.refresher.state).toMatchObject({ phase: "cancelled", error: null });
    expect([...stage.cells.all()].map(({ error }) => error)).toEqual([cancelled, cancelled, cancelled]);
  });

  it("lets a new refresh begin at once", async () => {
    const stage = await halfDone();
    stage.refresher.cancel();
    await stage.run(5000);
    expect(stage.refresher.state).toMatchObject({ phase: "done", cells: 10, settled: 10 });
  });

  const markingSlowly = async (markingMs: number, endingOf: Stage["endingOf"] = () => "value") => {
    const stage = await stageWith(5);
    stage.endingOf = endingOf;
    const { onRecalculate } = stage.workbook;
    // As while a person edits a cell: the host marks cells when the edit ends.
    stage.workbook.onRecalculate = (refs) =>
      new Promise((resolve) => {
        stage.clock.setTimeout(() => {
          void onRecalculate(refs);
          resolve();
        }, markingMs);
      });
    await stage.run(500);
    expect(stage.refresher.state.phase).toBe("running");
    stage.refresher.cancel();
    return stage;
  };

  it("during the marking doesn't mark cells again", async () => {
    const stage = await markingSlowly(1_000, () => "uncalled");
    await stage.clock.advance(60_000);
    expect(stage.workbook.recalculated).toHaveLength(1);
    expect(stage.refresher.state.phase).toBe("cancelled");
  });

  it("applies to cells whose marking ends later", async () => {
    const stage = await markingSlowly(20_000);
    await stage.clock.advance(60_000);
    expect([...stage.cells.all()].map(({ error }) => error?.code)).toEqual(Array(5).fill("cancelled"));
  });

  it.each([
    ["forward", 2 * hourMs],
    ["back", -2 * hourMs],
  ])("holds as long when the clock is set %s meanwhile", async (_, byMs) => {
    const stage = await halfDone();
    const { onRecalculate } = stage.workbook;
    stage.workbook.onRecalculate = () => undefined;
    stage.refresher.cancel();
    await stage.clock.advance(500);
    stage.clock.setSystem(byMs);
    for (let wave = 0; wave < 4; wave += 1) {
      await onRecalculate([{ sheet: "Plan", row: wave, col: 2 }]);
      await stage.clock.advance(1_800);
    }
    const codes = [...stage.cells.all()].slice(0, 4).map(({ error }) => error?.code);
    expect(codes).toEqual(Array(4).fill("cancelled"));
    await stage.clock.advance(40_000);
    await stage.calculate([{ sheet: "Plan", row: 0, col: 2 }]);
    expect(stage.cells.get("Plan!C1")?.state).toBe("value");
  });

  it("without a refresh does nothing", () => {
    const stage = createStage();
    stage.refresher.cancel();
    expect(stage.log).toEqual([]);
    expect(stage.refresher.state.phase).toBe("idle");
  });
});
