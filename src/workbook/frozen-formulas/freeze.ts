/**
 * Freezing: INV formulas become their values, and the ledger remembers them. The ledger is written and
 * read back before the first cell is touched, so that at every moment each formula is in its cell or
 * in the ledger, whatever ends the work half-way. Cells that somebody changed meanwhile get back what they had; those
 * that only moved are frozen in another round. What cannot be frozen is named and stays as it is.
 */
import { cellKey } from "../addresses";
import { broughtFormats } from "../brought-formats";
import { canStand, standing } from "../cell-content";
import { invMatcher } from "../formula-search";
import type { Area, CellRef, FormulaCell, HeldCell, Workbook } from "../port";
import { toR1C1 } from "../../formula/references";
import { pendingIn, stillWaiting } from "../still-waiting";
import { anchorBlocks, blockFinder, blocksAround, type Block } from "./anchors";
import { digest } from "./digest";
import type { LedgerEntry } from "./entry";
import type { Ledger, LedgerContent, LedgerWriter } from "./ledger";
import { type Candidate, describe, type DescribeTools } from "./describe";
import { referencesOf } from "./subjects";
import { isSamePlace, leftLost, part, swapCells } from "./swap";
import type { Swap } from "./swap-batches";
import { areaOf, keysOf } from "./thaw-plan";

/** `values`: cells keep what they show. `blank`: they are emptied. */
export type FreezeAs = "values" | "blank";

/** Cells that were left alone, and why, in words. */
export interface LeftAlone {
  readonly reason: string;
  readonly cells: readonly CellRef[];
}

export interface FreezeReport {
  readonly cells: number;
  readonly left: readonly LeftAlone[];
}

export interface FreezeTools extends DescribeTools {
  readonly ledger: Ledger;
}

/** The entries that a ledger would hold of these formulas, changing nothing: for a copy of the workbook. */
export async function ledgerEntries(
  tools: DescribeTools,
  formulas: readonly FormulaCell[],
): Promise<readonly LedgerEntry[]> {
  const { workbook } = tools;
  const { areas } = await openAreas(workbook, formulas);
  const cells = await workbook.contentsOf(areas.map(({ area }) => area));
  const all = areas.map((one, index): Candidate => ({ ...one, cells: cells[index] ?? [], block: null }));
  const { candidates: showing, fleeting } = sift(all, "values");
  const errors = fleeting.map((one): Candidate => ({
    ...one,
    cells: one.cells.map((row) => row.map(standing)),
  }));
  const candidates = [...showing, ...errors];
  const formats = await broughtFormats(workbook, candidates);
  const { refersTo, isFrozen } = await readReferences(workbook, areas, []);
  return describe(tools, { candidates, refersTo, isFrozen, as: "values", formats });
}

/** Somebody who edits all the time is not waited for. */
const mostRounds = 3;

/**
 * @param first the formulas to freeze, and the way to find them again
 * @throws InvError when cells still wait, or when the ledger cannot be kept; nothing has changed then
 */
export async function freezeCells(
  tools: FreezeTools,
  { first, find }: { readonly first: readonly FormulaCell[]; find(): Promise<readonly FormulaCell[]> },
  as: FreezeAs,
): Promise<FreezeReport> {
  const { workbook, ledger } = tools;
  if (first.length === 0) return { cells: 0, left: [] };
  return workbook.step(async () => {
    const writer = ledger.open();
    const left: LeftAlone[] = [];
    let cells = 0;
    let moved: readonly CellRef[] = [];
    try {
      for (let round = 1; round <= mostRounds; round += 1) {
        const formulas = round === 1 ? first : await find();
        const result = await freezeOnce({ ...tools, writer }, formulas, as);
        cells += result.cells;
        moved = result.moved;
        if (round === 1) left.push(...result.left);
        left.push(...leftFor("Somebody changed the cell while INV was freezing it", result.changed));
        left.push(...leftLost(result.lost));
        if (moved.length === 0) break;
      }
    } catch (error) {
      // Names that no line uses; what failed matters more than they do.
      await ledger.tidy([]).catch(() => undefined);
      throw error;
    }
    left.push(...leftFor("Rows or columns kept moving while INV was freezing the cell", moved));
    await writer.close();
    await ledger.tidy([]);
    return { cells, left };
  });
}

interface Round {
  readonly cells: number;
  readonly left: readonly LeftAlone[];
  /** Typed over. */
  readonly changed: readonly CellRef[];
  /** Still formulas of INV. */
  readonly moved: readonly CellRef[];
  readonly lost: readonly CellRef[];
}

async function freezeOnce(
  tools: FreezeTools & { readonly writer: LedgerWriter },
  formulas: readonly FormulaCell[],
  as: FreezeAs,
): Promise<Round> {
  const { workbook, ledger, writer } = tools;
  const { areas, left: closed } = await openAreas(workbook, formulas);
  const before = await ledger.read();
  const { refersTo, isFrozen } = await readReferences(workbook, areas, frozenAreas(before));
  const blocks = await anchorBlocks(
    workbook,
    blocksAround(
      areas.map(({ area }) => area),
      await workbook.names(),
    ),
    writer.newName,
  );
  const blockOf = blockFinder(blocks);
  const all = areas.map((one): Candidate => {
    const block = blockOf(one.area) ?? null;
    const held = block === null ? [] : heldIn(block, one.area);
    const isThere = held[0]?.[0]?.formula === one.formula.formula;
    return {
      ...one,
      block: isThere ? block : null,
      cells: held.map((row) => row.map(({ content }) => content)),
    };
  });
  const [there, away] = split(all, ({ block }) => block !== null);
  const { candidates, left } = sift(there, as);
  const none = {
    changed: [],
    lost: [],
    moved: away.map(({ formula }) => formula),
    left: [...closed, ...left],
  };
  if (candidates.length === 0) return { ...none, cells: 0 };
  const formats = as === "values" ? await broughtFormats(workbook, candidates) : new Map<string, string>();
  const entries = await describe(tools, { candidates, refersTo, isFrozen, as, formats });
  await writer.append(entries);
  const swaps = new Map(
    candidates.flatMap((candidate, index): [Swap, LedgerEntry][] => {
      const entry = entries[index];
      const { block } = candidate;
      return entry === undefined || block === null
        ? []
        : [[swapOf(candidate, { block, entry, as, formats }), entry]];
    }),
  );
  const { done, undone, lost } = await swapCells({ workbook, isFrozen }, [...swaps.keys()]);
  const entriesOf = (list: readonly Swap[]): LedgerEntry[] => list.flatMap((swap) => swaps.get(swap) ?? []);
  // Where something could not be put back it may be a formula: then the ledger keeps all of them.
  if (lost.length === 0) await writer.withdraw(entriesOf(undone.map(({ swap }) => swap)));
  await writer.keep(entriesOf(done));
  await ledger.drop(renewedBy(before, entriesOf(done)));
  const isInv = await invMatcher(workbook);
  const [kept, changed] = split(undone, ({ held }) => {
    const formula = held?.[0]?.[0]?.formula;
    return held === null || (typeof formula === "string" && isInv(formula));
  });
  return {
    cells: done.length,
    left: none.left,
    changed: changed.map(({ swap }) => swap.area),
    moved: [...none.moved, ...kept.map(({ swap }) => swap.area)],
    lost,
  };
}

function swapOf(
  { formula, area, cells }: Candidate,
  given: {
    readonly block: Block;
    readonly entry: LedgerEntry;
    readonly as: FreezeAs;
    readonly formats: ReadonlyMap<string, string>;
  },
): Swap {
  const { block, entry, as, formats } = given;
  return {
    ...{ anchor: block.anchor, block: block.block, area, refersTo: entry.refersTo },
    formula: formula.formula,
    isExpected(held, at) {
      const own = held[0]?.[0]?.formula ?? null;
      if (isSamePlace(at, area)) return own === formula.formula;
      // It has moved with its row, if both its formula and its value say so.
      const shown = held.map((row) => row.map(({ content }) => content));
      return own !== null && toR1C1(own, at) === entry.r1c1 && digest(shown) === digest(cells);
    },
    to: cells.map((row, r) =>
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

function heldIn({ block, cells }: Block, area: Area): HeldCell[][] {
  return part(cells, { ...area, row: area.row - block.row, col: area.col - block.col });
}

/** Lines of earlier freezes that the new entries say again, an undo having brought the formulas back meanwhile. */
function renewedBy(before: LedgerContent | null, entries: readonly LedgerEntry[]) {
  const renewed = new Map(entries.map((entry) => [cellKey(entry.ref), entry]));
  return (before?.lines ?? []).filter(({ entry, places: [place, ...copies], isBeingFrozen }) => {
    const next = place.at === null ? undefined : renewed.get(cellKey(place.at));
    if (next?.refersTo !== entry.refersTo || isBeingFrozen || copies.length > 0) return false;
    return next.formula === entry.formula || (place.anchor !== null && next.r1c1 === entry.r1c1);
  });
}

async function readReferences(
  workbook: Workbook,
  filled: readonly Pick<Candidate, "formula" | "area">[],
  frozen: readonly Area[],
) {
  const keys = keysOf([...frozen, ...filled.map(({ area }) => area)]);
  const isFrozen = (ref: CellRef): boolean => keys.has(cellKey(ref));
  const formulas = filled.map(({ formula }) => formula);
  const found = await referencesOf(workbook, formulas, isFrozen);
  const refersTo = new Map(formulas.map((formula, index) => [cellKey(formula), found[index] ?? ""]));
  return { refersTo, isFrozen };
}

/** What the ledger holds, where it is now. */
function frozenAreas(content: LedgerContent | null): readonly Area[] {
  return (content?.lines ?? []).flatMap((line) =>
    line.places.flatMap((place) => areaOf({ line, place }) ?? []),
  );
}

function leftFor(reason: string, cells: readonly CellRef[]): LeftAlone[] {
  return cells.length === 0 ? [] : [{ reason, cells }];
}

/** What the formulas fill, without those on protected sheets and those that share an array. */
async function openAreas(workbook: Workbook, formulas: readonly FormulaCell[]) {
  const closed = new Set(
    (await workbook.sheets()).filter(({ isProtected }) => isProtected).map(({ name }) => name),
  );
  const open = formulas.filter(({ sheet }) => !closed.has(sheet));
  const extents = await workbook.extents(open);
  const areas = open.flatMap((formula, index) => {
    const extent = extents[index];
    if (extent === undefined || extent.isSharedArray) return [];
    const { sheet, row, col } = formula;
    return [{ formula, area: { sheet, row, col, rows: extent.rows, cols: extent.cols } }];
  });
  const left: LeftAlone[] = [];
  for (const sheet of closed) {
    const own = formulas.filter((formula) => formula.sheet === sheet);
    left.push(...leftFor(`The sheet "${sheet}" is protected`, own));
  }
  const shared = open.filter((_, index) => extents[index]?.isSharedArray ?? false);
  left.push(...leftFor("Part of an array formula of several cells (Ctrl+Shift+Enter)", shared));
  return { areas, left };
}

function sift(all: readonly Candidate[], as: FreezeAs) {
  // As text it could not be told from a formula that came back.
  const [odd, telling] = split(all, ({ cells }) => {
    const first = cells[0]?.[0];
    return typeof first === "string" && first.startsWith("=");
  });
  const waiting = telling.filter(({ cells }) => pendingIn(cells) > 0);
  if (waiting.length > 0) throw stillWaiting(waiting.length, "freeze");
  const [candidates, fleeting] = split(
    telling,
    ({ cells }) => as === "blank" || cells.every((row) => row.every(canStand)),
  );
  const formulasOf = (list: readonly Candidate[]): readonly CellRef[] => list.map(({ formula }) => formula);
  const left = [
    ...leftFor("Its value begins like a formula", formulasOf(odd)),
    ...leftFor("It shows an error that no cell can hold without its formula", formulasOf(fleeting)),
  ];
  return { candidates, fleeting, left };
}

function split<T>(list: readonly T[], isFirst: (one: T) => boolean): readonly [T[], T[]] {
  return [list.filter(isFirst), list.filter((one) => !isFirst(one))];
}
