/**
 * Plans a thaw and changes nothing: which formulas return and how they read, which are already in their cells, and which can't
 * return, with the reason. A formula returns only if its value and the cells that it refers to are the same. Anybody may have
 * written a file's ledger, so only INV's formulas return, and only within a sheet's bounds.
 */
import { sheetCols, sheetRows } from "../../formula/columns";
import { cellKey, cellsOf } from "../addresses";
import type { Anchor, Area, CellRef, Workbook } from "../port";
import { type Block, blockFinder, blocksAround } from "./anchors";
import type { LedgerLine } from "./ledger";
import { type JudgedTarget, judgeInPlace, type PossibleFormula, type Target } from "./match-cells";
import { matchRows } from "./match-rows";
import { createPlaces, type Place } from "./positions";
import { type Book, headsOf, readBook, type Surroundings } from "./reference-reader";

/** Includes the formula that returns, which may have moved with its cell. */
export type Match = Target & PossibleFormula;

export interface Refused {
  readonly line: LedgerLine;
  readonly place: Place;
  readonly reason: string;
}

export interface ThawPlan {
  readonly matches: readonly Match[];
  readonly refused: readonly Refused[];
  readonly present: readonly LedgerLine[];
  readonly around: Surroundings;
}

/** Excel accepts no longer formula (documented). */
const longestFormula = 8_192;

interface Wanted {
  readonly line: LedgerLine;
  readonly place: Place;
  readonly isReplaced?: boolean;
}

/** @param isWanted receives the current areas; lines without one are always included */
export async function planThaw(
  workbook: Workbook,
  lines: readonly LedgerLine[],
  isWanted: (area: Area) => boolean,
): Promise<ThawPlan> {
  const isInScope = (one: Wanted): boolean => {
    const area = areaOf(one);
    return area === null || isWanted(area);
  };
  const book = await readBook(
    workbook,
    lines.map(({ entry }) => entry.formula),
  );
  const placesOf = createPlaces(book.sheets, book.names);
  const all = lines.map((line) => placesOf(line.entry).map((place): Wanted => ({ line, place })));
  const around = { ...book, isFrozen: isIn(all.flat().flatMap((one) => areaOf(one) ?? [])) };
  // INV removes a line only when all its places are done, so the plan checks each of them.
  const wanted = all.filter((places) => places.some(isInScope)).flat();
  const { targets, refused, superseded } = sift(wanted, { ...book, owners: ownersOf(all.flat()) });
  const { placed, gone } = await locate(workbook, targets);
  const inPlace = await judgeInPlace(workbook, placed, around);
  const judged = await refuseOtherColumns(workbook, await matchRows(workbook, inPlace, around), around);
  const matches: Match[] = [];
  const done = new Set<Place>();
  for (const { target, verdict } of judged) {
    if (verdict.kind === "present") done.add(target.place);
    else if (verdict.kind === "fits") matches.push({ ...target, ...verdict.found });
    else refused.push({ ...target, reason: verdict.reason });
  }
  for (const one of gone) refused.push({ ...one, reason: "The cell was deleted" });
  const reasons = new Map(refused.map(({ place, reason }) => [place, reason]));
  for (const { by, ...one } of superseded) {
    const reason = reasons.get(by.place);
    if (done.has(by.place)) done.add(one.place);
    else if (reason !== undefined) refused.push({ ...one, reason });
  }
  return {
    matches: matches.filter(isInScope),
    refused: refused.filter(isInScope),
    present: lines.filter((_, index) => all[index]?.every(({ place }) => done.has(place)) === true),
    around,
  };
}

export function isIn(areas: readonly Area[]): (ref: CellRef) => boolean {
  const keys = new Set(areas.flatMap((area) => cellsOf(area).map(cellKey)));
  return (ref) => keys.has(cellKey(ref));
}

export function areaOf({ line: { entry }, place: { at } }: Wanted): Area | null {
  return at === null ? null : { ...at, rows: entry.rows, cols: entry.cols };
}

function ownersOf(all: readonly Wanted[]): ReadonlyMap<string, Wanted> {
  const owners = new Map<string, Wanted>();
  for (const one of all) {
    if (one.place.at === null) continue;
    const before = owners.get(cellKey(one.place.at));
    if (before === undefined || before.line.entry.writtenAt <= one.line.entry.writtenAt) {
      owners.set(cellKey(one.place.at), one);
    }
  }
  return owners;
}

interface Facts extends Book {
  readonly owners: ReadonlyMap<string, Wanted>;
}

/** Separates two kinds of lines: those that can't return whatever their cells contain, and those that a later line repeats. */
function sift(wanted: readonly Wanted[], facts: Facts) {
  const targets: Wanted[] = [];
  const refused: Refused[] = [];
  const superseded: (Wanted & { readonly by: Wanted })[] = [];
  for (const one of wanted) {
    const { entry } = one.line;
    const later = one.place.at === null ? undefined : facts.owners.get(cellKey(one.place.at));
    const reason = findObstacle(one, facts);
    if (reason !== null) refused.push({ ...one, reason });
    else if (later === undefined || later === one) targets.push(one);
    else if (later.line.entry.formula === entry.formula && later.line.entry.refersTo === entry.refersTo) {
      superseded.push({ ...one, by: later });
    } else targets.push({ ...one, isReplaced: true });
  }
  return { targets, refused, superseded };
}

/** Returns the reason why the formula can't return, whatever its cell contains. */
function findObstacle({ line: { entry }, place: { at } }: Wanted, { sheets, isInv }: Facts): string | null {
  if (!isInv(entry.formula) || entry.formula.length > longestFormula) {
    return "The list has no INV formula for this cell";
  }
  if (at === null) {
    const isThere = sheets.some(({ id, name }) => id === entry.sheetId || name === entry.ref.sheet);
    return isThere ? "The cell was deleted" : `The sheet "${entry.ref.sheet}" is no longer there`;
  }
  if (at.row + entry.rows > sheetRows || at.col + entry.cols > sheetCols) {
    return "The result would reach beyond the sheet";
  }
  return sheets.some(({ name, isProtected }) => isProtected && name === at.sheet)
    ? `The sheet "${at.sheet}" is protected`
    : null;
}

interface Spot extends Pick<CellRef, "row" | "col"> {
  readonly one: Wanted;
  /** The block's name, or its area if it has no name. */
  readonly source: Anchor | Area;
}

async function locate(workbook: Workbook, targets: readonly Wanted[]) {
  const unnamed = targets.filter((one) => anchorOf(one) === null).flatMap((one) => areaOf(one) ?? []);
  const unnamedBlockOf = blockFinder(blocksAround(unnamed, []).map((block) => ({ block })));
  const spots = targets.flatMap((one): readonly Spot[] => {
    const [anchor, area] = [anchorOf(one), areaOf(one)];
    if (anchor !== null) return [{ one, source: anchor, ...one.place.offset }];
    const block = area === null ? undefined : unnamedBlockOf(area)?.block;
    if (area === null || block === undefined) return [];
    return [{ one, source: block, row: area.row - block.row, col: area.col - block.col }];
  });
  const sources = new Map(spots.map(({ source }) => [JSON.stringify(source), source]));
  const read = await workbook.anchoredCells([...sources.values()]);
  const blocks = new Map(
    [...sources].flatMap(([key, source], index): [string, Block][] => {
      const cells = read[index] ?? null;
      return cells === null ? [] : [[key, { anchor: "name" in source ? source : null, ...cells }]];
    }),
  );
  const placed = spots.flatMap(({ one, source, row, col }): readonly Target[] => {
    const block = blocks.get(JSON.stringify(source));
    if (block === undefined) return [];
    const { line, place, isReplaced = false } = one;
    const { rows, cols } = line.entry;
    const area = {
      sheet: block.block.sheet,
      row: block.block.row + row,
      col: block.block.col + col,
      rows,
      cols,
    };
    return [{ line, place, block, area, isReplaced }];
  });
  const found = new Set(placed.map(({ place }) => place));
  return { placed, gone: targets.filter(({ place }) => !found.has(place)) };
}

/** Returns null for a cell that INV finds by its address or, in ledgers of earlier builds, by a name of its own. */
function anchorOf({ line, place }: Wanted): Anchor | null {
  return line.entry.block === "" ? null : place.anchor;
}

/** Refuses targets that INV found by their address if another column is there now. */
async function refuseOtherColumns(
  workbook: Workbook,
  judged: readonly JudgedTarget[],
  around: Surroundings,
): Promise<readonly JudgedTarget[]> {
  const nameless = judged.filter(
    ({ target: { line, place }, verdict }) =>
      place.anchor === null && line.entry.head !== "" && verdict.kind === "fits",
  );
  if (nameless.length === 0) return judged;
  const areas = nameless.map(({ target }) => target.area);
  const heads = await headsOf(workbook, areas, around);
  const others = new Set(nameless.filter(({ target }, index) => target.line.entry.head !== heads[index]));
  const reason = "Another column is at the cell's address now";
  return judged.map((one) => (others.has(one) ? { ...one, verdict: { kind: "refused", reason } } : one));
}
