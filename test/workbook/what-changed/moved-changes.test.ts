/**
 * Changes while people edit, with the real engine and the real functions: whatever they type, insert or delete between any two
 * steps, each listed change is the refresh's own, of the item that the cell asked for before and asks for now.
 */
import { cellKey } from "../../../src/workbook/addresses";
import type { ValueChange } from "../../../src/workbook/what-changed/report";
import { withHost } from "../../functions/fakes";
import { fc } from "../../helpers/properties";
import { quantityOf } from "../../helpers/scripted-service";
import { createRefreshBed, type RefreshBed } from "../refresh/refresh-bed";

withHost();

const gtin = (number: number) => String(number).padStart(14, "0");
const plan = (row: number, col: number) => ({ sheet: "Plan", row, col });

async function openPlan(rows: number): Promise<RefreshBed> {
  const bed = createRefreshBed();
  for (let row = 0; row < rows; row += 1) {
    bed.put(plan(row, 0), 100 + (row % 3));
    bed.put(plan(row, 1), gtin(row + 1));
    bed.put(plan(row, 2), `=IFNA(INV.QTY(A${row + 1},B${row + 1}),"")`);
  }
  bed.calculate(bed.formulas());
  await bed.clock.advance(3_600_000);
  bed.service.version += 1;
  bed.service.latencyMs = 900;
  return bed;
}

/** The sheet when the report was made. */
let itemsThen: ReadonlyMap<string, unknown> = new Map();

/** Refreshes, with edits at these times after the click. Returns the values that changed. */
async function refreshed(
  bed: RefreshBed,
  edits: readonly { readonly afterMs: number; edit(): void }[],
): Promise<readonly ValueChange[]> {
  const { clock, refresher } = bed;
  refresher.changes.subscribe(() => (itemsThen = new Map(bed.workbook.cells)));
  for (const { afterMs, edit } of edits) clock.setTimeout(edit, afterMs);
  await clock.until(refresher.start("workbook"));
  await clock.advance(20_000);
  return refresher.changes.get()?.changed.flatMap(({ values }) => values) ?? [];
}

/** The value that the item's cells showed before the refresh; each is higher by one now. */
const shownBefore = ({ store, item }: ValueChange) => quantityOf(Number(store), item);

it.each([600, 1_500])(
  "cells below a row that somebody inserts after %p ms are listed where they are then",
  async (afterMs) => {
    const bed = await openPlan(6);
    const changes = await refreshed(bed, [{ afterMs, edit: () => bed.insertRow("Plan", 2) }]);
    const places = changes.map(({ row, item }) => [row, item]).sort(([a], [b]) => Number(a) - Number(b));
    expect(places).toEqual([0, 1, 3, 4, 5, 6].map((row) => [row, gtin(row < 2 ? row + 1 : row)]));
    expect(changes.map(({ before }) => before)).toEqual(changes.map(shownBefore));
    expect(bed.refresher.changes.get()?.notCompared).toBe(0);
  },
);

const anEdit = fc.record({
  afterMs: fc.integer({ min: 0, max: 5_000 }),
  row: fc.nat({ max: 11 }),
  kind: fc.constantFrom("insert", "note", "item", "formula", "store"),
});

it("each listed change is the refresh's own, and none is lost that nobody touched", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 12 }),
      fc.array(anEdit, { maxLength: 3 }),
      async (rows, planned) => {
        const bed = await openPlan(rows);
        const clickMs = bed.clock.now();
        const changes = await refreshed(
          bed,
          planned.map(({ afterMs, row, kind }) => ({ afterMs, edit: () => edit(bed, kind, row % rows) })),
        );
        for (const change of changes) {
          const before = shownBefore(change);
          expect(change).toMatchObject({ before, after: before + 1 });
          expect(itemsThen.get(cellKey(plan(change.row, 1)))).toBe(change.item);
        }
        const reportedMs = (bed.refresher.changes.get()?.atMs ?? 0) - clickMs;
        const edits = planned.filter(({ afterMs, kind }) => afterMs < reportedMs && kind !== "note");
        const insertions = edits.filter(({ kind }) => kind === "insert");
        // What somebody typed before cells moved may be anywhere, and cells that moved before they were read are unknown.
        if (insertions.some(({ afterMs }) => afterMs < 600 || planned.length > 1)) return;
        const touched = new Set(edits.map(({ row }) => row % rows));
        expect(changes).toHaveLength(insertions.length > 0 ? rows : rows - touched.size);
      },
    ),
    { numRuns: 60 },
  );
});

function edit(bed: RefreshBed, kind: string, row: number): void {
  if (kind === "insert") bed.insertRow("Plan", row);
  else if (kind === "note") bed.type(plan(row, 3), "a note");
  else if (kind === "item") bed.type(plan(row, 1), gtin(((row + 5) % 12) + 1));
  else if (kind === "store") bed.type(plan(row, 0), 102);
  else bed.type(plan(row, 2), `=IFNA(INV.QTY(A${row + 1},B${row + 1}),"?")`);
}
