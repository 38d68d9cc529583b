/**
 * What a thaw would do with each line of the ledger, changing nothing: which formulas go back and how they read,
 * which stand in their cells already, and which cannot go back, with the reason. A formula goes back only where
 * the value, what the formula refers to, and what tells its row are still what they were. A file's ledger
 * may be anybody's: nothing but formulas of INV goes back, and only within a sheet's bounds.
 */
import { sheetCols, sheetRows } from "../../formula/columns";
import { cellKey } from "../addresses";
import { digest } from "./digest";
import type { LedgerContent, LedgerLine } from "./ledger";
import { invMatcher } from "../formula-search";
import type { Area, CellRef, SheetInfo, Workbook } from "../port";
import { toR1C1 } from "../references";
import { frozenAreas, isFormula, keysOf } from "./freeze";
import { readAreas } from "./blocks";
import { movedFormulas } from "./moved-formula";
import { headsOf, referencesOf, refersToItsRow } from "./subjects";

export interface ThawTarget {
  readonly line: LedgerLine;
  /** Where the entry's area is now. */
  readonly area: Area;
}

/** With the formula that goes back: it may have moved with its cell. */
export interface Match extends ThawTarget {
  readonly formula: string;
}

export interface Refused {
  readonly line: LedgerLine;
  readonly reason: string;
  /** Null where the cell is not there any more. */
  readonly area: Area | null;
}

export interface ThawPlan {
  readonly same: readonly Match[];
  /** Their cells hold the formula (again). */
  readonly standing: readonly ThawTarget[];
  readonly refused: readonly Refused[];
}

/** Excel takes no longer formula (documented). */
const longestFormula = 8_192;

/** @param isWanted of the areas as they are now; lines without one are always told */
export async function planThaw(
  workbook: Workbook,
  content: LedgerContent,
  isWanted: (area: Area) => boolean,
): Promise<ThawPlan> {
  const isInv = await invMatcher(workbook);
  const { targets, refused } = place(content.lines, { sheets: await workbook.sheets(), isInv });
  const wanted = targets.filter(({ area }) => isWanted(area));
  const cells = await firstCells(workbook, wanted);
  const holds = wanted.map((target) => ({ target, held: cells.get(cellKey(target.area)) }));
  const { standing, others } = await withFormulas(workbook, { holds, content });
  const frozen = holds.filter(({ held }) => !isFormula(held)).map(({ target }) => target);
  const { same, changed } = await compare(workbook, { targets: frozen, content });
  const overwritten = others.map((target) => ({
    ...target,
    reason: "The cell holds another formula now",
  }));
  return { same, standing, refused: [...refused, ...overwritten, ...changed] };
}

/** What the targets' first cells hold. */
export async function firstCells(
  workbook: Workbook,
  targets: readonly ThawTarget[],
): Promise<ReadonlyMap<string, unknown>> {
  const cells = await readAreas(
    workbook,
    targets.map(({ area }) => ({ ...area, rows: 1, cols: 1 })),
    "formulas",
  );
  return new Map([...cells].map(([key, [row]]) => [key, row?.[0]]));
}

/** Hosts may spell a formula in other letter case, and spaces outside of text are nobody's meaning. */
export function spelling(content: unknown): string {
  if (typeof content !== "string") return "";
  return content
    .split(/("(?:[^"]|"")*")/)
    .map((part, index) => (index % 2 === 0 ? part.replaceAll(/\s/g, "").toUpperCase() : part))
    .join("");
}

interface Holds {
  readonly target: ThawTarget;
  readonly held: unknown;
}

/** Those whose cell holds a formula: the very one, or another. */
async function withFormulas(
  workbook: Workbook,
  { holds, content }: { readonly holds: readonly Holds[]; readonly content: LedgerContent },
): Promise<{ readonly standing: readonly ThawTarget[]; readonly others: readonly ThawTarget[] }> {
  const standing: ThawTarget[] = [];
  const others: ThawTarget[] = [];
  const alike = holds.flatMap(({ target, held }) => {
    if (!isFormula(held)) return [];
    if (isItsFormula(target, held)) return [{ target, cell: { ...target.area, formula: held } }];
    others.push(target);
    return [];
  });
  const cells = alike.map(({ cell }) => cell);
  const found = await referencesOf(workbook, cells, keysOf(frozenAreas(content)));
  for (const [index, { target }] of alike.entries()) {
    // Sorting may have brought a like formula of another row there.
    if (target.line.entry.refersTo === found[index]) standing.push(target);
    else others.push(target);
  }
  return { standing, others };
}

/** An undo has put it back, or a freeze was cut off before it: as it was, or moved with its cell. */
function isItsFormula({ line: { entry }, area }: ThawTarget, held: string): boolean {
  return spelling(held) === spelling(entry.formula) || spelling(toR1C1(held, area)) === spelling(entry.r1c1);
}

interface Facts {
  readonly sheets: readonly SheetInfo[];
  isInv(formula: string): boolean;
}

function place(lines: readonly LedgerLine[], facts: Facts) {
  const targets = new Map<string, ThawTarget>();
  const refused: Refused[] = [];
  for (const line of lines) {
    const { at, entry } = line;
    const area = at === null ? null : { ...at, rows: entry.rows, cols: entry.cols };
    const reason = refusalOf(line, facts);
    if (reason !== null || area === null) {
      refused.push({ line, area, reason: reason ?? "" });
      continue;
    }
    const target = { line, area };
    const before = targets.get(cellKey(area));
    const [later, earlier] =
      before === undefined || before.line.entry.writtenAt <= entry.writtenAt
        ? [target, before]
        : [before, target];
    targets.set(cellKey(area), later);
    if (earlier !== undefined) {
      refused.push({ ...earlier, reason: "Another formula was frozen in the cell since" });
    }
  }
  return { targets: [...targets.values()], refused };
}

/** Why it cannot be put back, whatever the cell holds; null when it may be. */
function refusalOf({ at, entry }: LedgerLine, { sheets, isInv }: Facts): string | null {
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

interface ToCompare {
  readonly targets: readonly ThawTarget[];
  readonly content: LedgerContent;
}

async function compare(workbook: Workbook, { targets, content }: ToCompare) {
  const areas = targets.map(({ area }) => area);
  const values = await readAreas(workbook, areas, "contents");
  const formats = await readAreas(
    workbook,
    areas.map((area) => ({ ...area, rows: 1, cols: 1 })),
    "numberFormats",
  );
  const formulas = await formulasFor(workbook, { targets, content });
  const strangers = await inOtherColumns(workbook, { targets, content });
  const same: Match[] = [];
  const changed: Refused[] = [];
  for (const [index, target] of targets.entries()) {
    const { area, line } = target;
    const [formula, another] = formulas[index] ?? [];
    const reason =
      line.entry.digest !== digest(values.get(cellKey(area)) ?? [])
        ? "The value was changed after freezing"
        : formula === undefined
          ? anotherNow(target)
          : another !== undefined
            ? "It cannot be told which cells the formula referred to"
            : formats.get(cellKey(area))?.[0]?.[0] === "@"
              ? "The cell is formatted as text"
              : strangers.has(target)
                ? "It is found by its address alone, where another column stands now"
                : null;
    if (formula === undefined || reason !== null) changed.push({ ...target, reason: reason ?? "" });
    else same.push({ ...target, formula });
  }
  return { same, changed };
}

function anotherNow({ line }: ThawTarget): string {
  return refersToItsRow({ ...line.entry.ref, formula: line.entry.formula })
    ? "What the formula refers to is another now"
    : "What the formula refers to, or what stands beside it, is another now";
}

/** For each target the ways its formula may read now that refer to what it referred to. */
async function formulasFor(
  workbook: Workbook,
  { targets, content }: ToCompare,
): Promise<readonly (readonly string[])[]> {
  const ways = targets.flatMap(({ line, area }, index) =>
    // By its address alone the cell has not been seen to move.
    (line.isAnchored ? movedFormulas(line.entry.formula, line.entry.ref, area) : [line.entry.formula]).map(
      (formula) => ({ index, entry: line.entry, cell: { ...area, formula } }),
    ),
  );
  const cells = ways.map(({ cell }) => cell);
  const found = await referencesOf(workbook, cells, keysOf(frozenAreas(content)));
  const matching: string[][] = targets.map(() => []);
  for (const [way, { index, entry, cell }] of ways.entries()) {
    if (entry.refersTo === found[way]) matching[index]?.push(cell.formula);
  }
  return matching;
}

/** Targets without a name that have another column's head above them now. */
async function inOtherColumns(
  workbook: Workbook,
  { targets, content }: ToCompare,
): Promise<ReadonlySet<ThawTarget>> {
  const nameless = targets.filter(({ line }) => !line.isAnchored && line.entry.head !== "");
  if (nameless.length === 0) return new Set();
  const cells = nameless.map(({ area, line }) => ({ ...area, formula: line.entry.formula }));
  const heads = await headsOf(workbook, cells, keysOf(frozenAreas(content)));
  return new Set(nameless.filter(({ line }, index) => line.entry.head !== heads[index]));
}

export function cellOfLine({
  line,
  area,
}: {
  readonly line: LedgerLine;
  readonly area: Area | null;
}): CellRef {
  return area ?? line.at ?? line.entry.ref;
}
