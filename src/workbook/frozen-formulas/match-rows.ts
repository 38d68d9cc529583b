/**
 * Finds the rows of frozen formulas in columns that were resized, sorted or edited, by the cells that the formulas refer to and
 * by their values. If different formulas fit one cell, INV restores none of them there.
 */
import { cellKey } from "../addresses";
import type { CellRef, Workbook } from "../port";
import type { Block } from "./anchors";
import { digest } from "./digest";
import { grouped } from "./grouped";
import {
  type JudgedTarget,
  otherReferencesReason,
  replacedReason,
  valueChangedReason,
  type Verdict,
} from "./match-cells";
import { spelling } from "./moved-formula";
import { blockFrom } from "./positions";
import type { Surroundings } from "./reference-reader";
import { type FoundRow, rowsByReference } from "./rows-by-reference";

/** A search of more rows would take seconds; the lines then keep their verdicts from the original places. */
const mostRows = 200_000;

/** Lines of one column whose formulas have the same spelling, each in its own row. */
type AlikeLines = readonly [JudgedTarget, ...JudgedTarget[]];

/** A cell that a line may belong to. */
interface Fit {
  readonly line: JudgedTarget;
  readonly alike: AlikeLines;
  readonly at: CellRef;
  readonly block: Block;
  readonly verdict: Verdict;
}

export async function matchRows(
  workbook: Workbook,
  judged: readonly JudgedTarget[],
  around: Surroundings,
): Promise<readonly JudgedTarget[]> {
  const groups = disturbedGroups(judged);
  const searches = groups.flatMap((alike) =>
    // A sort may have moved a row into another block of the same column.
    [...new Set(alike.map(({ target }) => target.block))].map((block) => {
      const { area, line } = alike[0].target;
      const { ref: from, formula } = line.entry;
      return { alike, block, column: { ...block.block, col: area.col, cols: 1 }, from, formula };
    }),
  );
  if (searches.reduce((sum, { column }) => sum + column.rows, 0) > mostRows) return judged;
  const found = await rowsByReference(workbook, searches, around);
  const fits: Fit[] = groups.flatMap(fitsInPlace);
  const changed = new Set<JudgedTarget>();
  for (const [index, { alike, block }] of searches.entries()) {
    for (const line of alike) {
      for (const row of found[index]?.get(line.target.line.entry.refersTo) ?? []) {
        const verdict = verdictAt(line, block, row);
        if (verdict === "changed") changed.add(line);
        else if (verdict !== null) fits.push({ line, alike, at: row.at, block, verdict });
      }
    }
  }
  const verdicts = assignCells(groups.flat(), fits, changed);
  return judged.map((line) => verdicts.get(line) ?? line);
}

/** Selects the columns in which some formulas were not found in place, and groups their single cells by column and spelling. */
function disturbedGroups(judged: readonly JudgedTarget[]): readonly AlikeLines[] {
  const columns = grouped(judged, ({ target: { area } }) => `${area.col} ${area.sheet}`);
  return [...columns.values()].filter(isDisturbed).flatMap((lines) => {
    const alike = grouped(lines.filter(isSingle), ({ target }) => spelling(target.line.entry.r1c1));
    return [...alike.values()];
  });
}

function isDisturbed(lines: readonly JudgedTarget[]): boolean {
  return lines.some((line) => isResized(line) || (isSingle(line) && line.verdict.kind === "refused"));
}

function isResized({ target: { block, line } }: JudgedTarget): boolean {
  if (line.entry.block === "") return false;
  const { rows, cols } = blockFrom(line.entry.block);
  return rows !== block.block.rows || cols !== block.block.cols;
}

function isSingle({ target: { area } }: JudgedTarget): boolean {
  return area.rows * area.cols === 1;
}

/**
 * Returns the lines that fit in place. In its own place, a formula may have moved in more ways than the search tries in other
 * rows.
 */
function fitsInPlace(alike: AlikeLines): readonly Fit[] {
  return alike.flatMap((line) => {
    const { target, verdict } = line;
    return verdict.kind === "refused" ? [] : { line, alike, at: target.area, block: target.block, verdict };
  });
}

/** Returns null if the line doesn't fit the row, `changed` if only the value differs. */
function verdictAt(
  { target: { line, area, isReplaced } }: JudgedTarget,
  { block, cells }: Block,
  row: FoundRow,
): Verdict | "changed" | null {
  const cell = cells[row.at.row - block.row]?.[row.at.col - block.col];
  if (cell === undefined) return null;
  if (cell.formula !== null) {
    return spelling(cell.formula) === spelling(row.formula) ? { kind: "present" } : null;
  }
  if (digest([[cell.content]]) !== line.entry.digest) return "changed";
  const isReplacedHere = isReplaced && cellKey(area) === cellKey(row.at);
  return cell.numberFormat === "@" || isReplacedHere ? null : { kind: "fits", found: row };
}

/** Assigns each line to a cell that it fits, beginning with the lines that are in place. */
function assignCells(
  lines: readonly JudgedTarget[],
  fits: readonly Fit[],
  changed: ReadonlySet<JudgedTarget>,
): ReadonlyMap<JudgedTarget, JudgedTarget> {
  const byLine = grouped(fits, ({ line }) => line);
  const fitting = fits.filter(({ verdict }) => verdict.kind === "fits");
  const byCell = grouped(fitting, ({ at }) => cellKey(at));
  const contested = new Set(
    [...byCell].flatMap(([key, own]) => (new Set(own.map(({ alike }) => alike)).size > 1 ? key : [])),
  );
  const usedCells = new Set<string>();
  const verdicts = new Map<JudgedTarget, JudgedTarget>();
  const assign = (line: JudgedTarget, isAllowed: (fit: Fit) => boolean): void => {
    const isFree = ({ at }: Fit): boolean => !usedCells.has(cellKey(at)) && !contested.has(cellKey(at));
    const fit = byLine.get(line)?.find((each) => isFree(each) && isAllowed(each));
    if (fit === undefined) return;
    usedCells.add(cellKey(fit.at));
    const { sheet, row, col } = fit.at;
    const target = { ...line.target, block: fit.block, area: { sheet, row, col, rows: 1, cols: 1 } };
    verdicts.set(line, { target, verdict: fit.verdict });
  };
  for (const line of lines) assign(line, ({ at }) => cellKey(at) === cellKey(line.target.area));
  for (const line of lines.filter((each) => !verdicts.has(each))) {
    // A similar row contains its own formula; this line's row contains another value.
    assign(line, ({ verdict }) => verdict.kind === "fits" || !changed.has(line));
  }
  for (const line of lines.filter((each) => !verdicts.has(each))) {
    const isContested = byLine.get(line)?.some(({ at }) => contested.has(cellKey(at))) === true;
    const reason = isContested ? "Several frozen formulas fit the cell" : reasonFor(line, changed);
    verdicts.set(line, { ...line, verdict: { kind: "refused", reason } });
  }
  return verdicts;
}

function reasonFor(line: JudgedTarget, changed: ReadonlySet<JudgedTarget>): string {
  const { verdict, target } = line;
  if (target.isReplaced) return replacedReason;
  if (changed.has(line)) return valueChangedReason;
  if (isResized(line)) return "Its row was deleted, or the cells that the formula refers to have changed";
  // The value there belongs to another row, so it says nothing about this line's value.
  const isOther = verdict.kind !== "refused" || verdict.reason === valueChangedReason;
  return isOther ? otherReferencesReason(target.line.entry) : verdict.reason;
}
