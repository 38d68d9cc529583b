/**
 * Whatever happens during a refresh (a refusal, an outage or a timeout at any call, colleagues' fresh answers, a cancel and a resume at
 * any moment, edits before any round trip, in a workbook that was calculated or reloaded): each cell shows a value that is newer than the click, or it is listed. No number is
 * lost, nothing leaves after a cancel, and without trouble the calls are the least.
 */
import { cellKey } from "../../../src/workbook/addresses";
import { fc } from "../../helpers/properties";
import { inventory, quantityOf } from "../../helpers/scripted-service";
import { withHost } from "../../functions/fakes";
import { createRefreshBed, type RefreshBed } from "./refresh-bed";

withHost();

const gtin = (number: number) => String(number).padStart(14, "0");
const perStore = 20;

async function openPlan(rows: number): Promise<RefreshBed> {
  const bed = createRefreshBed();
  for (let row = 0; row < rows; row += 1) {
    bed.put({ sheet: "Plan", row, col: 0 }, 100 + Math.floor(row / perStore));
    bed.put({ sheet: "Plan", row, col: 1 }, gtin(row + 1));
    bed.put({ sheet: "Plan", row, col: 2 }, `=IFNA(INV.QTY(A${row + 1},B${row + 1}),"")`);
  }
  bed.calculate(bed.formulas());
  await bed.clock.advance(3_600_000);
  bed.service.version += 1;
  return bed;
}

/** The version of the value that the cell shows; null if it shows no number. */
function versionAt(bed: RefreshBed, row: number): number | null {
  const value = bed.shownAt({ sheet: "Plan", row, col: 2 });
  const store = bed.workbook.cells.get(cellKey({ sheet: "Plan", row, col: 0 }));
  const item = bed.workbook.cells.get(cellKey({ sheet: "Plan", row, col: 1 }));
  return typeof value === "number" ? value - quantityOf(Number(store), String(item)) : null;
}

/** How a search call fails. A timeout ends after half a minute. */
const failures = {
  refused: () => new Response("", { status: 403 }),
  unavailable: () => new Response("", { status: 503 }),
  timeout: () => "hang" as const,
};

function anyEdit(trip: fc.Arbitrary<number>) {
  return fc.record({ trip, row: fc.nat({ max: 119 }), isInsertion: fc.boolean() });
}

const scenario = fc.record({
  rows: fc.integer({ min: 1, max: 120 }),
  isReloaded: fc.boolean(),
  latencyMs: fc.constantFrom(80, 900),
  /** Search calls that fail, counted from the click. */
  failing: fc.array(
    fc.record({
      call: fc.nat({ max: 12 }),
      how: fc.constantFrom<keyof typeof failures>("refused", "unavailable", "timeout"),
    }),
    { maxLength: 5 },
  ),
  /** Age of a colleague's answers, which the team's server has; null without one. */
  colleaguesAgeMs: fc.option(fc.constantFrom(0, 20_000, 59_000), { nil: null }),
  cancelAfterMs: fc.option(fc.nat({ max: 4_000 }), { nil: null }),
  /** Edits right before INV's round trips to the workbook, by the number of the trip: before a few, or before each of the first ones. */
  edits: fc.oneof(
    fc.array(anyEdit(fc.nat({ max: 40 })), { maxLength: 3 }),
    fc
      .tuple(fc.integer({ min: 1, max: 30 }), fc.nat({ max: 119 }), fc.boolean())
      .map(([trips, row, isInsertion]) =>
        Array.from({ length: trips }, (_, trip) => ({ trip, row, isInsertion })),
      ),
  ),
});

const tripMethods = [
  "names",
  "tables",
  "findFormulas",
  "usedArea",
  "contentsOf",
  "extents",
  "recalculate",
] as const;

/** Calls `act` right before each round trip. */
function beforeTrips(workbook: RefreshBed["workbook"], act: (trip: number) => void): void {
  let trip = 0;
  for (const method of tripMethods) {
    const perform = workbook[method] as (...given: unknown[]) => unknown;
    Object.assign(workbook, {
      [method](...given: unknown[]) {
        act(trip);
        trip += 1;
        return perform(...given);
      },
    });
  }
}

it("each cell is new or listed, no number is lost, and nothing leaves after a cancel", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const { rows, isReloaded, latencyMs, failing, colleaguesAgeMs, cancelAfterMs, edits } = given;
      const opened = await openPlan(rows);
      const bed = isReloaded ? opened.reload({ isProduction: true, isPacedByServer: true }) : opened;
      const { clock, service, refresher, workbook } = bed;
      service.latencyMs = latencyMs;
      const before = service.of("search").length;
      service.script((call) => {
        if (call.operation !== "search") return undefined;
        const fault = failing.find((each) => each.call === call.number - before);
        if (fault !== undefined) return failures[fault.how]();
        if (colleaguesAgeMs === null) return undefined;
        const response = inventory(call, service.version);
        response.headers.set("inv-ages", call.values.map(() => colleaguesAgeMs).join(","));
        return response;
      });
      let isEnded = false;
      beforeTrips(workbook, (trip) => {
        if (isEnded) return;
        for (const { row, isInsertion } of edits.filter((each) => each.trip === trip)) {
          if (isInsertion) bed.insertRow("Plan", row % rows);
          else bed.type({ sheet: "Plan", row: row % rows, col: 3 }, "a note");
        }
      });
      const refreshing = refresher.start("workbook");
      if (cancelAfterMs !== null) {
        await clock.advance(cancelAfterMs);
        refresher.cancel();
        // Edited cells may ask for themselves.
        const sent = service.calls.length;
        await clock.advance(edits.length === 0 ? 30_000 : 0);
        expect(service.calls).toHaveLength(sent);
      }
      await clock.until(refreshing);
      if (cancelAfterMs !== null) await clock.until(refresher.resume());
      // Later edits don't belong to the refresh.
      isEnded = true;

      const { phase, left } = refresher.state;
      const listed = new Set(left.map(({ cell }) => cellKey(cell)));
      for (const ref of bed.formulas()) {
        const version = versionAt(bed, ref.row);
        // A cell that Excel calculates because of an edit asks like a typed formula, and a reloaded session has no last value for it.
        if (edits.length === 0 || !isReloaded) expect(version).not.toBeNull();
        if (!listed.has(cellKey(ref))) expect(version).toBe(1);
      }
      const isTroubled = failing.length + edits.length > 0 || cancelAfterMs !== null;
      if (isTroubled) return;
      expect(phase).toBe("done");
      expect(service.of("search").length - before).toBe(Math.ceil(rows / perStore));
    }),
    { numRuns: 80 },
  );
});
