/**
 * What a thaw would do with each line of the ledger, changing nothing: which formulas go back and how they read,
 * which stand in their cells already, and which cannot go back, with the reason. A formula goes back only where
 * the value, what the formula refers to, and what tells its row are still what they were. A file's ledger
 * may be anybody's: nothing but formulas of INV goes back, and only within a sheet's bounds.
 */
import { sheetCols, sheetRows } from "../../formula/columns";
import { cellKey, cellsOf } from "../addresses";
import { invMatcher } from "../formula-search";
import type { Area, CellRef, SheetInfo, Workbook } from "../port";
import { anchorBlocks, blockFinder, blocksAround, type Block } from "./anchors";
import type { LedgerLine } from "./ledger";
import { judgeInPlace, type Judged, type Target } from "./match-cells";
import { matchRows } from "./match-rows";
import type { Place } from "./positions";
import { headsOf } from "./subjects";

/** With the formula that goes back: it may have moved with its cell. */
export interface Match extends Target {
  readonly formula: string;
}

export interface Refused {
  readonly line: LedgerLine;
  readonly place: Place;
  readonly reason: string;
}

export interface ThawPlan {
  readonly same: readonly Match[];
  readonly refused: readonly Refused[];
  /** Lines whose formula is in every cell that needs it: the original's and the copies'. */
  readonly standing: readonly LedgerLine[];
  isFrozen(ref: CellRef): boolean;
}

export interface ThawScope {
  /** Of the areas as they are now; lines without one are always listed. */
  isWanted(area: Area): boolean;
  /** For blocks of cells that have no name, or a name for each. */
  newName(): string;
}

/** Excel takes no longer formula (documented). */
const longestFormula = 8_192;

interface Wanted {
  readonly line: LedgerLine;
  readonly place: Place;
  readonly isReplaced?: boolean;
}

export async function planThaw(
  workbook: Workbook,
  lines: readonly LedgerLine[],
  { isWanted, newName }: ThawScope,
): Promise<ThawPlan> {
  const isTold = (one: Wanted): boolean => {
    const area = areaOf(one);
    return area === null || isWanted(area);
  };
  const all = lines.map((line) => line.places.map((place): Wanted => ({ line, place })));
  const frozen = keysOf(all.flat().flatMap((one) => areaOf(one) ?? []));
  const isFrozen = (ref: CellRef): boolean => frozen.has(cellKey(ref));
  // A line goes only when all its places are done, so that each is looked at.
  const wanted = all.filter((places) => places.some(isTold)).flat();
  const facts = { sheets: await workbook.sheets(), isInv: await invMatcher(workbook) };
  const { targets, refused, superseded } = sift(wanted, { ...facts, owners: ownersOf(all.flat()) });
  const { placed, gone } = await locate(workbook, targets, newName);
  const inPlace = await judgeInPlace(workbook, placed, isFrozen);
  const judged = await withoutStrangers(workbook, await matchRows(workbook, inPlace, isFrozen), isFrozen);
  const same: Match[] = [];
  const done = new Set(superseded.map(({ place }) => place));
  for (const { target, verdict } of judged) {
    if (verdict.kind === "standing") done.add(target.place);
    else if (verdict.kind === "fits") same.push({ ...target, formula: verdict.formula });
    else refused.push({ ...target, reason: verdict.reason });
  }
  refused.push(...gone.map((one) => ({ ...one, reason: "The cell was deleted" })));
  return {
    same: same.filter(isTold),
    refused: refused.filter(isTold),
    standing: lines.filter(({ places }) => places.every((place) => done.has(place))),
    isFrozen,
  };
}

export function keysOf(areas: readonly Area[]): ReadonlySet<string> {
  return new Set(areas.flatMap((area) => cellsOf(area).map(cellKey)));
}

export function areaOf({ line: { entry }, place: { at } }: Wanted): Area | null {
  return at === null ? null : { ...at, rows: entry.rows, cols: entry.cols };
}

/** The line that was written last for each cell. */
function ownersOf(all: readonly Wanted[]): ReadonlyMap<string, LedgerLine> {
  const owners = new Map<string, LedgerLine>();
  for (const { line, place } of all) {
    if (place.at === null) continue;
    const before = owners.get(cellKey(place.at));
    if (before === undefined || before.entry.writtenAt <= line.entry.writtenAt) {
      owners.set(cellKey(place.at), line);
    }
  }
  return owners;
}

interface Facts {
  readonly sheets: readonly SheetInfo[];
  readonly owners: ReadonlyMap<string, LedgerLine>;
  isInv(formula: string): boolean;
}

/** Parts those that cannot be put back whatever their cells hold, and those that a later line says again. */
function sift(wanted: readonly Wanted[], facts: Facts) {
  const targets: Wanted[] = [];
  const refused: Refused[] = [];
  const superseded: Wanted[] = [];
  for (const one of wanted) {
    const { entry } = one.line;
    const later = one.place.at === null ? undefined : facts.owners.get(cellKey(one.place.at));
    const reason = refusalOf(one, facts);
    if (reason !== null) refused.push({ ...one, reason });
    else if (later === undefined || later === one.line) targets.push(one);
    else if (later.entry.formula === entry.formula && later.entry.refersTo === entry.refersTo) {
      superseded.push(one);
    } else targets.push({ ...one, isReplaced: true });
  }
  return { targets, refused, superseded };
}

function refusalOf({ line: { entry }, place: { at } }: Wanted, { sheets, isInv }: Facts): string | null {
  if (!isInv(entry.formula) || entry.formula.length > longestFormula) {
    return "The ledger holds no formula of INV for it";
  }
  if (at === null) {
    const isThere = sheets.some(({ id, name }) => id === entry.sheetId || name === entry.ref.sheet);
    return isThere ? "The cell was deleted" : `The sheet "${entry.ref.sheet}" is no longer there`;
  }
  if (at.row + entry.rows > sheetRows || at.col + entry.cols > sheetCols) {
    return "It would reach beyond the sheet";
  }
  return sheets.some(({ name, isProtected }) => isProtected && name === at.sheet)
    ? `The sheet "${at.sheet}" is protected`
    : null;
}

/** Reads the blocks that the targets are in; those that have none get one. */
async function locate(workbook: Workbook, targets: readonly Wanted[], newName: () => string) {
  const isNamed = ({ line, place }: Wanted): boolean => line.entry.block !== "" && place.anchor !== null;
  const named = targets.filter(isNamed);
  const anchors = new Map(
    named.flatMap(({ place: { anchor } }) =>
      anchor === null ? [] : [[`${anchor.name}\n${anchor.sheet ?? ""}`, anchor] as const],
    ),
  );
  const cells = anchors.size === 0 ? [] : await workbook.anchoredCells([...anchors.values()]);
  const blocks = new Map(
    [...anchors].flatMap(([key, anchor], index): [string, Block][] => {
      const held = cells[index] ?? null;
      return held === null ? [] : [[key, { anchor, ...held }]];
    }),
  );
  const placed: Target[] = [];
  const gone: Wanted[] = [];
  for (const one of named) {
    const { anchor, offset } = one.place;
    const block = blocks.get(`${anchor?.name ?? ""}\n${anchor?.sheet ?? ""}`);
    if (block === undefined) gone.push(one);
    else {
      placed.push(
        targetIn(block, one, { row: block.block.row + offset.row, col: block.block.col + offset.col }),
      );
    }
  }
  const loose = targets.filter((one) => !isNamed(one));
  const areas = loose.flatMap((one) => areaOf(one) ?? []);
  const found = areas.length === 0 ? [] : await anchorBlocks(workbook, blocksAround(areas, []), newName);
  const blockOf = blockFinder(found);
  for (const [index, one] of loose.entries()) {
    const area = areas[index];
    const block = area === undefined ? undefined : blockOf(area);
    if (area === undefined || block === undefined) gone.push(one);
    else placed.push(targetIn(block, one, area));
  }
  return { placed, gone };
}

function targetIn(
  block: Block,
  { line, place, isReplaced = false }: Wanted,
  { row, col }: Omit<CellRef, "sheet">,
): Target {
  const { rows, cols } = line.entry;
  return { line, place, block, area: { sheet: block.block.sheet, row, col, rows, cols }, isReplaced };
}

/** Refuses targets without a name that have another column's head above them now. */
async function withoutStrangers(
  workbook: Workbook,
  judged: readonly Judged[],
  isFrozen: (ref: CellRef) => boolean,
): Promise<readonly Judged[]> {
  const nameless = judged.filter(
    ({ target: { line, place }, verdict }) =>
      place.anchor === null && line.entry.head !== "" && verdict.kind === "fits",
  );
  if (nameless.length === 0) return judged;
  const cells = nameless.map(({ target: { area, line } }) => ({ ...area, formula: line.entry.formula }));
  const heads = await headsOf(workbook, cells, isFrozen);
  const strangers = new Set(nameless.filter(({ target }, index) => target.line.entry.head !== heads[index]));
  const reason = "It is found by its address alone, where another column stands now";
  return judged.map((one) => (strangers.has(one) ? { ...one, verdict: { kind: "refused", reason } } : one));
}
