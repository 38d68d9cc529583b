/** The selection in Excel: each is reported once, read seldom, and never a chart. */
import { createCellRegister } from "../../../src/cells/cell-register";
import type { Engine } from "../../../src/engine/types";
import type { Area, SelectedAreas } from "../../../src/workbook/port";
import { createRefresher } from "../../../src/workbook/refresh/refresh";
import { enter } from "../../excel/sheet";
import { createVirtualClock } from "../../helpers/virtual-clock";
import { area, openWorkbook, settle } from "./office-stage";

/** An Excel in which this area of Plan is selected, and the selections that the port reports. */
async function openSelected(block: Omit<Area, "sheet">, excelApi?: number) {
  const { excel, workbook } = openWorkbook("Plan");
  excel.excelApi = excelApi ?? excel.excelApi;
  excel.selection = { sheet: "Plan", blocks: [block] };
  const told: SelectedAreas[] = [];
  const stop = workbook.onSelection((each) => told.push(each));
  await settle();
  return { excel, workbook, told, stop };
}

describe("the selection", () => {
  it("is reported at once and at every change, once each", async () => {
    const { excel, told, stop } = await openSelected(area("Plan", 1, 1));
    excel.moveSelection("Plan", { row: 2, col: 1, rows: 3, cols: 2 });
    await settle();
    excel.moveSelection("Plan", { row: 2, col: 1, rows: 3, cols: 2 });
    await settle();
    expect(told).toEqual([[area("Plan", 1, 1)], [area("Plan", 2, 1, 3, 2)]]);
    stop();
    await settle();
    const before = excel.trips.length;
    excel.moveSelection("Plan", { row: 9, col: 1, rows: 1, cols: 1 });
    await settle();
    expect(told).toHaveLength(2);
    expect(excel.trips).toHaveLength(before);
  });

  it("is reported to each of several listeners through one handler", async () => {
    const { excel, workbook, told: first } = await openSelected(area("Plan", 1, 1));
    const second: SelectedAreas[] = [];
    const stop = workbook.onSelection((each) => second.push(each));
    await settle();
    stop();
    await settle();
    const before = excel.trips.length;
    excel.moveSelection("Plan", { row: 2, col: 1, rows: 1, cols: 1 });
    await settle();
    expect([first.length, second.length, excel.trips.length - before]).toEqual([2, 1, 1]);
  });

  it("that was read before somebody listens isn't reported to them, even if its answer arrives later", async () => {
    const { excel, workbook, told: first } = await openSelected(area("Plan", 1, 1));
    excel.moveSelection("Plan", area("Plan", 2, 1));
    const { bridge } = excel;
    const { onMessageFromHost: deliver } = bridge;
    const late: string[] = [];
    bridge.onMessageFromHost = (text) => late.push(text);
    await settle();
    excel.moveSelection("Plan", area("Plan", 3, 1));
    const second: SelectedAreas[] = [];
    workbook.onSelection((each) => second.push(each));
    await settle();
    bridge.onMessageFromHost = deliver;
    for (const text of late) deliver?.(text);
    await settle();
    expect(second).toEqual([[area("Plan", 3, 1)]]);
    expect(first).toEqual([[area("Plan", 1, 1)], [area("Plan", 2, 1)], [area("Plan", 3, 1)]]);
  });

  it("of a chart isn't reported, but the next cell is", async () => {
    const { excel, workbook } = openWorkbook("Plan");
    const told: SelectedAreas[] = [];
    workbook.onSelection((each) => told.push(each));
    await settle();
    expect(told).toEqual([]);
    excel.moveSelection("Plan", { row: 2, col: 1, rows: 1, cols: 1 }, { row: 5, col: 1, rows: 1, cols: 1 });
    await settle();
    expect(told).toEqual([[area("Plan", 2, 1), area("Plan", 5, 1)]]);
  });

  it("in many parts is reported with all of them, in one round trip", async () => {
    const { excel, told } = await openSelected(area("Plan", 0, 0));
    const before = excel.trips.length;
    const blocks = Array.from({ length: 300 }, (_, index) => ({ row: 2 * index, col: 2, rows: 1, cols: 1 }));
    excel.moveSelection("Plan", ...blocks);
    await settle();
    expect(told.at(-1)).toEqual(blocks.map(({ row, col }) => area("Plan", row, col)));
    expect(excel.trips.length - before).toBe(1);
  });

  it("is reported in an older Excel too", async () => {
    const { told } = await openSelected(area("Plan", 3, 1, 2), 8);
    expect(told).toEqual([[area("Plan", 3, 1, 2, 1)]]);
  });

  it("is read where a quick movement ends, not at every cell on the way", async () => {
    const { excel, told } = await openSelected(area("Plan", 0, 0));
    const before = excel.trips.length;
    for (let row = 1; row <= 100; row += 1) excel.moveSelection("Plan", { row, col: 0, rows: 1, cols: 1 });
    await settle();
    expect(told.at(-1)).toMatchObject([{ row: 100 }]);
    expect(excel.trips.length - before).toBeLessThanOrEqual(2);
  });
});

describe("a chart sheet in front", () => {
  it.each(["selection", "sheet"] as const)(
    "ends a refresh of the %s with a sentence, and the next one works",
    async (scope) => {
      const { excel, workbook } = openWorkbook("Plan");
      enter(excel.sheet("Plan"), 1, 2, "=INV.ENV()");
      const clock = createVirtualClock();
      const price = { searchCalls: 0, eventCallsAtLeast: 0, durationMs: 0 };
      const settings = { freshnessMs: 900_000, refreshAgeMs: 60_000 };
      const engine = { connection: null, settings, price: () => price } as unknown as Engine;
      const cells = createCellRegister({ clock });
      const refresher = createRefresher({
        ...{ workbook, engine, cells, clock },
        functions: { queries: () => ({ rows: 1, cols: 1, at: () => null }) },
      });
      const sentence = /^No cells are selected: a chart or shape is selected/;
      const quoted = expect(refresher.quote(scope)).rejects.toThrow(sentence);
      const started = refresher.start(scope);
      await settle();
      await clock.advance(5_000);
      await Promise.all([quoted, started]);
      expect(refresher.state).toMatchObject({ phase: "failed", error: { code: "not-possible" } });
      expect(refresher.state.error?.message).toMatch(sentence);
      excel.moveSelection("Plan", area("Plan", 1, 2));
      const again = refresher.quote(scope);
      await settle();
      expect(await again).toMatchObject({ cells: 0 });
    },
  );
});
