/**
 * A planning sheet of the tests' Excel that another person edits while INV works: stores, items, and two columns of formulas.
 * The formulas' values show their row, and the second column has many zeros. Another sheet has a formula that spills.
 */
import { fc } from "../../helpers/properties";
import type { NodeExcel } from "../../excel/excel-in-node";
import { moveLines } from "../../excel/move-lines";
import { renameSheet } from "../../excel/other-person";
import { sortRows } from "../../excel/person";
import { copySheet } from "../../excel/sheet-moves";
import { type Cell, enter, type HostSheet } from "../../excel/sheet";
import { openWorkbook } from "../office/office-stage";

const rows = 6;
const spillRows = 3;

export function plan() {
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

/** Formulas show the value for the store in their row, as a service would answer. */
function calculate(excel: NodeExcel): void {
  for (const sheet of excel.sheets) {
    sheet.shows = (formula) => (formula.includes("QTY") ? valueOf(sheet, formula) : "Time");
    spill(sheet);
  }
}

/** The formula of the events fills the cells below it, unless somebody typed there. */
function spill(sheet: HostSheet): void {
  for (const [row, line] of sheet.cells) {
    if (!textOf(line.get(0)).startsWith("=INV.EVENTS")) continue;
    const below = Array.from({ length: spillRows - 1 }, (_, index) => row + 1 + index);
    const isFree = (at: number): boolean => /^(event|$)/.test(textOf(sheet.cells.get(at)?.get(0)));
    const address = `A${row + 1}`;
    sheet.spills.delete(address);
    sheet.shown.delete(address);
    if (!below.every(isFree)) sheet.shown.set(address, { error: "#SPILL!" });
    if (below.every(isFree)) sheet.spills.set(address, { rows: spillRows, cols: 1 });
    for (const at of below.filter(isFree)) {
      enter(sheet, at, 0, below.every(isFree) ? `event ${at - row}` : "");
    }
  }
}

function valueOf(sheet: HostSheet, formula: string): number {
  const store = Number(sheet.cells.get(Number(/A(\d+)/.exec(formula)?.[1]) - 1)?.get(0) ?? 0);
  return formula.includes("BACKROOM") ? store % 2 : store * 10;
}

export type Edit =
  | { readonly kind: "insert" | "delete"; readonly on: "plan" | "events"; readonly row: number }
  | { readonly kind: "type"; readonly on: "plan" | "events"; readonly row: number; readonly col: number }
  | { readonly kind: "sort" }
  | { readonly kind: "copy" }
  | { readonly kind: "rename" };

const place = {
  on: fc.constantFrom("plan" as const, "plan" as const, "plan" as const, "events" as const),
  row: fc.integer({ min: 0, max: 7 }),
};
export const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constantFrom("insert" as const, "delete" as const), ...place }),
  fc.record({ kind: fc.constant("type" as const), ...place, col: fc.constantFrom(2, 4) }),
  fc.constant<Edit>({ kind: "sort" }),
  fc.constantFrom<Edit>({ kind: "copy" }, { kind: "rename" }),
);

/** A number that somebody typed, and its cell now. INV may have written over it since. */
interface TypedNumber {
  readonly sheet: HostSheet;
  row: number;
  readonly col: number;
  /** The row in a copy of the sheet; null if the sheet was not copied since. */
  rowInCopy: number | null;
  /** Whether its row was deleted or somebody typed into the cell again. A copy of the sheet may still contain it. */
  isGone: boolean;
}

/** Typed numbers. Each number is typed once. */
export type Typed = Map<number, TypedNumber>;

type Stage = ReturnType<typeof plan>;

let lastTyped = 700_000;

export function edit({ excel, sheet: planning, events }: Stage, change: Edit, typed: Typed): void {
  const typedOn = (sheet: HostSheet): readonly TypedNumber[] =>
    [...typed.values()].filter((each) => each.sheet === sheet && !each.isGone);
  if (change.kind === "copy") {
    if (excel.sheets.filter(({ visibility }) => visibility === "Visible").length === 2) {
      copySheet(excel, planning);
      for (const each of typedOn(planning)) each.rowInCopy = each.row;
    }
  } else if (change.kind === "rename") renameSheet(excel, planning, `${planning.name}x`);
  else if (change.kind === "sort") {
    const to = lastRow(planning);
    sortRows(planning, { from: 1, to, cols: 5 });
    for (const each of typedOn(planning)) if (each.row >= 1) each.row = to + 1 - each.row;
  } else {
    const sheet = change.on === "plan" ? planning : events;
    if (change.kind === "type") {
      const col = change.on === "plan" ? change.col : 0;
      for (const each of typedOn(sheet)) if (each.row === change.row && each.col === col) each.isGone = true;
      lastTyped += 1;
      typed.set(lastTyped, { sheet, row: change.row, col, rowInCopy: null, isGone: false });
      enter(sheet, change.row, col, lastTyped);
    } else {
      const by = change.kind === "insert" ? 1 : -1;
      for (const each of typedOn(sheet)) {
        if (by === -1 && each.row === change.row) each.isGone = true;
        else if (each.row >= change.row) each.row += by;
      }
      moveLines(excel, sheet, { what: "row", at: change.row, by });
    }
  }
  calculate(excel);
}

function lastRow(sheet: HostSheet): number {
  return Math.max(0, ...[...sheet.cells].filter(([, line]) => line.size > 0).map(([row]) => row));
}

export function ownFormula(row: number, col: number): string {
  return `=INV.QTY(A${row + 1},B${row + 1}${col === 4 ? ',"BACKROOM"' : ""})`;
}

export function ownValue(store: number, col: number): number {
  return col === 4 ? store % 2 : store * 10;
}

export function textOf(cell: Cell | undefined): string {
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell ?? "");
}
