/**
 * Replaces the contents of cells in Excel while other people type, sort, and insert rows. A hidden name stays on the area, because
 * Excel moves it with its cells (documented). Each batch first checks the name, then reads, then writes. So if the area was
 * moved, Excel refuses the batch before it writes, and if somebody typed, the batch returns what INV overwrites.
 * Then INV puts that back, once, in rows that it recognizes by the cells beside them, and returns what it can't put back.
 * Not documented: whether a batch is atomic for other people's edits on the web.
 */
import { cellKey, cellsOf, contains, isSameArea } from "../addresses";
import { areasAround, bounds, rowsOf, visitCells } from "../cell-areas";
import {
  cannotReplace,
  type Changes,
  isDifferent,
  needsGeneral,
  type PlannedCell,
  plannedCells,
} from "../cell-changes";
import type { Area, CellRef, CellValue, FoundContent, Replaced } from "../port";
import { areaOf, rangeOf } from "./area";
import { keptText, toExcel } from "./cells";
import {
  blank,
  type CellState,
  isSameRow,
  type LabelledArea,
  labelsOf,
  loadReading,
  movedBy,
  type Reading,
  readingOf,
  shiftOf,
  spelled,
  spelling,
  statesIn,
  valueOf,
} from "./area-reading";
import type { OfficeContents } from "./contents";
import type { ExcelBatches } from "./excel-batches";
import { officeTables } from "./formatting";
import { charactersIn, charactersPerTrip } from "./limits";
import { readBlocks } from "./read";

/** A crash may leave the name. It has always the same spelling, so that the next write removes it. */
const areaName = "_inv_write";
/** Rows whose labels show how long labels are. */
const sampledRows = 200;
const rowsPerPart = 20_000;
/** Cells beside the area by which INV recognizes a row again: to the left, or to the right of an area in column A. */
const labelCols = 3;
/** Larger Tables aren't watched for columns that Excel fills. */
const mostWatched = 100_000;

interface Tools {
  readonly batches: ExcelBatches;
  readonly contents: OfficeContents;
}

interface Plan extends LabelledArea {
  /** The area when the write began; planned addresses are those of this moment. */
  readonly area: Area;
  readonly changes: readonly PlannedCell[];
  readonly isInTable: boolean;
  readonly allOrNothing: boolean;
  /** Cells formatted as text, by `cellKey`. */
  readonly textCells: ReadonlySet<string>;
}

export async function replaceInOffice(
  { batches, contents }: Tools,
  area: Area,
  { changes, allOrNothing }: { readonly changes: Changes; readonly allOrNothing: boolean },
): Promise<Replaced> {
  const planned = plannedCells(area, changes);
  if (planned.length === 0) return { cells: 0, differing: [], overwritten: [] };
  return batches.step(
    async (step) => {
      const watched = await withTableColumns(step, area, planned);
      const left = Math.min(labelCols, watched.col);
      const plan = {
        ...{ area: watched, changes: planned, isInTable: watched !== area, allOrNothing },
        labels: { left, right: left === 0 ? labelCols : 0 },
      };
      try {
        return await replaceNamed({ batches: step, contents }, plan);
      } finally {
        await step.ungrouped(async (context) => {
          context.workbook.names.getItemOrNullObject(areaName).delete();
          await context.sync();
        });
      }
    },
    { asOneUndo: true },
  );
}

/**
 * If one cell of a Table's column gets a formula, Excel may fill it over the column's other cells (office-js 5909, 6745 and
 * 2093). So INV watches the whole column.
 */
async function withTableColumns(
  batches: ExcelBatches,
  area: Area,
  planned: readonly PlannedCell[],
): Promise<Area> {
  if (!planned.some(({ to }) => typeof to === "string" && to.startsWith("="))) return area;
  const tables = (await officeTables(batches)).filter(({ area: table }) =>
    planned.some(({ ref }) => contains(table, ref)),
  );
  const bodies = tables.map(({ area: table }): Area => {
    return { ...area, row: table.row + 1, rows: Math.max(1, table.rows - 1) };
  });
  const watched = bodies.reduce(bounds, area);
  return tables.length === 0 || watched.rows * watched.cols > mostWatched ? area : { ...watched };
}

type FirstPlan = Omit<Plan, "textCells">;

async function replaceNamed(tools: Tools, whole: FirstPlan): Promise<Replaced> {
  const { first, textCells, charactersPerRow } = await nameAndRead(tools, whole);
  const differing = whole.changes.flatMap((cell) => differenceIn(first, cell));
  if (whole.allOrNothing && differing.length > 0) return { cells: 0, differing, overwritten: [] };
  const skipped = new Set(differing.map(({ cell }) => cell.row));
  const plan = { ...whole, textCells, changes: whole.changes.filter(({ ref }) => !skipped.has(ref.row)) };
  const overwritten: FoundContent[] = [];
  let cells = 0;
  for (const part of partsOf(plan, charactersPerRow)) {
    const done = await writePart(tools, plan, { part, first });
    cells += done.cells;
    differing.push(...done.differing);
    overwritten.push(...done.overwritten);
    if (done.differing.length > 0) break;
  }
  return { cells, differing, overwritten };
}

/** Names the area and reads it. Refuses what INV doesn't replace. */
async function nameAndRead({ batches, contents }: Tools, plan: FirstPlan) {
  const { area, changes } = plan;
  return batches.ungrouped(async (context) => {
    const { names, worksheets } = context.workbook;
    // A crash may have left the name. Deleting what doesn't exist does nothing.
    names.getItemOrNullObject(areaName).delete();
    names.add(areaName, rangeOf(context, area)).visible = false;
    const protection = worksheets.getItem(area.sheet).protection.load("protected");
    const facts = areasAround(changes.map(({ ref }) => ref)).map((block) => {
      const range = rangeOf(context, block);
      if (batches.supports("1.12")) range.load("hasSpill,savedAsArray");
      const merged = batches.supports("1.13") ? range.getMergedAreasOrNullObject().load("areaCount") : null;
      return { block, range, merged, locking: range.format.protection.load("locked") };
    });
    const rows = Math.min(sampledRows, area.rows);
    const sample = rangeOf(context, labelsOf(plan, { ...area, rows })).load("formulas");
    await context.sync();
    for (const { block, range, merged, locking } of facts) {
      // Excel returns null for a property that differs between the cells.
      const isLocked = (locking.locked as boolean | null) !== false;
      if (protection.protected && isLocked) throw cannotReplace(block, "protected");
      if (merged?.isNullObject === false) throw cannotReplace(block, "merged");
      if (batches.supports("1.12") && isArray(range)) throw cannotReplace(block, "array");
    }
    const textCells = new Set<string>();
    const states: CellState[][] = [];
    let characters = 0;
    const also = ["values", "valueTypes", "numberFormat"] as const;
    await readBlocks(context, { blocks: [area], property: "formulas", also }, (part, formulas, others) => {
      const [values = [], valueTypes = [], formats = []] = others;
      states.push(...statesIn({ formulas, values, valueTypes }, contents));
      characters += JSON.stringify([formulas, values, valueTypes]).length;
      visitCells(part, formats, (format, ref) => {
        if (format === "@") textCells.add(cellKey(ref));
      });
    });
    // A batch reads twice: before and after it writes.
    const charactersPerRow = 2 * (characters / area.rows + JSON.stringify(sample.formulas).length / rows);
    return {
      first: readingOf(plan, { area, readArea: area, states, labels: [] }),
      textCells,
      charactersPerRow,
    };
  });
}

function isArray(range: Excel.Range): boolean {
  return (range.hasSpill as boolean | null) !== false || (range.savedAsArray as boolean | null) !== false;
}

/** Splits the rows that change into areas. */
function partsOf({ area, changes, isInTable }: Plan, charactersPerRow: number): readonly Area[] {
  const rows = changes.flatMap(({ ref, to }) => (to === undefined ? [] : [ref.row]));
  if (rows.length === 0) return [];
  const whole = rowsAround(area, rows);
  // What is written also comes back.
  const written = changes.reduce((sum, { to }) => (to === undefined ? sum : sum + 2 * charactersIn(to)), 0);
  const fits = Math.floor(charactersPerTrip / (charactersPerRow + written / whole.rows));
  // In a Table, each batch reads the whole area anyway.
  const size = isInTable ? rowsPerPart : Math.max(1, Math.min(rowsPerPart, fits));
  return Array.from({ length: Math.ceil(whole.rows / size) }, (_, index) => {
    const row = whole.row + index * size;
    return { ...whole, row, rows: Math.min(size, whole.row + whole.rows - row) };
  });
}

function rowsAround(area: Area, rows: readonly number[]): Area {
  const first = rows.reduce((least, row) => Math.min(least, row), Infinity);
  const last = rows.reduce((most, row) => Math.max(most, row), 0);
  return { ...area, row: first, rows: last + 1 - first };
}

async function writePart(
  tools: Tools,
  plan: Plan,
  { part, first }: { readonly part: Area; readonly first: Reading },
): Promise<Replaced> {
  const changes = plan.changes.filter(({ ref }) => contains(part, ref));
  const targets = changes.flatMap(({ to, ...rest }) => (to === undefined ? [] : [{ to, ...rest }]));
  const readArea = plan.isInTable ? plan.area : part;
  const entries = targets.map(({ ref, to }) => ({ ref, state: stateOf(to) }));
  const written = await checkAndWrite(tools, plan, { at: plan.area, part, readArea, entries });
  if (written.kind === "refused") {
    const now = await look(tools, plan, readArea);
    if (now === null || !isSameArea(now.area, plan.area)) {
      return { cells: 0, differing: targets.map(({ ref }) => foundIn(first, ref)), overwritten: [] };
    }
    // Excel refused the batch, and nobody knows where it stopped: put back what it may have written.
    const halfWritten = entries.filter(
      ({ ref, state }) =>
        spelling(now, ref) === spelled(state, ref) && spelling(now, ref) !== spelling(first, ref),
    );
    await putBack(tools, plan, {
      now,
      wanted: halfWritten.map(({ ref }) => ({ ref, state: first.at(ref) })),
    });
    throw written.error;
  }

  const { before, after, hasSpill } = written;
  const isSpilled = (state: CellState): boolean =>
    hasSpill && state.formula === null && state.content !== null;
  const differing = [
    ...changes.flatMap((cell) => differenceIn(before, cell)),
    // A formula has spilled into the area since it was named.
    ...targets.flatMap((cell) =>
      isSpilled(before.at(cell.ref)) && differenceIn(before, cell).length === 0
        ? [foundIn(before, cell.ref)]
        : [],
    ),
  ];
  if (differing.length === 0 && !plan.isInTable) return { cells: targets.length, differing, overwritten: [] };

  const isWhole = plan.allOrNothing && differing.length > 0;
  const rows = new Set(
    (isWhole ? targets.map(({ ref }) => ref) : differing.map(({ cell }) => cell)).map(({ row }) => row),
  );
  const reverted = targets.filter(({ ref }) => rows.has(ref.row));
  const now = await look(tools, plan, readArea);
  const overwritten: FoundContent[] = [];
  const wanted: Wanted[] = [];
  for (const { ref } of reverted) {
    const state = before.at(ref);
    const isOwn =
      now !== null && isSameRow(plan, [after, now], ref) && spelling(now, ref) === spelling(after, ref);
    if (!isOwn) overwritten.push(foundIn(before, ref));
    else wanted.push(isSpilled(state) ? { ref, state: blank, shows: state } : { ref, state });
  }
  if (now !== null) {
    const kept = entries.filter(({ ref }) => !rows.has(ref.row));
    if (plan.isInTable) wanted.push(...filledOver(plan, { before, after, now, kept, entries }));
    overwritten.push(...(await putBack(tools, plan, { now, wanted })));
  }
  return { cells: targets.length - reverted.length, differing, overwritten };
}

/** Returns the cells of a Table that Excel has filled with a formula that INV wrote elsewhere in their column. */
function filledOver(
  plan: Plan,
  {
    before,
    after,
    now,
    kept,
    entries,
  }: {
    readonly before: Reading;
    readonly after: Reading;
    readonly now: Reading;
    /** What INV wrote and doesn't put back. */
    readonly kept: readonly Wanted[];
    readonly entries: readonly Wanted[];
  },
): readonly Wanted[] {
  const keptCells = new Map(kept.map(({ ref, state }) => [cellKey(ref), state]));
  const reverted = new Set(entries.flatMap(({ ref }) => (keptCells.has(cellKey(ref)) ? [] : [cellKey(ref)])));
  const formulas = new Set(entries.map(({ ref, state }) => `${ref.col} ${spelled(state, ref)}`));
  return cellsOf(plan.area).flatMap((ref): Wanted[] => {
    const state = keptCells.get(cellKey(ref)) ?? before.at(ref);
    const held = spelling(now, ref);
    const isFilled = held !== spelled(state, ref) && formulas.has(`${ref.col} ${held}`);
    return isFilled && !reverted.has(cellKey(ref)) && isSameRow(plan, [after, now], ref)
      ? [{ ref, state }]
      : [];
  });
}

interface Wanted {
  readonly ref: CellRef;
  readonly state: CellState;
  /** What the cell must show then: a spilled value in a cell that gets blank. */
  readonly shows?: CellState;
}

/** Writes contents where the area is now. Returns what couldn't be put back, or may be in another row. */
async function putBack(
  tools: Tools,
  plan: Plan,
  { now, wanted }: { readonly now: Reading; readonly wanted: readonly Wanted[] },
): Promise<readonly FoundContent[]> {
  if (wanted.length === 0) return [];
  const part = rowsAround(
    plan.area,
    wanted.map(({ ref }) => ref.row),
  );
  const written = await checkAndWrite(tools, plan, { at: now.area, part, readArea: part, entries: wanted });
  const lost = ({ ref, state, shows = state }: Wanted): FoundContent => {
    return { cell: movedBy(now.shift, ref, now.area.sheet), content: valueOf(shows) };
  };
  if (written.kind === "refused") return wanted.map(lost);
  const { before, after } = written;
  return wanted.flatMap((each): readonly FoundContent[] => {
    const { ref, state, shows = state } = each;
    const isUntouched = isSameRow(plan, [now, before], ref) && spelling(before, ref) === spelling(now, ref);
    if (!isUntouched) return [{ ...lost(each), content: valueOf(before.at(ref)) }, lost(each)];
    return valueOf(after.at(ref)) === valueOf(shows) ? [] : [lost(each)];
  });
}

type WriteResult =
  | {
      readonly kind: "written";
      readonly before: Reading;
      readonly after: Reading;
      readonly hasSpill: boolean;
    }
  | { readonly kind: "refused"; readonly error: unknown };

/** Checks the name, reads, writes and reads again, all in one batch. */
async function checkAndWrite(
  { batches, contents }: Tools,
  plan: Plan,
  {
    at,
    part,
    readArea,
    entries,
  }: {
    /** Where the whole area must be. */
    readonly at: Area;
    readonly part: Area;
    readonly readArea: Area;
    readonly entries: readonly Wanted[];
  },
): Promise<WriteResult> {
  const shift = shiftOf(plan, at);
  const shifted = (area: Area): Area => ({ ...area, ...movedBy(shift, area, at.sheet) });
  const states = new Map(entries.map(({ ref, state }) => [cellKey(ref), state]));
  const formats = new Map(
    entries.flatMap(({ ref, state }) =>
      plan.textCells.has(cellKey(ref))
        ? [[cellKey(ref), needsGeneral(valueOf(state)) ? "General" : "@"]]
        : [],
    ),
  );
  try {
    return await batches.run(async (context) => {
      const own = context.workbook.names.getItem(areaName).getRange();
      const planned = rangeOf(context, at);
      // If a corner has become another cell, this intersection fails, and the batch with it.
      own.getCell(0, 0).getIntersection(planned.getCell(0, 0)).load("rowIndex");
      own.getLastCell().getIntersection(planned.getLastCell()).load("rowIndex");
      const load = () => loadReading(plan, readArea, (area) => rangeOf(context, shifted(area)));
      const before = load();
      const spills = batches.supports("1.12") ? rangeOf(context, shifted(part)).load("hasSpill") : null;
      const target = rangeOf(context, shifted(part));
      // A null in a matrix leaves its cell as it is (documented).
      if (formats.size > 0) target.numberFormat = rowsOf(part, formats);
      target.formulas = rowsOf(part, states).map((line) => line.map(entryOf));
      const after = load();
      await context.sync();
      const hasSpill = spills !== null && (spills.hasSpill as boolean | null) !== false;
      return { kind: "written", before: before(at, contents), after: after(at, contents), hasSpill };
    });
  } catch (error) {
    return { kind: "refused", error };
  }
}

/** Reads the area where it is now. Returns null if it was deleted or resized: then its rows can't be told apart. */
async function look({ batches, contents }: Tools, plan: Plan, readArea: Area): Promise<Reading | null> {
  const { area } = plan;
  try {
    return await batches.run(async (context) => {
      const own = context.workbook.names.getItem(areaName).getRange();
      own.load("rowIndex,columnIndex,rowCount,columnCount,worksheet/name");
      const now = loadReading(plan, readArea, (part) =>
        own
          .getCell(0, 0)
          .getOffsetRange(part.row - area.row, part.col - area.col)
          .getResizedRange(part.rows - 1, part.cols - 1),
      );
      await context.sync();
      if (own.rowCount !== area.rows || own.columnCount !== area.cols) return null;
      return now(areaOf(own.worksheet.name, own), contents);
    });
  } catch {
    // What INV can't read, it can't put back either; the caller returns it.
    return null;
  }
}

function stateOf(to: CellValue): CellState {
  const isFormula = typeof to === "string" && to.startsWith("=");
  return isFormula ? { formula: to, content: null } : { formula: null, content: to };
}

function entryOf(state: CellState | null): string | number | boolean | null {
  return state === null ? null : (state.formula ?? toExcel(keptText(state.content)));
}

function foundIn(reading: Reading, ref: CellRef): FoundContent {
  return { cell: ref, content: valueOf(reading.at(ref)) };
}

function differenceIn(reading: Reading, cell: PlannedCell): readonly FoundContent[] {
  const found = foundIn(reading, cell.ref);
  return isDifferent(cell, found.content) ? [found] : [];
}
