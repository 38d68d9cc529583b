/**
 * Whatever happens during a refresh of any scope, in a workbook that was calculated or reloaded: a refusal, an outage or a timeout at any
 * call, colleagues' fresh answers, a lost connection, a cancel at any moment and then the rest, a host that is slow, forgets marks or refuses
 * them, edits before any round trip. Each wanted cell ends refreshed, with a value that is newer than the click, or it is left with one
 * reason. No number is lost, nothing leaves after a cancel, nothing stays #BUSY!, and without trouble the calls are those of the price.
 */
import { InvError } from "../../../src/domain/errors";
import { cellAddresses, cellKey } from "../../../src/workbook/addresses";
import type { CellRef } from "../../../src/workbook/port";
import { hasLeft, type RefreshScope } from "../../../src/workbook/refresh/refresh";
import { fc, slowRuns } from "../../helpers/properties";
import { inventory, quantityOf } from "../../helpers/scripted-service";
import { withHost } from "../../functions/fakes";
import { createRefreshBed, type RefreshBed } from "./refresh-bed";

withHost();

const minute = 60_000;
const perStore = 20;
const gtin = (number: number) => String(number).padStart(14, "0");
const storeOf = (number: number) => 100 + Math.floor(number / perStore);

/** What INV can read from the formula before, what only a calculation tells, and a call that an IF may skip. */
const formulas = {
  plain: (row: number) => `=IFNA(INV.QTY(A${row},B${row}),"")`,
  nested: (row: number) => `=INV.QTY(A${row},TEXT(B${row},"0"))`,
  skippable: (row: number) => `=IF(E${row}>0,INV.QTY(A${row},B${row}),"")`,
};
type Form = keyof typeof formulas;

/** Each cell has an item of its own, so that it is recognized after cells have moved. */
function put(bed: RefreshBed, ref: CellRef, { item, form }: { item: number; form: Form }): void {
  const at = (col: number) => ({ ...ref, col });
  bed.put(at(0), storeOf(item));
  bed.put(at(1), gtin(item + 1));
  bed.put(at(4), 1);
  bed.put(ref, formulas[form](ref.row + 1));
}

const itemAt = (bed: RefreshBed, ref: CellRef) => String(bed.workbook.cells.get(cellKey({ ...ref, col: 1 })));
const isPlain = (bed: RefreshBed, ref: CellRef) =>
  String(bed.workbook.cells.get(cellKey(ref))).startsWith("=IFNA");

/** The version of the value that the cell shows; null if it shows no number. */
function versionAt(bed: RefreshBed, ref: CellRef): number | null {
  const value = bed.shownAt(ref);
  const store = Number(bed.workbook.cells.get(cellKey({ ...ref, col: 0 })));
  return typeof value === "number" ? value - quantityOf(store, itemAt(bed, ref)) : null;
}

/** How a search call fails. A timeout ends after half a minute. */
const failures = {
  refused: () => new Response("", { status: 403 }),
  unavailable: () => new Response("", { status: 503 }),
  timeout: () => "hang" as const,
};
type Failure = keyof typeof failures;
const anyFailure = fc.constantFrom<Failure>("refused", "unavailable", "timeout");

const editKinds = ["note", "insert", "retype", "delete", "add", "add a sheet"] as const;
interface PlannedEdit {
  readonly trip: number;
  readonly row: number;
  readonly kind: (typeof editKinds)[number];
}

function anyEdit(trip: fc.Arbitrary<number>): fc.Arbitrary<PlannedEdit> {
  return fc.record({ trip, row: fc.nat({ max: 59 }), kind: fc.constantFrom(...editKinds) });
}

const anyScenario = fc.record({
  /** The forms repeat. */
  rows: fc.integer({ min: 1, max: 60 }),
  forms: fc.oneof(
    fc.constant<Form[]>(["plain"]),
    fc.array(fc.constantFrom<Form>("plain", "nested", "skippable"), { minLength: 1, maxLength: 4 }),
  ),
  scope: fc.constantFrom<RefreshScope>("workbook", "workbook", "sheet", "selection", "older", "rest"),
  selected: fc.record({ row: fc.nat({ max: 59 }), rows: fc.integer({ min: 1, max: 60 }) }),
  isReloaded: fc.boolean(),
  latencyMs: fc.constantFrom(80, 900),
  host: fc.constantFrom("plain", "plain", "plain", "protected", "editing", "forgetful", "slow"),
  /** Search calls that fail, counted from the click. */
  failing: fc.array(fc.record({ call: fc.nat({ max: 12 }), how: anyFailure }), { maxLength: 5 }),
  /** From this call on, all of them fail. */
  outageFrom: fc.option(fc.nat({ max: 4 }), { nil: null }),
  /** Age of a colleague's answers, which the team's server has; null without one. */
  colleaguesAgeMs: fc.option(fc.constantFrom(0, 20_000, 59_000), { nil: null }),
  disconnectAfterMs: fc.option(fc.nat({ max: 3_000 }), { nil: null, freq: 3 }),
  cancelAfterMs: fc.option(fc.nat({ max: 4_000 }), { nil: null }),
  /** Edits right before INV's round trips to the workbook, by the number of the trip: before a few, or before each of the first ones. */
  edits: fc.oneof(
    fc.constant<PlannedEdit[]>([]),
    fc.array(anyEdit(fc.nat({ max: 40 })), { maxLength: 3 }),
    fc
      .tuple(fc.integer({ min: 1, max: 30 }), anyEdit(fc.constant(0)))
      .map(([trips, edit]) => Array.from({ length: trips }, (_, trip) => ({ ...edit, trip }))),
  ),
});
type Scenario = typeof anyScenario extends fc.Arbitrary<infer Value> ? Value : never;
const noTrouble: Partial<Scenario> = {
  host: "plain",
  failing: [],
  outageFrom: null,
  disconnectAfterMs: null,
  cancelAfterMs: null,
  edits: [],
};
/** A quarter of them without any trouble, which would hardly ever happen otherwise. */
const scenario = fc
  .tuple(anyScenario, fc.nat({ max: 3 }))
  .map(([given, die]): Scenario => (die === 0 ? { ...given, ...noTrouble } : given));

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

/** A third of the rows is on the second sheet. Some cells have no answer, if the scope asks for those. */
async function open({ rows, forms, scope, selected, isReloaded, latencyMs }: Scenario): Promise<RefreshBed> {
  const opened = createRefreshBed();
  for (let item = 0; item < rows; item += 1) {
    const sheet = item % 3 === 2 ? "Other" : "Plan";
    put(
      opened,
      { sheet, row: Math.floor(item / 3) * 2 + (item % 3 === 1 ? 1 : 0), col: 2 },
      {
        ...{ item, form: forms[item % forms.length] ?? "plain" },
      },
    );
  }
  opened.calculate(opened.formulas());
  await opened.clock.advance(60 * minute);
  const bed = isReloaded ? opened.reload({ isProduction: true, isPacedByServer: true }) : opened;
  const selection = [{ sheet: "Plan", ...selected, col: 0, cols: 5 }] as const;
  bed.workbook.selection = selection;
  if (scope === "rest") {
    bed.service.script(({ operation, store }) =>
      operation === "search" && store === 100 ? new Response("", { status: 503 }) : undefined,
    );
    await bed.clock.until(bed.refresher.start("workbook"));
    bed.engine.tryAgain();
    bed.service.script(() => undefined);
    // Otherwise the rest is that of the whole workbook.
    bed.workbook.selection = [{ sheet: "Other", row: 999, col: 0, rows: 1, cols: 1 }];
    await bed.clock.until(bed.refresher.start("selection"));
    bed.workbook.selection = selection;
    await bed.clock.advance(20 * minute);
  }
  bed.service.version += 1;
  bed.service.latencyMs = latencyMs;
  return bed;
}

/** The cells of the scope at the click, by item. */
function wantedItems(bed: RefreshBed, { scope, selected }: Scenario): ReadonlySet<string> {
  const isWanted = (ref: CellRef): boolean => {
    if (scope === "sheet") return ref.sheet === "Plan";
    if (scope === "selection") {
      return ref.sheet === "Plan" && ref.row >= selected.row && ref.row < selected.row + selected.rows;
    }
    const invCell = cellAddresses(ref).flatMap((address) => bed.cells.get(address) ?? [])[0];
    return scope !== "rest" || (invCell !== undefined && bed.cells.unansweredBecause(invCell) !== null);
  };
  return new Set(
    bed
      .formulas()
      .filter(isWanted)
      .map((ref) => itemAt(bed, ref)),
  );
}

function spoilHost(bed: RefreshBed, host: Scenario["host"]): void {
  const { workbook } = bed;
  const { recalculate } = workbook;
  let marks = 0;
  if (host === "slow") bed.callAfterMs = 4_000;
  if (host === "forgetful") {
    const forgotten = new Set<string>();
    bed.forgets = (ref) => ref.row % 2 === 0 && forgotten.size < forgotten.add(cellKey(ref)).size;
  }
  if (host === "editing") {
    workbook.recalculate = (...given) => {
      marks += 1;
      return marks > 2
        ? recalculate(...given)
        : Promise.reject(new InvError("not-possible", "Somebody is editing a cell."));
    };
  }
  if (host === "protected") {
    workbook.recalculate = async (refs, ...given) => {
      const isLocked = ({ sheet }: CellRef): boolean => sheet === "Other";
      const areas = refs.filter(isLocked).map((ref) => ({ ...ref, rows: 1, cols: 1 }));
      if (areas.length === refs.length) throw new InvError("not-possible", "The sheet is protected.");
      const others = await recalculate(
        refs.filter((ref) => !isLocked(ref)),
        ...given,
      );
      return areas.length === 0 ? others : [...others, { areas, reason: "The sheet is protected." }];
    };
  }
}

/** Returns the items of cells that now ask for something else, or that are gone. */
function editDuring(bed: RefreshBed, edits: Scenario["edits"]): { touched: Set<string>; end: () => void } {
  const touched = new Set<string>();
  let added = 1_000;
  let isEnded = false;
  beforeTrips(bed.workbook, (trip) => {
    if (isEnded) return;
    for (const { row, kind } of edits.filter((each) => each.trip === trip)) {
      const all = bed.formulas();
      const ref = all[row % Math.max(1, all.length)] ?? { sheet: "Plan", row: 0, col: 2 };
      if (kind === "note") bed.type({ ...ref, col: 3 }, "a note");
      if (kind === "insert") bed.insertRow(ref.sheet, ref.row);
      if (kind === "add a sheet") bed.workbook.tellEdit({ added: "New" });
      if (kind === "retype" || kind === "delete") touched.add(itemAt(bed, ref));
      if (kind === "retype") bed.type({ ...ref, col: 1 }, gtin((added += 1)));
      if (kind === "delete") bed.type(ref, null);
      if (kind === "add") {
        const last = Math.max(...all.filter(({ sheet }) => sheet === "Plan").map((each) => each.row), 0);
        const below = { sheet: "Plan", row: last + 1, col: 2 };
        put(bed, below, { item: (added += 1), form: "plain" });
        bed.calculate([below]);
        bed.workbook.tellEdit([{ ...below, rows: 1, cols: 1 }]);
      }
    }
  });
  return { touched, end: () => (isEnded = true) };
}

it("each cell is new or left with a reason, no number is lost, and nothing leaves after a cancel", async () => {
  let untroubled = 0;
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const { scope, isReloaded, failing, outageFrom, colleaguesAgeMs, cancelAfterMs, edits } = given;
      const bed = await open(given);
      const { clock, service, refresher, engine } = bed;
      const wanted = wantedItems(bed, given);
      const quote = scope === "rest" ? null : await clock.until(refresher.quote(scope));
      const before = service.of("search").length;
      service.script((call) => {
        if (call.operation !== "search") return undefined;
        if (outageFrom !== null && call.number - before >= outageFrom) return failures.unavailable();
        const fault = failing.find((each) => each.call === call.number - before);
        if (fault !== undefined) return failures[fault.how]();
        if (colleaguesAgeMs === null) return undefined;
        const response = inventory(call, service.version);
        response.headers.set("inv-ages", call.values.map(() => colleaguesAgeMs).join(","));
        return response;
      });
      spoilHost(bed, given.host);
      const editing = editDuring(bed, edits);
      if (given.disconnectAfterMs !== null) {
        clock.setTimeout(() => engine.connect(null), given.disconnectAfterMs);
      }
      const refreshing = refresher.start(scope);
      if (cancelAfterMs !== null) {
        await clock.advance(cancelAfterMs);
        refresher.cancel();
        const sent = service.calls.length;
        // Edited cells may ask for themselves.
        if (edits.length === 0) {
          await clock.advance(30_000);
          expect(service.calls).toHaveLength(sent);
        }
      }
      await clock.until(refreshing);
      if (hasLeft(refresher.state) && cancelAfterMs !== null) await clock.until(refresher.start("rest"));
      // Later edits don't belong to the refresh.
      editing.end();

      const { phase, refreshed, cells, left } = refresher.state;
      const listed = new Set(left.map(({ cell }) => cellKey(cell)));
      const versions = bed.formulas().map((ref) => [ref, versionAt(bed, ref)] as const);
      await clock.advance(2 * minute);
      for (const [ref, version] of versions) {
        expect(bed.workbook.valueOf("", ref)).not.toBe("#BUSY!");
        if (phase === "idle") continue;
        const item = itemAt(bed, ref);
        if (editing.touched.has(item) || !wanted.has(item)) continue;
        // A disconnect forgets all answers, also those of cells that Excel is about to calculate. In a reloaded session, a cell that Excel
        // calculates because of an edit, or whose query can't be predicted, has no last value.
        const isKnown = !isReloaded || (edits.length === 0 && isPlain(bed, ref));
        if (isKnown && given.disconnectAfterMs === null) expect(version).not.toBeNull();
        // A refresh looks for moved cells only a few times. Those that are left may be listed where they were.
        const most = isPlain(bed, ref) ? (given.disconnectAfterMs === null ? Infinity : 3) : 0;
        // A selection stays where it is.
        const isElsewhere = scope === "selection" && cancelAfterMs !== null;
        if (isElsewhere && edits.some(({ kind }) => kind === "insert")) continue;
        const isFollowed = edits.filter(({ kind }) => kind === "insert").length <= most;
        if (!isFollowed || listed.has(cellKey(ref))) continue;
        // These scopes leave out cells that Excel calculates at the moment, because of an edit.
        if (edits.length > 0 && (scope === "older" || scope === "rest")) continue;
        expect([item, version]).toEqual([item, 1]);
      }
      if (phase === "idle") {
        // Nothing continues the refresh of an earlier connection.
        expect([given.disconnectAfterMs, cancelAfterMs]).not.toContain(null);
        return;
      }
      expect(refreshed + left.length).toBe(cells);
      expect(phase === "done").toBe(left.length === 0);
      expect(listed.size).toBe(left.length);
      // The rest of these scopes doesn't have what was refreshed before the cancel.
      const isNarrower = cancelAfterMs !== null && (scope === "older" || scope === "rest");
      if (edits.length === 0 && !isNarrower) expect(cells).toBe(wanted.size);

      const isTroubled = failing.length + edits.length > 0 || given.host !== "plain" || outageFrom !== null;
      if (isTroubled || given.disconnectAfterMs !== null || cancelAfterMs !== null) return;
      untroubled += 1;
      expect(phase).toBe("done");
      if (quote?.unpredictable === 0) {
        expect(service.of("search").length - before).toBe(quote.price.searchCalls);
      }
    }),
    { numRuns: slowRuns({ inTests: 100, inDrill: 2_000 }) },
  );
  expect(untroubled).toBeGreaterThan(10);
});
