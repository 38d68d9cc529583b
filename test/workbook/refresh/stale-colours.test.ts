/** Stale cells are coloured in the sheet, by a click or always, until a refresh answers them: in this session, another one, or a colleague's. */
import { cellsOf, cellKey } from "../../../src/workbook/addresses";
import type { CellRef } from "../../../src/workbook/port";
import { colourSetting } from "../../../src/workbook/settings";
import { withHost } from "../../functions/fakes";
import { createRefreshBed, type RefreshBed } from "./refresh-bed";

withHost();

const rows = 12;
const perStore = 4;
const at = (row: number, col = 2): CellRef => ({ sheet: "Plan", row, col });

/** Three stores with four items each, and a note that isn't a formula. Calculated an hour ago. */
async function openPlan(): Promise<RefreshBed> {
  const bed = createRefreshBed();
  for (let row = 0; row < rows; row += 1) {
    bed.put(at(row, 0), 100 + Math.floor(row / perStore));
    bed.put(at(row, 1), String(row).padStart(14, "0"));
    bed.put(at(row), `=IFNA(INV.QTY(A${row + 1},B${row + 1}),"")`);
    bed.put(at(row, 3), "a note");
  }
  bed.calculate(bed.formulas());
  await bed.clock.advance(3_600_000);
  return bed;
}

function breakStores(bed: RefreshBed, ...stores: readonly number[]): void {
  bed.service.script(({ operation, store }) =>
    operation === "search" && stores.includes(store) ? new Response("", { status: 403 }) : undefined,
  );
}

const coloured = (bed: RefreshBed) =>
  bed.workbook.coloured.flatMap(cellsOf).map(({ row, col }) => `${"ABCD"[col] ?? ""}${row + 1}`);
const rowsOf = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `C${from + index}`);

async function refresh(bed: RefreshBed, scope: "workbook" | "selection" = "workbook"): Promise<void> {
  await bed.clock.until(bed.refresher.start(scope));
  await bed.clock.advance(5_000);
  bed.engine.tryAgain();
}

const howOpened = [
  ["calculated", (bed: RefreshBed) => bed],
  ["opened or reloaded", (bed: RefreshBed) => bed.reload()],
] as const;

describe.each(howOpened)("in a workbook that was %s", (_, prepare) => {
  it("a click colours exactly the stale cells, and the refresh that answers them removes it", async () => {
    const bed = prepare(await openPlan());
    breakStores(bed, 101);
    await refresh(bed);
    expect(coloured(bed)).toEqual([]);
    expect(await bed.clock.until(bed.refresher.colours.colour())).toEqual({ cells: 4, others: 0 });
    expect(coloured(bed)).toEqual(rowsOf(5, 8));

    breakStores(bed, 102);
    await refresh(bed);
    expect(coloured(bed)).toEqual([]);
  });

  it("colours them after each refresh if the workbook says so", async () => {
    const opened = await openPlan();
    await opened.clock.until(opened.refresher.colours.setAlways(true));
    const bed = prepare(opened);
    await bed.clock.advance(0);
    expect(bed.refresher.colours.always.get()).toBe(true);
    breakStores(bed, 100, 102);
    await refresh(bed);
    expect(coloured(bed)).toEqual([...rowsOf(1, 4), ...rowsOf(9, 12)]);
    breakStores(bed, 102);
    await refresh(bed);
    expect(coloured(bed)).toEqual(rowsOf(9, 12));
    breakStores(bed);
    await refresh(bed);
    expect(coloured(bed)).toEqual([]);
  });
});

it("a row inserted before the click moves nothing to another cell", async () => {
  const bed = await openPlan();
  breakStores(bed, 101);
  await refresh(bed);
  bed.insertRow("Plan", 2);
  await bed.clock.advance(60_000);
  await bed.clock.until(bed.refresher.colours.colour());
  expect(coloured(bed)).toEqual(rowsOf(6, 9));
});

it("the colours of another session stay until a refresh answers their cells", async () => {
  const plan = await openPlan();
  breakStores(plan, 101, 102);
  await refresh(plan);
  await plan.clock.until(plan.refresher.colours.colour());
  const bed = plan.reload();
  bed.workbook.selection = [{ ...at(0), rows: 5, cols: 1 }];
  breakStores(bed);
  await refresh(bed, "selection");
  expect(coloured(bed)).toEqual(rowsOf(6, 12));
  await refresh(bed);
  expect(coloured(bed)).toEqual([]);
});

it("the colours of a sheet without INV formulas, such as a copy with values, stay", async () => {
  const bed = await openPlan();
  const copy = { sheet: "Other", row: 3, col: 2, rows: 4, cols: 1 };
  bed.workbook.coloured.push(copy);
  await refresh(bed);
  expect(bed.workbook.coloured).toEqual([copy]);
});

it("all cells of a stale grid are coloured", async () => {
  const bed = createRefreshBed();
  [101, 102].forEach((store, row) => bed.put(at(row, 0), store));
  bed.put(at(0, 1), "1".padStart(14, "0"));
  bed.put(at(0), "=INV.QTY(A1:A2,B1)");
  bed.workbook.spills.set(cellKey(at(0)), { rows: 2, cols: 1 });
  bed.calculate([at(0)]);
  await bed.clock.advance(3_600_000);
  breakStores(bed, 102);
  await refresh(bed);
  await bed.clock.until(bed.refresher.colours.colour());
  expect(coloured(bed)).toEqual(["C1", "C2"]);
});

it("cells that somebody moves at the moment of the write are found again", async () => {
  const bed = await openPlan();
  breakStores(bed, 101);
  await refresh(bed);
  const { setColours } = bed.workbook;
  let edits = 0;
  bed.workbook.setColours = (...given) => {
    edits += 1;
    if (edits === 1) bed.insertRow("Plan", 2);
    return setColours(...given);
  };
  await bed.clock.until(bed.refresher.colours.colour());
  expect(coloured(bed)).toEqual(rowsOf(6, 9));
});

it("after a sort, the colours follow their cells", async () => {
  const bed = await openPlan();
  breakStores(bed, 100);
  await refresh(bed);
  await bed.clock.until(bed.refresher.colours.colour());
  expect(coloured(bed)).toEqual(rowsOf(1, 4));
  // Sorted by store, from the largest: conditional formats stay where they are.
  for (let row = 0; row < rows; row += 1) {
    bed.put(at(row, 0), 102 - Math.floor(row / perStore));
    bed.put(
      at(row, 1),
      String(perStore * (2 - Math.floor(row / perStore)) + (row % perStore)).padStart(14, "0"),
    );
  }
  bed.calculate(bed.formulas());
  bed.workbook.tellEdit([{ ...at(0, 0), rows, cols: 3 }]);
  await bed.clock.advance(60_000);
  expect(coloured(bed)).toEqual(rowsOf(9, 12));
});

it("cells of a protected sheet are counted, and the others are coloured", async () => {
  const bed = await openPlan();
  const { setColours, sheets } = bed.workbook;
  breakStores(bed, 101);
  await refresh(bed);
  bed.workbook.setColours = () => Promise.reject(new Error("The sheet is protected."));
  bed.workbook.sheets = async () => (await sheets()).map((sheet) => ({ ...sheet, isProtected: true }));
  expect(await bed.clock.until(bed.refresher.colours.colour())).toEqual({ cells: 0, others: 4 });
  bed.workbook.setColours = setColours;
  expect(await bed.clock.until(bed.refresher.colours.colour())).toEqual({ cells: 4, others: 0 });
});

it("a refresh without stale or coloured cells reads no formula again", async () => {
  const bed = await openPlan();
  await bed.clock.until(bed.refresher.colours.setAlways(true));
  bed.workbook.searches.splice(0);
  await refresh(bed);
  expect(bed.workbook.searches).toEqual([null]);
  expect(await bed.workbook.setting(colourSetting)).toBe("always");
});
