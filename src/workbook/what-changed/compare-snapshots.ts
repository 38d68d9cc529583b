/**
 * Makes the report of a refresh from what its cells showed before and after. Works in slices of the event loop. The register
 * says what was answered. Cells that people have edited are omitted.
 */
import type { InvCell } from "../../cells/cell-register";
import type { Clock } from "../../engine/clock";
import { inTimeSlices } from "../in-time-slices";
import type { CellContent, FormulaCell } from "../port";
import { references } from "../../formula/references";
import { compare } from "./compare";
import { type FormulaShape, numberKindAt, shapeOf, showsOnlyAsOf } from "./formula-shape";
import { haveSameQueries, type PlaceItem, itemsByPlace } from "./items-by-place";
import { type CellChange, type ChangeReport, largestFirst, type NotCompared } from "./report";
import type { PlaceBlock, Snapshot } from "./snapshot";
import type { EditedAreas } from "./edited-areas";

export interface ComparedSides {
  readonly before: Snapshot;
  readonly after: readonly (readonly (readonly CellContent[])[])[];
  readonly edits: EditedAreas;
  /** What each target had requested before; null if unknown. */
  readonly queries: readonly InvCell["queries"][];
  invCellOf(target: number): InvCell | undefined;
}

type Outcome = Omit<ChangeReport, "scope" | "fromMs" | "atMs">;

export async function compareSnapshots(clock: Clock, sides: ComparedSides): Promise<Outcome> {
  const { before } = sides;
  const counts = { compared: 0, toZero: 0, fromZero: 0, notAnswered: 0, withoutValue: 0 };
  const changes: CellChange[] = [];
  const { notCompared, isLeftOut } = await leaveOut(clock, sides);
  const shapes = createShapes(before);
  const itemsOfBlocks = new Map<number, (place: number) => PlaceItem>();

  const rows = before.blocks.flatMap((block, index) =>
    Array.from({ length: block.area.rows }, (_, row) => ({ block, index, row })),
  );
  await inTimeSlices(clock, rows, ({ block, index, row }) => {
    const line = sides.after[index]?.[row] ?? [];
    for (let col = 0; col < block.area.cols; col += 1) {
      const owner = block.owners[row * block.area.cols + col] ?? -1;
      if (owner < 0 || isLeftOut[owner] === 1) continue;
      comparePlace({ block, index, row, col, owner }, line[col] ?? null);
    }
  });
  return {
    ...counts,
    changes: largestFirst(changes),
    notCompared,
    isTooLarge: before.isTooLarge,
  };

  function comparePlace(place: ComparedCell, after: CellContent): void {
    const { block, row, col, owner } = place;
    const shown = block.cells[row]?.[col] ?? null;
    const invCell = sides.invCellOf(owner);
    const isUnanswered =
      invCell !== undefined && hasNoAnswer(invCell) && !(block.isSpilled && shapes(owner).isPlaceByPlace);
    const isNumber = shown !== after && (typeof after === "number" || typeof shown === "number");
    const kind = isNumber ? numberKindAt(shapes(owner), block.isSpilled ? col : 0) : "quantity";
    const { verdict, difference } = compare(shown, after, { isUnanswered, isQuantity: kind === "quantity" });
    if (verdict === "blank") return;
    if (verdict === "no-value") {
      counts.withoutValue += 1;
      return;
    }
    if (verdict === "not-answered") {
      counts.notAnswered += 1;
      return;
    }
    counts.compared += 1;
    if (verdict === "same") return;
    if (verdict === "to-zero") counts.toZero += 1;
    if (verdict === "from-zero") counts.fromZero += 1;
    changes.push({
      sheet: sides.edits.sheetNow(block.area.sheet),
      row: block.area.row + row,
      col: block.area.col + col,
      ...itemAt(place),
      before: shown,
      after,
      difference,
      isTime: kind === "time",
    });
  }

  function itemAt({ block, index, row, col, owner }: ComparedCell): PlaceItem {
    if (!block.isSpilled) return itemsByPlace(sides.invCellOf(owner), onePlace)(0);
    let itemOf = itemsOfBlocks.get(index);
    if (itemOf === undefined) {
      const filled = (sides.after[index] ?? []).flat();
      itemOf = itemsByPlace(sides.invCellOf(owner), { filled, isPlaceByPlace: shapes(owner).isPlaceByPlace });
      itemsOfBlocks.set(index, itemOf);
    }
    return itemOf(row * block.area.cols + col);
  }
}

interface ComparedCell {
  readonly block: PlaceBlock;
  readonly index: number;
  readonly row: number;
  readonly col: number;
  readonly owner: number;
}

const onePlace = { filled: [null], isPlaceByPlace: false };

function hasNoAnswer({ state, unansweredBecause }: InvCell): boolean {
  return state === "waiting" || unansweredBecause !== null;
}

/** Returns a function that parses a formula's shape when it is first needed. */
function createShapes({ targets }: Snapshot): (target: number) => FormulaShape {
  const shapes = new Map<number, FormulaShape>();
  return (target) => {
    let shape = shapes.get(target);
    if (shape === undefined) {
      shape = shapeOf(targets[target]?.ref.formula ?? "");
      shapes.set(target, shape);
    }
    return shape;
  };
}

/** Returns the targets to omit, and those of them that the report lists. */
async function leaveOut(
  clock: Clock,
  { before, edits, queries, invCellOf }: ComparedSides,
): Promise<{ readonly notCompared: readonly NotCompared[]; readonly isLeftOut: Uint8Array }> {
  const isLeftOut = new Uint8Array(before.targets.length);
  const notCompared: NotCompared[] = [];
  const spilled = before.blocks.filter(({ isSpilled }) => isSpilled);
  const touchedAreas = new Set(
    edits.isAny ? spilled.filter(({ area }) => edits.hasPartOf(area)).map(({ owners }) => owners[0]) : [],
  );
  await inTimeSlices(clock, [...before.targets.entries()], ([index, { ref }]) => {
    const isEdited = edits.isAny && (touchedAreas.has(index) || isTouched(ref, edits));
    const invCell = invCellOf(index);
    const earlier = queries[index] ?? null;
    const makesOtherQuery =
      invCell !== undefined && earlier !== null && !haveSameQueries({ queries: earlier }, invCell);
    if (isEdited || makesOtherQuery) {
      isLeftOut[index] = 1;
      const cell = { sheet: edits.sheetNow(ref.sheet), row: ref.row, col: ref.col };
      notCompared.push({ cell, reason: isEdited ? "edited" : "other-query" });
    } else if (invCell?.isStaleMark === true || isOnlyAsOf(ref.formula)) isLeftOut[index] = 1;
  });
  return { notCompared, isLeftOut };
}

function isOnlyAsOf(formula: string): boolean {
  return /ASOF/i.test(formula) && showsOnlyAsOf(shapeOf(formula));
}

/** Returns whether an edit touched the cell, or a cell to which its formula refers. */
function isTouched(cell: FormulaCell, edits: EditedAreas): boolean {
  if (edits.hasPartOf({ ...cell, rows: 1, cols: 1 })) return true;
  return references(cell.formula).cells.some((found) =>
    edits.hasPartOf({ ...found, sheet: found.sheet ?? cell.sheet }),
  );
}
