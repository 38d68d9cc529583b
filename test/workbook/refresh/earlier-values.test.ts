/** The age of values from the file, until a refresh has requested them. */
import { InvError } from "../../../src/domain/errors";
import { createEarlierValues } from "../../../src/workbook/refresh/earlier-values";
import { isRunning, type RefreshScope } from "../../../src/workbook/refresh/refresh";
import { asOfSetting } from "../../../src/workbook/settings";
import { cellKey } from "../../../src/workbook/addresses";
import { withHost } from "../../functions/fakes";
import { followEdits } from "../../../src/workbook/edit-follower";
import { at, openPlan } from "./plan-bed";
import { createRefreshBed } from "./refresh-bed";
import { createStage, type Stage } from "./refresh-stage";

withHost();

const hour = 3_600_000;
const protectedSheet = new InvError("bad-argument", "The sheet is protected.");
const notConnected = new InvError("not-connected", "Not connected.");

function putUncalculated(stage: Stage, sheet: string, count: number): void {
  for (let row = 0; row < count; row++) {
    stage.workbook.put({ sheet, row, col: 2 }, `=INV.QTY(A${row + 1},1)`);
  }
}

async function open(stage: Stage, said: string | null) {
  if (said !== null) await stage.workbook.setSetting(asOfSetting, said);
  const earlier = createEarlierValues(stage);
  await stage.clock.advance(1_000);
  await stage.refresher.quote("workbook");
  return earlier;
}

const hoursAgo = (stage: Stage, hours: number) => new Date(stage.clock.now() - hours * hour).toISOString();

test("are as old as the file says, until a refresh of everything", async () => {
  const stage = createStage();
  putUncalculated(stage, "Plan", 3);
  const said = hoursAgo(stage, 20);
  const earlier = await open(stage, said);
  const told: unknown[] = [];
  earlier.subscribe(() => told.push(earlier.get()?.cells ?? null));
  expect(earlier.get()).toEqual({ cells: 3, oldestMs: Date.parse(said) });

  await stage.fill("Other", 2);
  expect(earlier.get()).toEqual({ cells: 3, oldestMs: Date.parse(said) });
  expect(await stage.workbook.setting(asOfSetting)).toBe(said);

  // One cell is never called: an IF skips it.
  stage.workbook.put({ sheet: "Plan", row: 0, col: 2 }, "=IF(A1>0,INV.QTY(A1,1))");
  stage.endingOf = ({ sheet, row }) => (sheet === "Plan" && row === 0 ? "uncalled" : "value");
  const done = stage.refresher.start("workbook");
  await stage.clock.advance(120_000);
  await done;
  expect(earlier.get()).toBeNull();
  expect(told.at(-1)).toBeNull();
  await stage.clock.advance(1_000);
  const newest = Date.parse((await stage.workbook.setting(asOfSetting)) ?? "");
  expect(newest).toBeGreaterThan(Date.parse(said) + 20 * hour);
});

test("end when all are calculated, though a row was inserted above them", async () => {
  const bed = (await openPlan(3)).reload();
  const earlier = createEarlierValues(bed);
  await bed.clock.advance(2_000);
  expect(earlier.get()?.cells).toBe(3);
  bed.insertRow("Plan", 0);
  await bed.clock.advance(5_000);
  expect(earlier.get()).toBeNull();
});

test("become fewer as they are calculated in this session", async () => {
  const stage = createStage();
  putUncalculated(stage, "Plan", 3);
  const earlier = await open(stage, hoursAgo(stage, 1));
  await stage.calculate([{ sheet: "Plan", row: 0, col: 2 }]);
  expect(earlier.get()?.cells).toBe(2);
});

test("stay as old as the file says if Excel hasn't calculated one of them", async () => {
  const stage = createStage();
  putUncalculated(stage, "Plan", 3);
  const said = hoursAgo(stage, 20);
  const earlier = await open(stage, said);
  stage.endingOf = ({ row }) => (row === 0 ? "uncalled" : "value");
  await stage.run(120_000);
  expect(earlier.get()).toEqual({ cells: 1, oldestMs: Date.parse(said) });
  expect(await stage.workbook.setting(asOfSetting)).toBe(said);
});

test.each([
  [
    "on a protected sheet",
    (stage: Stage) => (stage.workbook.recalculate = () => Promise.reject(protectedSheet)),
  ],
  ["without a connection", (stage: Stage) => (stage.engine.refresh = () => Promise.reject(notConnected))],
])("stay as old as the file says after a refresh %s", async (_, spoil) => {
  const stage = createStage();
  putUncalculated(stage, "Plan", 3);
  const said = hoursAgo(stage, 20);
  const earlier = await open(stage, said);
  spoil(stage);
  await stage.run(120_000);
  expect(earlier.get()).toEqual({ cells: 3, oldestMs: Date.parse(said) });
  expect(await stage.workbook.setting(asOfSetting)).toBe(said);
});

test("stay as old as the file says while new formulas are filled down and their sheet is refreshed", async () => {
  const stage = createStage();
  putUncalculated(stage, "Plan", 3);
  const said = hoursAgo(stage, 20);
  const earlier = await open(stage, said);
  void stage.fill("Other", 4);
  await stage.clock.advance(50);
  stage.workbook.selection = [{ sheet: "Other", row: 0, col: 0, rows: 1, cols: 1 }];
  void stage.refresher.start("sheet");
  const told: unknown[] = [];
  earlier.subscribe(() => told.push(earlier.get()));
  await stage.clock.advance(10_000);
  await stage.refresher.quote("workbook");
  await stage.clock.advance(10_000);
  expect(earlier.get()).toEqual({ cells: 3, oldestMs: Date.parse(said) });
  expect(told.filter((each) => each === null)).toEqual([]);
  expect(await stage.workbook.setting(asOfSetting)).toBe(said);
});

test("don't appear while a search follows an edit", async () => {
  const bed = await openPlan(3);
  const earlier = createEarlierValues(bed);
  await bed.clock.advance(2_000);
  const told: unknown[] = [];
  earlier.subscribe(() => told.push(earlier.get()));
  bed.workbook.tellEdit(null);
  await bed.clock.advance(15_000);
  expect([earlier.get(), told]).toEqual([null, []]);
});

test("stay known while somebody edits during each search", async () => {
  const stage = createStage();
  putUncalculated(stage, "Plan", 3);
  const earlier = await open(stage, null);
  const { findFormulas } = stage.workbook;
  stage.workbook.findFormulas = async (...given) => {
    const found = await findFormulas(...given);
    stage.workbook.tellEdit([{ sheet: "Other", row: 9, col: 9, rows: 1, cols: 1 }]);
    return found;
  };
  const told: unknown[] = [];
  earlier.subscribe(() => told.push(earlier.get()));
  for (let minutes = 0; minutes < 5; minutes++) {
    await stage.refresher.quote("workbook");
    await stage.clock.advance(60_000);
  }
  expect([earlier.get(), told]).toEqual([{ cells: 3, oldestMs: "unknown" }, []]);
});

test("aren't looked for by a search during which somebody pastes a sheet", async () => {
  const stage = createStage();
  const earlier = await open(stage, null);
  expect(earlier.get()).toBeNull();
  const { findFormulas } = stage.workbook;
  stage.workbook.findFormulas = async (...given) => {
    const found = await findFormulas(...given);
    stage.workbook.findFormulas = findFormulas;
    putUncalculated(stage, "Plan", 3);
    stage.workbook.tellEdit([{ sheet: "Plan", row: 0, col: 0, rows: 3, cols: 3 }]);
    return found;
  };
  await stage.refresher.quote("workbook");
  await stage.clock.advance(1_000);
  expect(earlier.get()).toEqual({ cells: 3, oldestMs: "unknown" });
});

describe("of a sheet that is added", () => {
  async function openAndAdd(rows: number, uncalculated: number) {
    const stage = createStage();
    putUncalculated(stage, "Plan", uncalculated);
    const said = hoursAgo(stage, 20);
    const earlier = await open(stage, said);
    await stage.fill("Plan", 3);
    await stage.clock.advance(1_000);
    putUncalculated(stage, "Other", rows);
    stage.workbook.tellEdit({ added: "Other" });
    await stage.clock.advance(2_000);
    return { stage, said, earlier };
  }

  test.each([0, 5])(
    "from another workbook are of unknown age, and the file says so at once (beside %i from the file)",
    async (uncalculated) => {
      const { stage, earlier } = await openAndAdd(3, uncalculated);
      const cells = 3 + Math.max(0, uncalculated - 3);
      expect(earlier.get()).toEqual({ cells, oldestMs: "unknown" });
      expect(await stage.workbook.setting(asOfSetting)).toBe("unknown");
      await stage.run(120_000);
      expect(earlier.get()).toBeNull();
      const { oldestMs } = stage.cells.summary();
      expect(Date.parse((await stage.workbook.setting(asOfSetting)) ?? "")).toBe(oldestMs);
    },
  );

  test("leave the file's time as it is if there are none", async () => {
    const { stage, said, earlier } = await openAndAdd(0, 5);
    expect(earlier.get()).toEqual({ cells: 2, oldestMs: Date.parse(said) });
    expect(await stage.workbook.setting(asOfSetting)).toBe(said);
  });

  test("are of unknown age although somebody renames the sheet at once", async () => {
    const stage = createStage();
    putUncalculated(stage, "Plan", 3);
    const earlier = await open(stage, hoursAgo(stage, 1));
    followEdits(stage);
    stage.workbook.tellEdit({ added: "Other (2)" });
    await stage.clock.advance(400);
    putUncalculated(stage, "Other", 2);
    stage.workbook.tellEdit({ from: "Other (2)", to: "Other" });
    await stage.clock.advance(60_000);
    expect(earlier.get()).toEqual({ cells: 5, oldestMs: "unknown" });
  });

  test("keep the file's time if they are typed there later", async () => {
    const stage = createStage();
    putUncalculated(stage, "Plan", 3);
    const said = hoursAgo(stage, 1);
    const earlier = await open(stage, said);
    stage.workbook.tellEdit({ added: "Other" });
    await stage.clock.advance(60_000);
    putUncalculated(stage, "Other", 2);
    stage.workbook.tellEdit([{ sheet: "Other", row: 0, col: 2, rows: 2, cols: 1 }]);
    // The pane asks for a price before Excel calls the new cells.
    await stage.refresher.quote("workbook");
    await stage.clock.advance(2_000);
    expect(earlier.get()).toEqual({ cells: 5, oldestMs: Date.parse(said) });
    await stage.calculate([0, 1].map((row) => ({ sheet: "Other", row, col: 2 })));
    await stage.clock.advance(60_000);
    expect(earlier.get()).toEqual({ cells: 3, oldestMs: Date.parse(said) });
    expect(await stage.workbook.setting(asOfSetting)).toBe(said);
  });

  test("are found although the sheet arrives during a search", async () => {
    const stage = createStage();
    putUncalculated(stage, "Plan", 3);
    const earlier = await open(stage, hoursAgo(stage, 20));
    const { findFormulas } = stage.workbook;
    stage.workbook.findFormulas = async (...given) => {
      const found = await findFormulas(...given);
      stage.workbook.findFormulas = findFormulas;
      putUncalculated(stage, "Other", 2);
      stage.workbook.tellEdit({ added: "Other" });
      return found;
    };
    await stage.refresher.quote("workbook");
    await stage.clock.advance(2_000);
    expect(earlier.get()).toEqual({ cells: 5, oldestMs: "unknown" });
  });
});

describe("where an IF skips calls", () => {
  async function refreshed() {
    const bed = createRefreshBed();
    for (let row = 0; row < 6; row++) {
      bed.put(at(row, 0), 100);
      bed.put(at(row, 1), String(row + 1).padStart(14, "0"));
      if (row < 3) bed.put(at(row, 4), 1);
      bed.put(at(row), `=IF(E${row + 1}>0,INV.QTY(A${row + 1},B${row + 1}),"")`);
    }
    bed.calculate(bed.formulas());
    const earlier = createEarlierValues(bed);
    await bed.clock.advance(5_000);
    await bed.clock.until(bed.refresher.start("workbook"));
    await bed.clock.advance(60_000);
    return { bed, earlier, said: await bed.workbook.setting(asOfSetting) };
  }

  test.each([
    ["an empty sheet is added", { added: "Blank" }],
    ["a sheet is deleted", null],
  ])("none appear when %s, and the file's time stays", async (_, edit) => {
    const { bed, earlier, said } = await refreshed();
    expect(Date.parse(said ?? "")).not.toBeNaN();
    bed.workbook.tellEdit(edit);
    await bed.clock.advance(15_000);
    expect([earlier.get(), await bed.workbook.setting(asOfSetting)]).toEqual([null, said]);
  });

  test("those of an added sheet are of unknown age", async () => {
    const { bed, earlier } = await refreshed();
    bed.put(at(0, 2, "Moved"), '=IF(E1>0,INV.QTY(A1,B1),"")');
    bed.shown.set(cellKey(at(0, 2, "Moved")), 7);
    bed.workbook.tellEdit({ added: "Moved" });
    await bed.clock.advance(15_000);
    expect(earlier.get()).toEqual({ cells: 1, oldestMs: "unknown" });
    expect(await bed.workbook.setting(asOfSetting)).toBe("unknown");
  });
});

test("of a sheet that arrives in the last moment of a refresh are of unknown age", async () => {
  const bed = await openPlan(3);
  const earlier = createEarlierValues(bed);
  await bed.clock.advance(2_000);
  const { contentsOf } = bed.workbook;
  let row = 0;
  // A refresh looks for the cells again only a few times.
  bed.workbook.contentsOf = (...given) => {
    if (!isRunning(bed.refresher.state)) return contentsOf(...given);
    bed.put(at((row += 1), 2, "Moved"), '=IF(E1>0,INV.QTY(A1,B1),"")');
    bed.shown.set(cellKey(at(row, 2, "Moved")), 7);
    bed.workbook.tellEdit({ added: "Moved" });
    return contentsOf(...given);
  };
  await bed.clock.until(bed.refresher.start("workbook"));
  expect(bed.refresher.state.phase).toBe("done");
  await bed.clock.advance(15_000);
  expect(earlier.get()?.oldestMs).toBe("unknown");
});

test("don't exist where only skipped calls are left, without another search", async () => {
  const stage = createStage();
  putUncalculated(stage, "Plan", 3);
  for (const row of [3, 4]) {
    stage.workbook.put({ sheet: "Plan", row, col: 2 }, `=IF(A${row}>0,INV.QTY(A${row},1))`);
  }
  const earlier = await open(stage, hoursAgo(stage, 20));
  stage.endingOf = ({ sheet, row }) => (sheet === "Plan" && row > 2 ? "uncalled" : "value");
  await stage.calculate([0, 1, 2].map((row) => ({ sheet: "Plan", row, col: 2 })));
  expect(earlier.get()?.cells).toBe(2);
  await stage.run(120_000);
  expect(earlier.get()).toBeNull();
});

test("don't come from new formulas that skip INV, and nothing is saved because of them", async () => {
  const stage = createStage();
  const earlier = await open(stage, hoursAgo(stage, 20));
  await stage.fill("Plan", 3);
  await stage.run(120_000);
  const saved = await stage.workbook.setting(asOfSetting);
  for (const row of [3, 4]) {
    stage.workbook.put({ sheet: "Plan", row, col: 2 }, `=IF(A${row}>0,INV.QTY(A${row},1))`);
  }
  stage.workbook.tellEdit([{ sheet: "Plan", row: 3, col: 2, rows: 2, cols: 1 }]);
  await stage.refresher.quote("workbook");
  await stage.clock.advance(2_000);
  expect(earlier.get()).toBeNull();
  expect(await stage.workbook.setting(asOfSetting)).toBe(saved);
});

test("an older value that arrives during a save counts after it", async () => {
  const stage = createStage();
  await open(stage, hoursAgo(stage, 20));
  const { setSetting } = stage.workbook;
  stage.workbook.setSetting = async (key, value) => {
    await new Promise((resolve) => stage.clock.setTimeout(() => resolve(null), 3_000));
    return setSetting(key, value);
  };
  await stage.fill("Plan", 1);
  await stage.clock.until(stage.refresher.start("workbook"));
  await stage.clock.advance(1_500);
  stage.workbook.put({ sheet: "Other", row: 0, col: 2 }, "=INV.QTY(A1,1)");
  const olderMs = stage.clock.now() - hour;
  const call = stage.cells.begin("Other!C1", "demo");
  call.requests({ storeNumber: 1234, itemType: "gtin", value: "9" });
  call.answered(olderMs);
  call.settled();
  await stage.clock.advance(30_000);
  expect(await stage.workbook.setting(asOfSetting)).toBe(new Date(olderMs).toISOString());
});

test("are as old as another person says who has saved an earlier time in between", async () => {
  const stage = createStage();
  putUncalculated(stage, "Plan", 3);
  const earlier = await open(stage, hoursAgo(stage, 1));
  const theirs = hoursAgo(stage, 30);
  await stage.workbook.setSetting(asOfSetting, theirs);
  stage.workbook.put({ sheet: "Other", row: 9, col: 2 }, "=INV.QTY(A10,1)");
  const call = stage.cells.begin("Other!C10", "demo");
  call.requests({ storeNumber: 1234, itemType: "gtin", value: "9" });
  call.answered(stage.clock.now() - 2 * hour);
  call.settled();
  await stage.clock.advance(2_000);
  expect(earlier.get()).toEqual({ cells: 3, oldestMs: Date.parse(theirs) });
  expect(await stage.workbook.setting(asOfSetting)).toBe(theirs);
});

test.each([["nothing"], ["soon"], ["9999-01-01T00:00:00.000Z"]])(
  "are of unknown age if the file contains %s",
  async (said) => {
    const stage = createStage();
    putUncalculated(stage, "Plan", 3);
    const earlier = await open(stage, said === "nothing" ? null : said);
    expect(earlier.get()).toEqual({ cells: 3, oldestMs: "unknown" });
    await stage.fill("Other", 2);
    expect(earlier.get()).toEqual({ cells: 3, oldestMs: "unknown" });
    await stage.run(120_000);
    expect(earlier.get()).toBeNull();
  },
);

describe("the file's as-of time", () => {
  async function setUp() {
    const stage = createStage();
    const written: string[] = [];
    const { setSetting } = stage.workbook;
    stage.workbook.setSetting = (key, value) => {
      written.push(value);
      return setSetting(key, value);
    };
    await open(stage, null);
    await stage.fill("Plan", 3);
    await stage.clock.advance(60_000);
    const refresh = async (scope: RefreshScope, isAutomatic = false): Promise<void> => {
      await stage.clock.until(stage.refresher.start(scope, { isAutomatic }));
      await stage.clock.advance(10_000);
    };
    return { stage, written, refresh };
  }

  // Saving clears Excel's undo history (office-js 3141).
  test("rises only after a refresh of the whole workbook that a person started", async () => {
    const { stage, written, refresh } = await setUp();
    await stage.fill("Other", 3);
    await refresh("workbook", true);
    stage.workbook.selection = [{ sheet: "Plan", row: 0, col: 0, rows: 9, cols: 9 }];
    await refresh("sheet");
    await refresh("older");
    expect(written).toEqual([]);
    await refresh("workbook");
    expect(written).toEqual([new Date(stage.cells.summary().oldestMs ?? 0).toISOString()]);
    await stage.fill("Other", 4);
    await refresh("workbook", true);
    expect(written).toHaveLength(1);
  });

  test("rises after a cancel to the time of the oldest value", async () => {
    const { stage, written } = await setUp();
    const before = stage.cells.summary().oldestMs ?? 0;
    void stage.refresher.start("workbook");
    await stage.clock.advance(100);
    stage.refresher.cancel();
    await stage.clock.advance(10_000);
    expect(written).toEqual([new Date(before).toISOString()]);
  });

  test("goes back at once if an older value arrives", async () => {
    const { stage, written, refresh } = await setUp();
    await refresh("workbook");
    const said = Date.parse(written[0] ?? "");
    const call = stage.cells.begin("Plan!C10", "demo");
    call.answered(said - hour);
    call.settled();
    await stage.clock.advance(1_000);
    expect(written.map((text) => Date.parse(text))).toEqual([said, said - hour]);
  });

  test("is right in the end although Excel refuses to be written for a while", async () => {
    const { stage, written, refresh } = await setUp();
    const { setSetting } = stage.workbook;
    stage.workbook.setSetting = () => Promise.reject(new Error("A cell is being edited."));
    await refresh("workbook");
    stage.workbook.setSetting = setSetting;
    await stage.clock.advance(20_000);
    expect(written).toEqual([new Date(stage.cells.summary().oldestMs ?? 0).toISOString()]);
  });

  test("goes back if it is later than this computer's clock", async () => {
    const stage = createStage();
    await open(stage, hoursAgo(stage, -2));
    await stage.fill("Plan", 1);
    await stage.clock.advance(1_000);
    expect(Date.parse((await stage.workbook.setting(asOfSetting)) ?? "")).toBe(
      stage.cells.summary().oldestMs,
    );
  });

  test("isn't saved while the workbook has values of unknown age", async () => {
    const stage = createStage();
    putUncalculated(stage, "Plan", 3);
    await open(stage, null);
    const [ref] = await stage.fill("Other", 1);
    stage.endingOf = ({ sheet }) => (sheet === "Plan" ? "uncalled" : "value");
    const done = stage.refresher.start("workbook");
    await stage.clock.advance(120_000);
    await done;
    expect(ref).toBeDefined();
    expect(await stage.workbook.setting(asOfSetting)).toBeNull();
  });
});
