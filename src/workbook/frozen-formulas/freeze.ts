/**
 * Freezes: replaces INV formulas with their values, and keeps the formulas in the ledger. INV writes the ledger and reads it
 * back before it changes the first cell. So each formula is in its cell or in the ledger, even if the work is interrupted. If
 * somebody changed a cell in the meantime, INV restores it; another round freezes cells that only moved. INV skips what can't
 * be frozen, and reports it.
 */
import { cellKey } from "../addresses";
import { broughtFormats } from "../brought-formats";
import { isEnterable, withoutFormula } from "../cell-content";
import type { Area, CellRef, FormulaCell, SheetInfo, Workbook } from "../port";
import { pendingIn, stillWaiting } from "../still-waiting";
import { blockFinder, blocksAround, nameBlocks } from "./anchors";
import { type Candidate, describe, type DescribeTools } from "./describe";
import { digest } from "./digest";
import type { LedgerEntry } from "./entry";
import type { Ledger, LedgerContent, LedgerWriter, WriterOptions } from "./ledger";
import { readBook, readCells, referenceReader, type Surroundings } from "./reference-reader";
import { type FreezeReport, type SkippedCells, skippedFor, lostReason } from "./report";
import { replaceCells } from "./replace-cells";
import type { Replacement } from "./restore-cells";
import { areaOf, isIn } from "./thaw-plan";
import { exchangeInBatches, type FormulaArea } from "./block-batches";

/** `values` keeps what the cells show; `blank` empties them. */
export type FreezeAs = "values" | "blank";

export interface FreezeTools extends DescribeTools {
  readonly ledger: Ledger;
  readonly writerOptions: WriterOptions;
}

/** Returns the entries for a ledger in a copy of the workbook. Changes nothing. */
export async function ledgerEntries(
  tools: DescribeTools,
  formulas: readonly FormulaCell[],
): Promise<readonly LedgerEntry[]> {
  const { workbook } = tools;
  const book = await readBook(workbook, textsOf(formulas));
  const { areas } = await openAreas(workbook, formulas, book.sheets);
  const around = { ...book, isFrozen: isIn(areas.map(({ area }) => area)) };
  const shown = await workbook.contentsOf(areas.map(({ area }) => area));
  const readers = areas.map(({ formula }) => referenceReader(formula, around));
  const contents = await readCells(
    workbook,
    readers.flatMap((reader) => reader.areas),
  );
  const all = areas.map((one, index): Candidate => {
    const refersTo = readers[index]?.digestOf(contents) ?? "";
    return { ...one, cells: shown[index] ?? [], refersTo, contents, named: null };
  });
  const { candidates: showing, withError } = sift(all, "values");
  const errors = withError.map((one): Candidate => ({
    ...one,
    cells: one.cells.map((row) => row.map(withoutFormula)),
  }));
  const candidates = [...showing, ...errors];
  const formats = await broughtFormats(workbook, candidates);
  return describe(tools, { candidates, around, as: "values", formats });
}

/** Limits the rounds, because somebody may keep editing. */
const mostRounds = 3;

/**
 * @param first the formulas to freeze; `find` finds them again
 * @throws InvError if cells wait, if another INV is at work, or if the workbook doesn't keep the ledger; then nothing has changed
 */
export async function freezeCells(
  tools: FreezeTools,
  { first, find }: { readonly first: readonly FormulaCell[]; find(): Promise<readonly FormulaCell[]> },
  as: FreezeAs,
): Promise<FreezeReport> {
  const { workbook, ledger, writerOptions } = tools;
  if (first.length === 0) return { cells: 0, skipped: [] };
  return workbook.step(async () => {
    const writer = ledger.open(writerOptions);
    const skipped: SkippedCells[] = [];
    let cells = 0;
    let moved: readonly CellRef[] = [];
    try {
      for (let round = 1; round <= mostRounds; round += 1) {
        const formulas = round === 1 ? first : await find();
        const result = await freezeOnce({ ...tools, writer }, formulas, as);
        cells += result.cells;
        moved = result.moved;
        if (round === 1) skipped.push(...result.skipped);
        skipped.push(...skippedFor("Somebody changed the cell while INV was freezing it", result.changed));
        skipped.push(...skippedFor(lostReason, result.lost));
        if (moved.length === 0) break;
      }
    } catch (error) {
      // Report the original error, even if a name or a sheet remains.
      await ledger.tidy(writer.sheets).catch(() => undefined);
      throw error;
    }
    skipped.push(...skippedFor("Rows or columns kept moving while INV was freezing the cell", moved));
    await writer.close();
    await ledger.tidy();
    return { cells, skipped };
  });
}

interface Round {
  readonly cells: number;
  readonly skipped: readonly SkippedCells[];
  /** Cells that somebody has overwritten. */
  readonly changed: readonly CellRef[];
  /** Cells that still contain INV formulas. */
  readonly moved: readonly CellRef[];
  readonly lost: readonly CellRef[];
}

async function freezeOnce(
  tools: FreezeTools & { readonly writer: LedgerWriter },
  formulas: readonly FormulaCell[],
  as: FreezeAs,
): Promise<Round> {
  const { workbook, ledger, writer } = tools;
  const before = await ledger.read();
  const book = await readBook(workbook, textsOf(formulas));
  const { areas, skipped: closed } = await openAreas(workbook, formulas, book.sheets);
  const lines = before?.lines ?? [];
  const frozen = lines.flatMap((line) => line.places.flatMap((place) => areaOf({ line, place }) ?? []));
  const isFrozen = isIn([...frozen, ...areas.map(({ area }) => area)]);
  const around = { ...book, isFrozen };
  await writer.start();
  const { found, moved } = await snapshotsOf(workbook, await nameFormulas(tools, areas, around));
  const { candidates, skipped } = sift(found, as);
  const notFrozen = { changed: [], lost: [], moved, skipped: [...closed, ...skipped] };
  if (candidates.length === 0) return { ...notFrozen, cells: 0 };
  const formats = as === "values" ? await broughtFormats(workbook, candidates) : new Map<string, string>();
  const entries = await describe(tools, { candidates, around, as, formats });
  await writer.append(entries);
  const replacements = new Map(
    candidates.flatMap((candidate, index): [Replacement, LedgerEntry][] => {
      const [entry, { named }] = [entries[index], candidate];
      if (entry === undefined || named === null) return [];
      return [[{ ...named, refersTo: entry.refersTo, ...changeOf(candidate, { as, formats }) }, entry]];
    }),
  );
  const result = await replaceCells({ workbook, around }, [...replacements.keys()]);
  const { done, notDone } = result;
  const entriesOf = (list: readonly Replacement[]): LedgerEntry[] =>
    list.flatMap((each) => replacements.get(each) ?? []);
  // A cell that INV couldn't restore may still be a formula; the ledger then keeps all of them.
  if (result.changed.length + result.missing.length === 0) {
    await writer.withdraw(entriesOf(notDone.map(({ replacement }) => replacement)));
  }
  await writer.keep(entriesOf(done));
  await ledger.drop(renewedBy(before, entriesOf(done)));
  const [kept, changed] = split(notDone, ({ cells }) => {
    const formula = cells?.[0]?.[0]?.formula;
    return cells === null || (typeof formula === "string" && around.isInv(formula));
  });
  return {
    cells: done.length,
    skipped: notFrozen.skipped,
    changed: [...changed.map(({ replacement }) => replacement.area), ...result.changed],
    moved: [...moved, ...kept.map(({ replacement }) => replacement.area)],
    lost: result.missing,
  };
}

interface Filled {
  readonly formula: FormulaCell;
  readonly area: Area;
}

interface NamedFormula extends FormulaArea {
  readonly cell: FormulaCell;
  readonly newCells: null;
}

async function nameFormulas(
  { workbook, writer }: { readonly workbook: Workbook; readonly writer: LedgerWriter },
  filled: readonly Filled[],
  around: Surroundings,
): Promise<readonly NamedFormula[]> {
  const blocks = blocksAround(
    filled.map(({ area }) => area),
    around.names,
  );
  const blockOf = blockFinder(await nameBlocks(workbook, blocks, writer.newName));
  return filled.flatMap(({ formula: cell, area }) => {
    const named = blockOf(area);
    if (named === undefined) return [];
    const reader = referenceReader(cell, around);
    return [{ ...named, area, formula: cell.formula, cell, reader, newCells: null }];
  });
}

/**
 * Reads each formula, its value and what it refers to at one moment. Also returns the formulas that moved after they were
 * found.
 */
async function snapshotsOf(workbook: Workbook, formulas: readonly NamedFormula[]) {
  const found: Candidate[] = [];
  const moved: CellRef[] = [];
  await exchangeInBatches(workbook, formulas, (batch) => {
    for (const { item: named, snapshot } of batch) {
      if (snapshot?.cells[0]?.[0]?.formula !== named.formula) moved.push(named.cell);
      else {
        const { refersTo, contents } = snapshot;
        const cells = snapshot.cells.map((row) => row.map(({ content }) => content));
        found.push({ formula: named.cell, area: named.area, cells, refersTo, contents, named });
      }
    }
  });
  return { found, moved };
}

function changeOf(
  { formula: { formula }, area, cells }: Candidate,
  given: {
    readonly as: FreezeAs;
    readonly formats: ReadonlyMap<string, string>;
  },
): Pick<Replacement, "isExpected" | "newCells"> {
  const { as, formats } = given;
  return {
    // Somebody may have typed into the cells that the formula had filled.
    isExpected: (now) =>
      now[0]?.[0]?.formula === formula &&
      (area.rows * area.cols === 1 ||
        digest(now.map((row) => row.map(({ content }) => content))) === digest(cells)),
    newCells: cells.map((row, r) =>
      row.map((content, c) => {
        const key = cellKey({ sheet: area.sheet, row: area.row + r, col: area.col + c });
        return {
          formula: null,
          content: as === "values" ? content : null,
          numberFormat: formats.get(key) ?? null,
        };
      }),
    ),
  };
}

/** Returns lines of earlier freezes that the new entries repeat, because somebody has undone those freezes. */
function renewedBy(before: LedgerContent | null, entries: readonly LedgerEntry[]) {
  const renewed = new Map(entries.map((entry) => [cellKey(entry.ref), entry]));
  return (before?.lines ?? []).filter(({ entry, places: [place, ...copies], isBeingFrozen }) => {
    const next = place.at === null ? undefined : renewed.get(cellKey(place.at));
    if (next?.refersTo !== entry.refersTo || isBeingFrozen || copies.length > 0) return false;
    return next.formula === entry.formula || (place.anchor !== null && next.r1c1 === entry.r1c1);
  });
}

function textsOf(formulas: readonly FormulaCell[]): readonly string[] {
  return formulas.map(({ formula }) => formula);
}

/** Returns the areas that the formulas fill. Excludes formulas on protected sheets and those that share an array. */
async function openAreas(workbook: Workbook, formulas: readonly FormulaCell[], sheets: readonly SheetInfo[]) {
  const closed = new Set(sheets.filter(({ isProtected }) => isProtected).map(({ name }) => name));
  const open = formulas.filter(({ sheet }) => !closed.has(sheet));
  const extents = await workbook.extents(open);
  const areas = open.flatMap((formula, index) => {
    const extent = extents[index];
    if (extent === undefined || extent.isSharedArray) return [];
    const { sheet, row, col } = formula;
    return [{ formula, area: { sheet, row, col, rows: extent.rows, cols: extent.cols } }];
  });
  const skipped: SkippedCells[] = [];
  for (const sheet of closed) {
    const own = formulas.filter((formula) => formula.sheet === sheet);
    skipped.push(...skippedFor(`The sheet "${sheet}" is protected`, own));
  }
  const shared = open.filter((_, index) => extents[index]?.isSharedArray ?? false);
  skipped.push(...skippedFor("Part of an array formula of several cells (Ctrl+Shift+Enter)", shared));
  return { areas, skipped };
}

function sift(all: readonly Candidate[], as: FreezeAs) {
  // Such a value would look like a restored formula if it were written as text.
  const [formulaLike, others] = split(all, ({ cells }) => {
    const first = cells[0]?.[0];
    return typeof first === "string" && first.startsWith("=");
  });
  const waiting = others.filter(({ cells }) => pendingIn(cells) > 0);
  if (waiting.length > 0) throw stillWaiting(waiting.length, "freeze");
  const [candidates, withError] = split(
    others,
    ({ cells }) => as === "blank" || cells.every((row) => row.every(isEnterable)),
  );
  const formulasOf = (list: readonly Candidate[]): readonly CellRef[] => list.map(({ formula }) => formula);
  const skipped = [
    ...skippedFor("Its value begins like a formula", formulasOf(formulaLike)),
    ...skippedFor("It shows an error that a cell can't contain without a formula", formulasOf(withError)),
  ];
  return { candidates, withError, skipped };
}

function split<T>(list: readonly T[], isFirst: (one: T) => boolean): readonly [T[], T[]] {
  return [list.filter(isFirst), list.filter((one) => !isFirst(one))];
}
