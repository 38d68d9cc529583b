/**
 * Excel isn't modal: while INV freezes or thaws, somebody inserts, deletes and sorts rows, types, and copies the sheet,
 * between any two round trips. No formula is lost, no number comes into another row, and what somebody typed stays.
 */
import { fc } from "../../helpers/properties";
import { columnName } from "../../../src/formula/columns";
import { createLedger } from "../../../src/workbook/frozen-formulas/ledger";
import type { NodeExcel } from "../../excel/excel-in-node";
import { sortRows } from "../../excel/person";
import { copySheet } from "../../excel/sheet-moves";
import { moveLines } from "../../excel/move-lines";
import { type Cell, enter, type HostSheet } from "../../excel/sheet";
import { freezerOf } from "./freezer-of";
import { openWorkbook } from "../office/office-stage";

const rows = 6;

/** Stores, items, and two columns of formulas whose values tell their row, of which the second has many zeros. */
function plan() {
  const { excel, workbook } = openWorkbook("Plan");
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
  calculate(excel);
  return { excel, workbook, freezer: freezerOf(workbook) };
}

/** Formulas show what the store in their row says, as a service would answer. */
function calculate(excel: NodeExcel): void {
  for (const sheet of excel.sheets) {
    for (const [row, line] of sheet.cells) {
      for (const [col, cell] of line) {
        if (typeof cell === "string" && cell.startsWith("=INV.")) {
          sheet.shown.set(`${columnName(col)}${row + 1}`, valueOf(sheet, cell));
        }
      }
    }
  }
}

function valueOf(sheet: HostSheet, formula: string): number {
  const store = Number(sheet.cells.get(Number(/A(\d+)/.exec(formula)?.[1]) - 1)?.get(0) ?? 0);
  return formula.includes("BACKROOM") ? store % 2 : store * 10;
}

type Edit =
  | { readonly kind: "insert" | "delete"; readonly row: number }
  | { readonly kind: "sort" }
  | { readonly kind: "type"; readonly row: number; readonly col: number }
  | { readonly kind: "copy" };

const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({
    kind: fc.constantFrom("insert" as const, "delete" as const),
    row: fc.integer({ min: 0, max: 7 }),
  }),
  fc.constant<Edit>({ kind: "sort" }),
  fc.record({
    kind: fc.constant("type" as const),
    row: fc.integer({ min: 1, max: 7 }),
    col: fc.constantFrom(2, 4),
  }),
  fc.constant<Edit>({ kind: "copy" }),
);

/** What was typed can be told from every value. */
let typed = 700_000;

function edit(excel: NodeExcel, change: Edit, kept: Set<number>): void {
  const sheet = excel.sheet("Plan");
  if (change.kind === "copy") {
    if (excel.sheets.filter(({ visibility }) => visibility === "Visible").length === 1) {
      copySheet(excel, sheet);
    }
  } else if (change.kind === "sort") sortRows(sheet, { from: 1, to: lastRow(sheet), cols: 5 });
  else if (change.kind === "type") {
    const before = sheet.cells.get(change.row)?.get(change.col);
    if (typeof before === "number") kept.delete(before);
    typed += 1;
    kept.add(typed);
    enter(sheet, change.row, change.col, typed);
  } else {
    for (const cell of change.kind === "delete" ? (sheet.cells.get(change.row)?.values() ?? []) : []) {
      if (typeof cell === "number") kept.delete(cell);
    }
    moveLines(excel, sheet, { what: "row", at: change.row, by: change.kind === "insert" ? 1 : -1 });
  }
  calculate(excel);
}

function lastRow(sheet: HostSheet): number {
  return Math.max(0, ...[...sheet.cells].filter(([, line]) => line.size > 0).map(([row]) => row));
}

/** Every cell of the two columns is its row's formula, its row's value, or what somebody typed there. */
function strangersIn(sheet: HostSheet, kept: ReadonlySet<number>): string[] {
  return [...sheet.cells].flatMap(([row, line]) =>
    [2, 4].flatMap((col) => {
      const cell: Cell | undefined = line.get(col);
      const store = line.get(0);
      if (row === 0 || cell === undefined || cell === "" || typeof cell === "string") {
        return isOwn(cell, row) ? [] : [`${row},${col} ${JSON.stringify(cell)}`];
      }
      const value = col === 4 ? Number(store) % 2 : Number(store) * 10;
      return cell === value || kept.has(Number(cell))
        ? []
        : [`${row},${col} ${JSON.stringify(cell)} for ${JSON.stringify(store)}`];
    }),
  );
}

function isOwn(cell: Cell | undefined, row: number): boolean {
  if (typeof cell !== "string" || !cell.startsWith("=")) return true;
  return cell.startsWith(`=INV.QTY(A${row + 1},B${row + 1}`);
}

/** An edit, and the round trip before which it is made. */
interface Timed {
  readonly change: Edit;
  readonly trip: number;
}

async function tell(edits: readonly Timed[]): Promise<void> {
  const { excel, workbook, freezer } = plan();
  const kept = new Set<number>();
  let trip = 0;
  excel.pace = async () => {
    trip += 1;
    for (const { change } of edits.filter((each) => each.trip === trip)) edit(excel, change, kept);
    await Promise.resolve();
  };
  const story = async (): Promise<void> => {
    await freezer.freeze("workbook").catch(() => undefined);
    await freezer.thaw("workbook").catch(() => undefined);
  };
  await story();
  for (const sheet of excel.sheets.filter(({ visibility }) => visibility === "Visible")) {
    expect([sheet.name, strangersIn(sheet, kept)]).toEqual([sheet.name, []]);
  }
  // What somebody typed is there, whoever was faster.
  const there = new Set(
    excel.sheets.flatMap(({ cells }) => [...cells.values()].flatMap((line) => [...line.values()])),
  );
  expect([...kept].filter((value) => !there.has(value))).toEqual([]);
  // Rows that are there have their formulas, unless somebody typed over them or the ledger has them with a reason.
  const lines = (await createLedger(workbook, Math.random).read())?.lines ?? [];
  const remembered = lines.map(({ entry }) => `${entry.store} ${entry.formula.includes("BACKROOM") ? 4 : 2}`);
  const lost: string[] = [];
  for (const [row, line] of excel.sheet("Plan").cells) {
    for (const col of row === 0 || typeof line.get(0) !== "number" ? [] : [2, 4]) {
      const cell = line.get(col);
      const isTyped = typeof cell === "number" && kept.has(cell);
      const isFormula = typeof cell === "string" && cell.startsWith("=");
      if (!isTyped && !isFormula && !remembered.includes(`${JSON.stringify(line.get(0))} ${col}`)) {
        lost.push(`${row},${col} ${JSON.stringify(cell)}`);
      }
    }
  }
  expect(lost).toEqual([]);
}

test("whatever somebody does between two round trips, no formula is lost and no number is in another row", async () => {
  const timed = fc.record({ change: anyEdit, trip: fc.integer({ min: 1, max: 100 }) });
  const edits = fc.array(timed, { minLength: 1, maxLength: 3 });
  await fc.assert(fc.asyncProperty(edits, tell), {
    numRuns: Number(process.env["INV_RUNS"] ?? 150),
  });
});
