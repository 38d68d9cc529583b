/**
 * What the cells of an area contained at one moment, and what was beside them. Addresses are planned ones: those of the moment when
 * the write began. The area may have moved since.
 */
import { toR1C1 } from "../../formula/references";
import { withoutKind } from "../cell-content";
import type { Area, CellContent, CellRef, CellValue } from "../port";
import type { OfficeContents } from "./contents";
import type { Matrix } from "./read";

/** An area and the columns beside it, by which INV recognizes a row again. */
export interface LabelledArea {
  readonly area: Area;
  readonly labels: { readonly left: number; readonly right: number };
}

export interface CellState {
  readonly formula: string | null;
  readonly content: CellContent;
}

export const blank: CellState = { formula: null, content: null };

/** What the cells contained at one moment. */
export interface Reading {
  /** Where the whole area was then. */
  readonly area: Area;
  /** How far it had moved since it was planned. */
  readonly shift: { readonly rows: number; readonly cols: number };
  /** The state of a cell of the area, by its planned address. */
  at(planned: CellRef): CellState;
  /** The formulas or values beside the area in this row. */
  labels(planned: CellRef): readonly unknown[];
}

/** Loads the cells and what is beside them. Returns the function that reads them after the next sync. */
export function loadReading(plan: LabelledArea, readArea: Area, rangeFor: (planned: Area) => Excel.Range) {
  const cells = rangeFor(readArea).load("formulas,values,valueTypes");
  const labels = rangeFor(labelsOf(plan, readArea)).load("formulas");
  return (area: Area, contents: OfficeContents): Reading =>
    readingOf(plan, { area, readArea, states: statesIn(cells, contents), labels: labels.formulas });
}

export function labelsOf({ labels: { left, right } }: LabelledArea, area: Area): Area {
  return { ...area, col: left > 0 ? area.col - left : area.col + area.cols, cols: left + right };
}

export function readingOf(
  plan: LabelledArea,
  {
    area,
    readArea,
    states,
    labels,
  }: {
    readonly area: Area;
    /** The area of the states and labels, with planned addresses. */
    readonly readArea: Area;
    readonly states: readonly (readonly CellState[])[];
    readonly labels: Matrix;
  },
): Reading {
  return {
    area,
    shift: shiftOf(plan, area),
    at: ({ row, col }) => states[row - readArea.row]?.[col - readArea.col] ?? blank,
    labels: ({ row }) => labels[row - readArea.row] ?? [],
  };
}

export function shiftOf(plan: LabelledArea, now: Area): Reading["shift"] {
  return { rows: now.row - plan.area.row, cols: now.col - plan.area.col };
}

export function movedBy({ rows, cols }: Reading["shift"], { row, col }: CellRef, sheet: string): CellRef {
  return { sheet, row: row + rows, col: col + cols };
}

/** Returns whether the cells beside the area are the same: nobody has sorted the rows. */
export function isSameRow(
  plan: LabelledArea,
  [one, other]: readonly [Reading, Reading],
  ref: CellRef,
): boolean {
  const { col } = labelsOf(plan, plan.area);
  const spelledIn = ({ labels, shift }: Reading): string =>
    labels(ref)
      .map((label, index) => spelledLabel(label, movedBy(shift, { ...ref, col: col + index }, ref.sheet)))
      .join("\n");
  return spelledIn(one) === spelledIn(other);
}

function spelledLabel(label: unknown, at: CellRef): string {
  const isFormula = typeof label === "string" && label.startsWith("=");
  return isFormula ? toR1C1(label, at) : JSON.stringify(label);
}

/** Returns the cell's content in a spelling that is the same in every row. */
export function spelling({ shift, at }: Reading, planned: CellRef): string {
  return spelled(at(planned), movedBy(shift, planned, planned.sheet));
}

export function spelled({ formula, content }: CellState, at: CellRef): string {
  return formula === null ? JSON.stringify(content) : toR1C1(formula, at).toUpperCase();
}

/** Tells formulas from texts that look like one, as `find.ts` does. */
export function statesIn(
  { formulas, values, valueTypes }: { readonly [Each in "formulas" | "values" | "valueTypes"]: Matrix },
  { contentOf }: OfficeContents,
): CellState[][] {
  return formulas.map((line, r) =>
    line.map((formula, c) => {
      const value = values[r]?.[c];
      const isFormula = typeof formula === "string" && formula.startsWith("=") && formula !== value;
      return { formula: isFormula ? formula : null, content: contentOf(value, valueTypes[r]?.[c]) };
    }),
  );
}

export function valueOf({ formula, content }: CellState): CellValue {
  return formula ?? withoutKind(content);
}
