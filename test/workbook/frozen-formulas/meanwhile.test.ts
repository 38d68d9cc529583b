/**
 * Excel isn't modal: while INV freezes or thaws, another person inserts, deletes and sorts rows, types, copies and renames
 * the sheet between any two round trips, and a second INV freezes or thaws too. No formula is lost, no number comes into
 * another row, what somebody typed stays, and what is left frozen is listed with its true reason.
 */
import { fc } from "../../helpers/properties";
import { createLedger } from "../../../src/workbook/frozen-formulas/ledger";
import { type FreezeReport, lostReason } from "../../../src/workbook/frozen-formulas/report";
import type { Freezer } from "../../../src/workbook/frozen-formulas/freezer-types";
import { createOfficeWorkbook } from "../../../src/workbook/office/workbook";
import type { NodeExcel } from "../../excel/excel-in-node";
import { renameSheet } from "../../excel/other-person";
import { sortRows } from "../../excel/person";
import { copySheet } from "../../excel/sheet-moves";
import { moveLines } from "../../excel/move-lines";
import { enter, type HostSheet } from "../../excel/sheet";
import { freezerOf } from "./freezer-of";
import { openWorkbook } from "../office/office-stage";

const rows = 6;
const spillRows = 3;

/**
 * Stores, items, and two columns of formulas whose values tell their row, of which the second has many zeros; on another
 * sheet a formula that spills.
 */
function plan() {
  const { excel, workbook } = openWorkbook("Plan", "Events");
  const sheet = excel.sheet("Plan");
  for (const [col, head] of ["Store", "GTIN", "Shelf", "Label", "Backroom"].entries()) {
    enter(sheet, 0, col, head);
  }
  for (let row = 1; row <= rows; row += 1) {
    const n = row + 1;
    enter(sheet, row, 0, 1000 + row);
    enter(sheet, row, 1, `'${10_000_000_000_000 + row}`);
    enter(sheet, row, 2, `=INV.QTY(A${n},B${n})`);
    enter(sheet, row, 3, `Label ${row}`);
    enter(sheet, row, 4, `=INV.QTY(A${n},B${n},"BACKROOM")`);
  }
  const events = excel.sheet("Events");
  enter(events, 0, 0, 1001);
  enter(events, 0, 1, "'10000000000001");
  enter(events, 1, 0, "=INV.EVENTS(A1,B1)");
  calculate(excel);
  return { excel, workbook, sheet, events };
}

/** Formulas show what the store in their row says, as a service would answer. */
function calculate(excel: NodeExcel): void {
  for (const sheet of excel.sheets) {
    sheet.shows = (formula) => (formula.includes("QTY") ? valueOf(sheet, formula) : "Time");
    spill(sheet);
  }
}

/** The formula of the events fills the cells below it, unless somebody typed there. */
function spill(sheet: HostSheet): void {
  for (const [row, line] of sheet.cells) {
    if (!String(line.get(0)).startsWith("=INV.EVENTS")) continue;
    const below = Array.from({ length: spillRows - 1 }, (_, index) => row + 1 + index);
    const isFree = (at: number): boolean => /^(event|$)/.test(String(sheet.cells.get(at)?.get(0) ?? ""));
    const address = `A${row + 1}`;
    sheet.spills.delete(address);
    sheet.shown.delete(address);
    if (!below.every(isFree)) sheet.shown.set(address, { error: "#SPILL!" });
    if (below.every(isFree)) sheet.spills.set(address, { rows: spillRows, cols: 1 });
    for (const at of below.filter(isFree))
      enter(sheet, at, 0, below.every(isFree) ? `event ${at - row}` : "");
  }
}

function valueOf(sheet: HostSheet, formula: string): number {
  const store = Number(sheet.cells.get(Number(/A(\d+)/.exec(formula)?.[1]) - 1)?.get(0) ?? 0);
  return formula.includes("BACKROOM") ? store % 2 : store * 10;
}

type Edit =
  | { readonly kind: "insert" | "delete"; readonly on: "plan" | "events"; readonly row: number }
  | { readonly kind: "type"; readonly on: "plan" | "events"; readonly row: number; readonly col: number }
  | { readonly kind: "sort" }
  | { readonly kind: "copy" }
  | { readonly kind: "rename" };

const place = {
  on: fc.constantFrom("plan" as const, "plan" as const, "plan" as const, "events" as const),
  row: fc.integer({ min: 0, max: 7 }),
};
const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constantFrom("insert" as const, "delete" as const), ...place }),
  fc.record({ kind: fc.constant("type" as const), ...place, col: fc.constantFrom(2, 4) }),
  fc.constant<Edit>({ kind: "sort" }),
  fc.constantFrom<Edit>({ kind: "copy" }, { kind: "rename" }),
);

/** What somebody typed can be told from every value. With its cell, because INV may have written over it meanwhile. */
type Typed = Map<number, { readonly label: unknown; readonly col: number }>;

type Stage = ReturnType<typeof plan>;

let lastTyped = 700_000;

function edit({ excel, sheet: planning, events }: Stage, change: Edit, typed: Typed): void {
  if (change.kind === "copy") {
    if (excel.sheets.filter(({ visibility }) => visibility === "Visible").length === 2) {
      copySheet(excel, planning);
    }
  } else if (change.kind === "rename") renameSheet(excel, planning, `${planning.name}x`);
  else if (change.kind === "sort") sortRows(planning, { from: 1, to: lastRow(planning), cols: 5 });
  else {
    const sheet = change.on === "plan" ? planning : events;
    const line = sheet.cells.get(change.row) ?? new Map<number, unknown>();
    const label = line.get(3);
    const forget = (cols: readonly number[]): void => {
      for (const [value, at] of typed) {
        const isThere = cols.some((col) => line.get(col) === value);
        if (isThere || (label !== undefined && at.label === label && cols.includes(at.col)))
          typed.delete(value);
      }
    };
    if (change.kind === "type") {
      const col = change.on === "plan" ? change.col : 0;
      forget([col]);
      lastTyped += 1;
      typed.set(lastTyped, { label, col });
      enter(sheet, change.row, col, lastTyped);
    } else {
      if (change.kind === "delete") forget([0, 2, 4]);
      moveLines(excel, sheet, { what: "row", at: change.row, by: change.kind === "insert" ? 1 : -1 });
    }
  }
  calculate(excel);
}

function lastRow(sheet: HostSheet): number {
  return Math.max(0, ...[...sheet.cells].filter(([, line]) => line.size > 0).map(([row]) => row));
}

/** The cells of the two columns that are neither their row's formula, nor its value, nor what somebody typed there. */
function strangersIn(sheet: HostSheet, typed: Typed): string[] {
  return [...sheet.cells].flatMap(([row, line]) =>
    [2, 4].flatMap((col) => {
      const cell = line.get(col);
      const store = Number(line.get(0));
      const own =
        typeof cell === "string" && cell.startsWith("=") ? ownFormula(row, col) : ownValue(store, col);
      const isHeading = typeof cell === "string" && !cell.startsWith("=");
      const isOwn = cell === undefined || cell === "" || isHeading || cell === own || typed.has(Number(cell));
      return isOwn ? [] : [`${row},${col} ${JSON.stringify(cell)} for ${store}`];
    }),
  );
}

function ownFormula(row: number, col: number): string {
  return `=INV.QTY(A${row + 1},B${row + 1}${col === 4 ? ',"BACKROOM"' : ""})`;
}

function ownValue(store: number, col: number): number {
  return col === 4 ? store % 2 : store * 10;
}

/** Stores of rows that have no formula in the column, though nobody typed there. */
function numbersIn(sheet: HostSheet, typed: Typed): { readonly store: number; readonly col: number }[] {
  return [...sheet.cells.values()].flatMap((line) =>
    [2, 4].flatMap((col) => {
      const [store, cell] = [line.get(0), line.get(col)];
      if (typeof store !== "number" || (typeof cell === "string" && cell.startsWith("="))) return [];
      return typed.has(Number(cell)) ? [] : [{ store, col }];
    }),
  );
}

/** An edit, and the round trip before which it is made. */
interface Timed {
  readonly change: Edit;
  readonly trip: number;
}

interface Story {
  readonly edits: readonly Timed[];
  /** What another INV does, from this round trip on. */
  readonly second: { readonly work: "freeze" | "thaw"; readonly trip: number } | null;
  /** How many turns each round trip waits: those of two INVs come in any order. */
  readonly waits: readonly number[];
}

async function stateOf(freezer: Freezer): Promise<string> {
  return (await freezer.frozen())?.state ?? "none";
}

/** What happened in all stories together. */
const seen = { left: 0, seconds: 0 };

async function tell({ edits, second, waits }: Story): Promise<void> {
  const stage = plan();
  const { excel, workbook, sheet } = stage;
  const typed: Typed = new Map();
  let trip = 0;
  let toCheck = 0;
  const report = async (work: Promise<FreezeReport>): Promise<void> => {
    const { left } = await work.catch(() => ({ left: [] as FreezeReport["left"] }));
    for (const { reason, cells } of left) if (reason === lostReason) toCheck += cells.length;
  };
  let other: Promise<unknown> = Promise.resolve();
  excel.pace = async () => {
    trip += 1;
    const own = trip;
    for (const { change } of edits.filter((each) => each.trip === own)) edit(stage, change, typed);
    if (second?.trip === own) {
      seen.seconds += 1;
      other = freezerOf(createOfficeWorkbook(excel))
        [second.work]("workbook")
        .catch(() => undefined);
    }
    for (let turn = waits[own % waits.length] ?? 0; turn > 0; turn -= 1) await new Promise(setImmediate);
  };
  const freezer = freezerOf(workbook);
  await report(freezer.freeze("workbook"));
  await report(freezer.thaw("workbook"));
  await other;
  excel.pace = () => Promise.resolve();
  const visible = excel.sheets.filter(
    ({ visibility, name }) => visibility === "Visible" && name !== "Events",
  );
  for (const each of visible) expect([each.name, strangersIn(each, typed)]).toEqual([each.name, []]);

  // What somebody typed is there, or INV says that it couldn't put it back: another INV wrote there too.
  const there = excel.sheets.flatMap(({ cells }) =>
    [...cells.values()].flatMap((line) => [...line.values()]),
  );
  const missing = [...typed.keys()].filter((value) => !there.includes(value));
  expect([missing, missing.length <= toCheck && (second !== null || toCheck === 0)]).toEqual([missing, true]);

  // A formula that isn't in its row, where nobody typed, is in the ledger.
  const lines = (await createLedger(workbook, Math.random).read())?.lines ?? [];
  const remembered = lines.map(({ entry }) => `${entry.store} ${entry.formula.includes("BACKROOM") ? 4 : 2}`);
  for (const each of visible) {
    const lost = numbersIn(each, typed).filter(({ store, col }) => !remembered.includes(`${store} ${col}`));
    expect([each.name, lost]).toEqual([each.name, []]);
  }
  const wasEdited = edits.some(
    ({ change: { kind, ...at } }) => "on" in at && at.on === "events" && kind !== "insert",
  );
  const hasSpill = [...there, ...lines.map(({ entry }) => entry.formula)].some((cell) =>
    /INV.EVENTS/.test(String(cell)),
  );
  expect(hasSpill || wasEdited).toBe(true);

  // In quiet, everything goes back but what has a reason.
  for (let state = await stateOf(freezer); state !== "none"; state = await stateOf(freezer)) {
    await (state === "freezing" ? freezer.goBack() : freezer.finish());
  }
  await freezer.thaw("workbook");
  const left = await freezer.lines();
  seen.left += left.length;
  for (const { formula, refusal, writtenAt } of left) {
    const same = lines.find(({ entry }) => entry.formula === formula && entry.writtenAt === writtenAt);
    const col = formula.includes("BACKROOM") ? 4 : 2;
    const row = [...sheet.cells.values()].find((line) => String(line.get(0)) === same?.entry.store);
    const cell = row?.get(col);
    const state = formula.includes("EVENTS")
      ? "events"
      : row === undefined
        ? "gone"
        : typed.has(Number(cell))
          ? "typed"
          : String(cell).startsWith("=")
            ? "formula"
            : "number";
    process.stdout.write(
      `REASON ${state}: ${refusal}${state === "number" || state === "formula" ? JSON.stringify({ edits, second, waits }) : ""}\n`,
    );
  }
}

test("whatever somebody does between two round trips, no formula is lost and no number is in another row", async () => {
  const timed = fc.record({ change: anyEdit, trip: fc.integer({ min: 1, max: 110 }) });
  const story = fc.record({
    edits: fc.array(timed, { minLength: 1, maxLength: 3 }),
    second: fc.option(
      fc.record({
        work: fc.constantFrom("freeze" as const, "thaw" as const),
        trip: fc.integer({ min: 1, max: 110 }),
      }),
      { nil: null },
    ),
    waits: fc.array(fc.nat(3), { minLength: 1, maxLength: 20 }),
  });
  await fc.assert(fc.asyncProperty(story, tell), { numRuns: Number(process.env["INV_RUNS"] ?? 150) });
  expect(seen.left).toBeGreaterThan(10);
  expect(seen.seconds).toBeGreaterThan(30);
});
