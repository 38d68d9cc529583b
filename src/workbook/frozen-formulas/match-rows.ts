/**
 * Rows of a block that was resized or sorted, or into which somebody typed, found again by the cells that their formulas
 * refer to and by their values. Where formulas that read differently fit one cell, none goes back there.
 */
import { cellKey } from "../addresses";
import type { CellRef, HeldCell, Workbook } from "../port";
import type { Block } from "./anchors";
import { digest } from "./digest";
import { anotherNow, type Judged, replaced, valueChanged, type Verdict } from "./match-cells";
import { movedFormulas } from "./moved-formula";
import { blockFrom } from "./positions";
import { referencesOf } from "./subjects";
import { isSamePlace, spelling } from "./swap";

/** More questions than this would take seconds; their lines stay as they were judged in place. */
const mostQuestions = 200_000;
/** Two formulas read alike when they do so in this row. */
const commonRow = 500_000;

/** Lines of one column of a block whose formulas read alike, each in its row. */
type Alike = readonly Judged[];

interface Question {
  readonly alike: Alike;
  readonly held: HeldCell;
  readonly cell: CellRef & { readonly formula: string };
}

interface Fit {
  readonly at: CellRef;
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
  isFrozen: (ref: CellRef) => boolean,
): Promise<readonly Judged[]> {
  const kinds = disturbedKinds(judged);
  const questions = kinds.flatMap(questionsAbout);
  if (questions.length === 0 || questions.length > mostQuestions) return judged;
  const found = await referencesOf(
    workbook,
    questions.map(({ cell }) => cell),
    isFrozen,
  );
  const findings: Findings = { fits: new Map(), changed: new Set(), kinds: new Map() };
  for (const alike of kinds) addFitsInPlace(alike, findings);
  const linesBy = new Map(kinds.map((alike) => [alike, bySubject(alike)]));
  for (const [index, question] of questions.entries()) {
    const lines = linesBy.get(question.alike)?.get(found[index] ?? "") ?? [];
    for (const line of lines) addFit(line, question, findings);
  }
  const verdicts = assign(kinds.flat(), findings);
  return judged.map((one) => verdicts.get(one) ?? one);
}

/** By column and spelling, the single cells of blocks in which not every formula was found in its place. */
function disturbedKinds(judged: readonly Judged[]): readonly Alike[] {
  const byBlock = new Map<Block, Judged[]>();
  for (const one of judged) push(byBlock, one.target.block, one);
  return [...byBlock.values()].filter(isDisturbed).flatMap((lines) => {
    const alike = new Map<string, Judged[]>();
    for (const one of lines.filter(isSingle)) {
      const { entry } = one.target.line;
      const common = { ...entry.ref, row: commonRow };
      const read = movedFormulas(entry.formula, entry.ref, common)[1] ?? entry.formula;
      push(alike, `${one.target.area.col} ${spelling(read)}`, one);
    }
    return [...alike.values()];
  });
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

/** Every cell of the column, with the formula as it would read there. */
function questionsAbout(alike: Alike): readonly Question[] {
  const [first] = alike;
  if (first === undefined) return [];
  const { block, area, line } = first.target;
  const { ref, formula } = line.entry;
  return block.cells.flatMap((cells, row): Question[] => {
    const held = cells[area.col - block.block.col];
    const at = { sheet: area.sheet, row: block.block.row + row, col: area.col };
    const read = movedFormulas(formula, ref, at);
    const moved = read[1] ?? read[0] ?? formula;
    if (held === undefined || (held.formula !== null && spelling(held.formula) !== spelling(moved))) {
      return [];
    }
    return [{ alike, held, cell: { ...at, formula: moved } }];
  });
}

function bySubject(alike: Alike): ReadonlyMap<string, readonly Judged[]> {
  const lines = new Map<string, Judged[]>();
  for (const one of alike) push(lines, one.target.line.entry.refersTo, one);
  return lines;
}

/** A formula may have moved in more ways than those that are tried in other rows. */
function addFitsInPlace(alike: Alike, findings: Findings): void {
  for (const one of alike) {
    if (one.verdict.kind === "refused") continue;
    push(findings.fits, one, { at: one.target.area, verdict: one.verdict });
    if (one.verdict.kind === "fits") addKind(alike, one.target.area, findings);
  }
}

function addFit(one: Judged, { alike, held, cell }: Question, findings: Findings): void {
  if (held.formula !== null) {
    push(findings.fits, one, { at: cell, verdict: { kind: "standing" } });
  } else if (digest([[held.content]]) !== one.target.line.entry.digest) {
    findings.changed.add(one);
  } else if (held.numberFormat !== "@" && !isReplacedAt(one, cell)) {
    push(findings.fits, one, { at: cell, verdict: { kind: "fits", formula: cell.formula } });
    addKind(alike, cell, findings);
  }
}

function isReplacedAt({ target: { isReplaced, area } }: Judged, cell: CellRef): boolean {
  return isReplaced && isSamePlace(area, cell);
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
    const target = { ...one.target, area: { sheet, row, col, rows: 1, cols: 1 } };
    verdicts.set(one, { target, verdict: fit.verdict });
  };
  for (const one of lines) {
    const { area } = one.target;
    give(
      one,
      fits.get(one)?.find((fit) => cellKey(fit.at) === cellKey(area) && isFree(fit)),
    );
  }
  for (const one of lines) if (!verdicts.has(one)) give(one, fits.get(one)?.find(isFree));
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

function push<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
