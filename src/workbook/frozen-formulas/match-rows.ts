/**
 * Rows of blocks that were resized or sorted, or into which somebody typed, found again by the cells that their formulas
 * refer to and by their values. Where formulas that read differently fit one cell, none goes back there.
 */
import { cellKey } from "../addresses";
import type { CellRef, HeldCell, Workbook } from "../port";
import type { Block } from "./anchors";
import { digest } from "./digest";
import { anotherNow, type Judged, replaced, valueChanged, type Verdict } from "./match-cells";
import { spelling } from "./moved-formula";
import { blockFrom } from "./positions";
import type { Surroundings } from "./referred-cells";
import { add, type Place, rowsByReference } from "./rows-by-reference";

/** More rows than this would take seconds; their lines stay as they were judged in place. */
const mostRows = 200_000;

/** Lines of one column of a block whose formulas read alike, each in its row. */
type Alike = readonly [Judged, ...Judged[]];

interface Fit {
  readonly at: CellRef;
  readonly block: Block;
  readonly verdict: Verdict;
}

/** What was found out about the lines. */
interface Findings {
  readonly fits: Map<Judged, Fit[]>;
  /** Lines whose row is there, with another value. */
  readonly changed: Set<Judged>;
  /** By the cell, the kinds of formula that fit its value. */
  readonly kinds: Map<string, Set<Alike>>;
}

export async function matchRows(
  workbook: Workbook,
  judged: readonly Judged[],
  around: Surroundings,
): Promise<readonly Judged[]> {
  const kinds = disturbedKinds(judged);
  const searches = kinds.flatMap((alike) =>
    blocksOf(alike).map((block) => ({ alike, block, ...searchIn(block, alike) })),
  );
  const rows = searches.reduce((sum, { column }) => sum + column.rows, 0);
  if (rows > mostRows) return judged;
  const findings: Findings = { fits: new Map(), changed: new Set(), kinds: new Map() };
  const places = await rowsByReference(workbook, searches, around);
  for (const alike of kinds) addFitsInPlace(alike, findings);
  for (const [index, { alike, block }] of searches.entries()) {
    for (const one of alike) {
      const found = places[index]?.get(one.target.line.entry.refersTo) ?? [];
      for (const place of found) addFit(one, { alike, block, place }, findings);
    }
  }
  const verdicts = assign(kinds.flat(), findings);
  return judged.map((one) => verdicts.get(one) ?? one);
}

/** By column and spelling, the single cells of columns in which not every formula was found in its place. */
function disturbedKinds(judged: readonly Judged[]): readonly Alike[] {
  const columns = new Map<string, Judged[]>();
  for (const one of judged) add(columns, `${one.target.area.col} ${one.target.area.sheet}`, one);
  return [...columns.values()].filter(isDisturbed).flatMap((lines) => {
    const kinds = new Map<string, [Judged, ...Judged[]]>();
    for (const one of lines.filter(isSingle)) {
      const key = spelling(one.target.line.entry.r1c1);
      const kind = kinds.get(key);
      if (kind === undefined) kinds.set(key, [one]);
      else kind.push(one);
    }
    return [...kinds.values()];
  });
}

/** A sort may have brought a row into another block of its column. */
function blocksOf(alike: Alike): readonly Block[] {
  return [...new Set(alike.map(({ target }) => target.block))];
}

function searchIn({ block }: Block, [{ target }]: Alike) {
  const { ref: from, formula } = target.line.entry;
  return { column: { ...block, col: target.area.col, cols: 1 }, from, formula };
}

function isDisturbed(lines: readonly Judged[]): boolean {
  return lines.some((one) => isResized(one) || (isSingle(one) && one.verdict.kind === "refused"));
}

function isResized({ target: { block, line } }: Judged): boolean {
  if (line.entry.block === "") return false;
  const { rows, cols } = blockFrom(line.entry.block);
  return rows !== block.block.rows || cols !== block.block.cols;
}

function isSingle({ target: { area } }: Judged): boolean {
  return area.rows * area.cols === 1;
}

/** A formula may have moved in more ways than those that are tried in other rows. */
function addFitsInPlace(alike: Alike, findings: Findings): void {
  for (const one of alike) {
    if (one.verdict.kind === "refused") continue;
    add(findings.fits, one, { at: one.target.area, block: one.target.block, verdict: one.verdict });
    if (one.verdict.kind === "fits") addKind(alike, one.target.area, findings);
  }
}

function addFit(
  one: Judged,
  { alike, block, place }: { readonly alike: Alike; readonly block: Block; readonly place: Place },
  findings: Findings,
): void {
  const { at, formula } = place;
  const held = heldAt(block, at);
  if (held === undefined) return;
  if (held.formula !== null) {
    const isAlike = spelling(held.formula) === spelling(formula);
    if (isAlike) add(findings.fits, one, { at, block, verdict: { kind: "standing" } });
  } else if (digest([[held.content]]) !== one.target.line.entry.digest) {
    findings.changed.add(one);
  } else if (held.numberFormat !== "@" && !isReplacedAt(one, at)) {
    add(findings.fits, one, { at, block, verdict: { kind: "fits", way: place } });
    addKind(alike, at, findings);
  }
}

function heldAt({ block, cells }: Block, at: CellRef): HeldCell | undefined {
  return cells[at.row - block.row]?.[at.col - block.col];
}

function isReplacedAt({ target: { isReplaced, area } }: Judged, cell: CellRef): boolean {
  return isReplaced && cellKey(area) === cellKey(cell);
}

function addKind(alike: Alike, at: CellRef, { kinds }: Findings): void {
  const own = kinds.get(cellKey(at)) ?? new Set<Alike>();
  kinds.set(cellKey(at), own.add(alike));
}

/** Each line to a cell that it fits, first those that are in their place. */
function assign(lines: readonly Judged[], findings: Findings): ReadonlyMap<Judged, Judged> {
  const { fits, kinds } = findings;
  const taken = new Set<string>();
  const verdicts = new Map<Judged, Judged>();
  const isFree = ({ at }: Fit): boolean =>
    !taken.has(cellKey(at)) && (kinds.get(cellKey(at))?.size ?? 0) <= 1;
  const give = (one: Judged, fit: Fit | undefined): void => {
    if (fit === undefined) return;
    taken.add(cellKey(fit.at));
    const { sheet, row, col } = fit.at;
    const target = { ...one.target, block: fit.block, area: { sheet, row, col, rows: 1, cols: 1 } };
    verdicts.set(one, { target, verdict: fit.verdict });
  };
  for (const one of lines) {
    const { area } = one.target;
    give(
      one,
      fits.get(one)?.find((fit) => cellKey(fit.at) === cellKey(area) && isFree(fit)),
    );
  }
  for (const one of lines) {
    if (verdicts.has(one)) continue;
    // Another row that reads alike has its own formula; this one's has another value.
    const isOwn = ({ verdict }: Fit): boolean => verdict.kind === "fits" || !findings.changed.has(one);
    give(
      one,
      fits.get(one)?.find((fit) => isFree(fit) && isOwn(fit)),
    );
  }
  for (const one of lines) {
    if (verdicts.has(one)) continue;
    verdicts.set(one, { ...one, verdict: { kind: "refused", reason: reasonFor(one, findings) } });
  }
  return verdicts;
}

function reasonFor(one: Judged, { fits, kinds, changed }: Findings): string {
  const isContested = fits.get(one)?.some(({ at }) => (kinds.get(cellKey(at))?.size ?? 0) > 1) === true;
  if (isContested) return "Several frozen formulas fit the cell";
  if (one.target.isReplaced) return replaced;
  if (changed.has(one)) return valueChanged;
  if (isResized(one)) return "Its row was deleted, or what the formula refers to is another now";
  const { verdict, target } = one;
  // The value of another row is there now: that says nothing of this one.
  const isOther = verdict.kind !== "refused" || verdict.reason === valueChanged;
  return isOther ? anotherNow(target.line.entry) : verdict.reason;
}
