/**
 * Whatever happens in a workbook over several sessions (calculations, new formulas, refreshes of any scope that succeed, fail, are
 * cancelled or reach nothing, edits, a colleague's refresh, a sheet of another workbook, a file without a time): no time that INV shows or saves is newer than the oldest
 * value in a cell, and an unknown age is said as unknown. The service's quantities tell when they were fetched.
 */
import { createObservable } from "../../../src/domain/notices";
import { InvError } from "../../../src/domain/errors";
import { cellAddresses, cellKey } from "../../../src/workbook/addresses";
import type { CellRef } from "../../../src/workbook/port";
import { createEarlierValues } from "../../../src/workbook/refresh/earlier-values";
import type { RefreshScope } from "../../../src/workbook/refresh/refresh";
import { createStockAge } from "../../../src/workbook/refresh/stock-age";
import { asOfSetting } from "../../../src/workbook/settings";
import { fc, slowRuns } from "../../helpers/properties";
import { quantityOf } from "../../helpers/scripted-service";
import { withHost } from "../../functions/fakes";
import { createRefreshBed, type RefreshBed } from "./refresh-bed";

withHost();

const store = 100;
const minute = 60_000;
const gtin = (number: number) => String(number).padStart(14, "0");
const sheets = ["Plan", "Other"] as const;

/** What INV can read from the formula before, what only a calculation tells, and a call that an IF may skip. */
const formulas = {
  plain: (row: number) => `=INV.QTY(A${row},B${row})`,
  nested: (row: number) => `=INV.QTY(A${row},TEXT(B${row},"0"))`,
  skippable: (row: number) => `=IF(E${row}>0,INV.QTY(A${row},B${row}),"")`,
};
type Form = keyof typeof formulas;
const forms: readonly Form[] = ["plain", "nested", "skippable"];

/** A workbook with INV in it, and the times at which the service's quantities changed. */
interface Session {
  readonly bed: RefreshBed;
  readonly age: ReturnType<typeof createStockAge>;
  /** Whether the file said a time when it was opened. */
  readonly hadTime: boolean;
  /** Whether somebody else has worked in the same file since. */
  readonly hasColleague: boolean;
}

async function openSession(bed: RefreshBed): Promise<Session> {
  const hadTime = Number.isFinite(Date.parse((await bed.workbook.setting(asOfSetting)) ?? ""));
  const settings = createObservable({ freshnessMinutes: 15 });
  const { cells, clock } = bed;
  const age = createStockAge({ cells, clock, settings, nextRefresh: createObservable<number | null>(null) });
  age.follow(bed.refresher, createEarlierValues(bed));
  await clock.advance(2_000);
  return { bed, age, hadTime, hasColleague: false };
}

/** The row decides the item, so that a cell's quantity tells its version. */
function fill(bed: RefreshBed, { sheet, row, form }: Omit<CellRef, "col"> & { form: Form }): CellRef {
  bed.put({ sheet, row, col: 0 }, store);
  bed.put({ sheet, row, col: 1 }, gtin(row + 1));
  if (row % 2 === 0) bed.put({ sheet, row, col: 4 }, 1);
  const ref = { sheet, row, col: 2 };
  bed.put(ref, formulas[form](row + 1));
  return ref;
}

const where = fc.record({ sheet: fc.constantFrom(...sheets), row: fc.nat({ max: 5 }) });
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("calculate" as const), row: fc.nat({ max: 5 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("fill" as const),
      where,
      rows: fc.integer({ min: 1, max: 3 }),
      form: fc.constantFrom(...forms),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("refresh" as const),
      scope: fc.constantFrom<RefreshScope>("selection", "sheet", "workbook", "workbook", "older", "rest"),
      where,
      isAutomatic: fc.boolean(),
      trouble: fc.constantFrom(
        "none",
        "none",
        "outage",
        "disconnected",
        "protected",
        "forgotten",
        "cancel",
        "fill",
        "moveIn",
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("insert" as const), where }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("type" as const), where, isCalled: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("reopen" as const),
      loses: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("moveIn" as const),
      rows: fc.nat({ max: 2 }),
      form: fc.constantFrom(...forms),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("colleague" as const),
      scope: fc.constantFrom<RefreshScope>("sheet", "workbook"),
      where,
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

type RefreshStep = Extract<Step, { kind: "refresh" }>;

async function refresh(bed: RefreshBed, given: RefreshStep): Promise<void> {
  const { clock, engine, workbook, refresher, service } = bed;
  const { recalculate } = workbook;
  const { connection } = engine;
  const { trouble } = given;
  workbook.selection = [{ ...given.where, col: 2, rows: 2, cols: 1 }];
  if (trouble === "outage") service.script(() => new Response("", { status: 503 }));
  if (trouble === "disconnected") engine.connect(null);
  if (trouble === "forgotten") bed.forgets = () => true;
  if (trouble === "protected") {
    workbook.recalculate = () => Promise.reject(new InvError("bad-argument", "The sheet is protected."));
  }
  const refreshing = refresher.start(given.scope, { isAutomatic: given.isAutomatic });
  if (trouble === "fill") {
    await clock.advance(50);
    bed.calculate([fill(bed, { sheet: "Other", row: 6, form: "plain" })]);
  }
  if (trouble === "moveIn") {
    await clock.advance(50);
    moveIn(bed, { rows: 2, form: "skippable" });
  }
  if (trouble === "cancel") {
    await clock.advance(100);
    refresher.cancel();
  }
  await clock.until(refreshing);
  await clock.advance(3 * minute);
  service.script(() => undefined);
  if (trouble === "disconnected") engine.connect(connection);
  Object.assign(workbook, { recalculate });
  bed.forgets = () => false;
}

/** Moves a sheet in from another workbook, with values that are older than all others. */
function moveIn(bed: RefreshBed, { rows, form }: { rows: number; form: Form }): void {
  // Excel gives a sheet a name of its own.
  const sheet = `Moved ${bed.service.version}`;
  for (let row = 0; row < rows; row += 1) {
    const ref = fill(bed, { sheet, row, form });
    bed.shown.set(cellKey(ref), quantityOf(store, gtin(row + 1)) - 1);
  }
  bed.workbook.tellEdit({ added: sheet });
}

/** A colleague opens the same file, refreshes and leaves. This session goes on with their values and settings. */
async function refreshElsewhere(bed: RefreshBed, given: Pick<RefreshStep, "scope" | "where">): Promise<void> {
  const { bed: theirs } = await openSession(bed.reload());
  await refresh(theirs, { ...given, kind: "refresh", isAutomatic: false, trouble: "none" });
  bed.comeToFront();
}

async function perform(session: Session, given: Step): Promise<Session> {
  const { bed } = session;
  if (given.kind === "calculate") bed.calculate(bed.formulas().filter(({ row }) => row === given.row));
  if (given.kind === "fill") {
    const rows = Array.from({ length: given.rows }, (_, down) => given.where.row + down);
    bed.calculate(rows.map((row) => fill(bed, { ...given.where, row, form: given.form })));
  }
  if (given.kind === "refresh") await refresh(bed, given);
  if (given.kind === "insert") bed.insertRow(given.where.sheet, given.where.row);
  if (given.kind === "type") bed.type({ ...given.where, col: 4 }, given.isCalled ? 1 : 0);
  if (given.kind === "reopen") {
    if (given.loses) await bed.workbook.setSetting(asOfSetting, "");
    return openSession(bed.reload());
  }
  if (given.kind === "moveIn") moveIn(bed, given);
  if (given.kind === "colleague") {
    await refreshElsewhere(bed, given);
    return { ...session, hasColleague: true };
  }
  return session;
}

/** @param changedAtMs when each version of the quantities began */
async function verify(
  { bed, age, hadTime, hasColleague }: Session,
  changedAtMs: readonly number[],
): Promise<void> {
  let oldest = Infinity;
  let others = 0;
  for (const ref of bed.formulas()) {
    const value = bed.shownAt(ref);
    if (typeof value !== "number") continue;
    // A colleague's value where this session got none: nothing tells this session.
    const own = cellAddresses(ref).flatMap((address) => bed.cells.get(address) ?? [])[0];
    if (hasColleague && own?.oldestMs === null) continue;
    const item = String(bed.workbook.cells.get(cellKey({ ...ref, col: 1 })));
    oldest = Math.min(oldest, value - quantityOf(store, item));
    if (own === undefined) others += 1;
  }
  // A value was fetched before the next version began.
  const beforeMs = changedAtMs[oldest + 1] ?? Infinity;
  const saved = Date.parse((await bed.workbook.setting(asOfSetting)) ?? "");
  if (Number.isFinite(saved)) expect(saved).toBeLessThan(beforeMs);
  const { asOf, isAnswered } = age.get();
  if (typeof asOf === "number") expect(asOf).toBeLessThan(beforeMs);
  const { uncalculated } = bed.cells.summary();
  if (others > 0) expect([isAnswered, Number(uncalculated) >= others]).toEqual([false, true]);
  if (others > 0 && !hadTime) expect(asOf).toBe("unknown");
  if (uncalculated === 0) expect(asOf).not.toBe("unknown");
}

it("no time that INV shows or saves is newer than a value, and unknown is said as unknown", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        rows: fc.integer({ min: 1, max: 5 }),
        form: fc.constantFrom(...forms),
        /** The Refresh tab reads the price after each change. */
        isPaneOpen: fc.boolean(),
        steps: fc.array(step, { minLength: 1, maxLength: 9 }),
      }),
      async ({ rows, form, isPaneOpen, steps }) => {
        const bed = createRefreshBed();
        const changedAtMs = [bed.clock.now()];
        let session = await openSession(bed);
        const first: Step = { kind: "fill", where: { sheet: "Plan", row: 0 }, rows, form };
        for (const each of [first, ...steps]) {
          session = await perform(session, each);
          await bed.clock.advance(2 * minute);
          if (isPaneOpen) await bed.clock.until(session.bed.refresher.quote("workbook"));
          await bed.clock.advance(1_000);
          await verify(session, changedAtMs);
          bed.service.version += 1;
          changedAtMs.push(bed.clock.now());
          await bed.clock.advance(20 * minute);
        }
      },
    ),
    { numRuns: slowRuns({ inTests: 60, inDrill: 1_000 }) },
  );
});
