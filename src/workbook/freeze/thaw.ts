/**
 * Thawing: formulas go back from the ledger into their cells, only where the value and all that the formula refers
 * to are still what they were; everything else is listed and left. An entry goes only after its formula
 * was read back equal, and one whose cell holds a formula again (an undo) just goes. A file's ledger may be
 * anybody's: nothing but formulas of INV goes back, and only within a sheet's bounds.
 */
import { cellKey } from "../addresses";
import { isDigestOf } from "../ledger/digest";
import type { LedgerEntry } from "../ledger/entry";
import type { Ledger, LedgerContent, LedgerLine } from "../ledger/ledger";
import { invMatcher } from "../inv-names";
import type { Area, CellContent, CellRef, SheetInfo, Workbook } from "../port";
import { mostCols, mostRows } from "../references";
import { blankOf, frozenAreas, type FreezeReport, isFormula, keysOf, type LeftAlone } from "./freeze";
import { readAreas, writeAreas } from "./blocks";
import { movedFormulas } from "./moved-formula";
import { restoreFilled } from "./restore-filled";
import { referencesOf, subjectsOf } from "./subjects";
import { withdrawFormats } from "./value-formats";

export interface ThawTools {
  readonly workbook: Workbook;
  readonly ledger: Ledger;
}

interface Target {
  readonly line: LedgerLine;
  /** Where the entry's area is now. */
  readonly area: Area;
}

/** With the formula that goes back: it may have moved with its cell. */
interface Match extends Target {
  readonly formula: string;
}

/** Excel takes no longer formula (documented). */
const longestFormula = 8_192;

/** @param isWanted of the areas as they are now */
export async function thawCells(
  { workbook, ledger }: ThawTools,
  content: LedgerContent,
  isWanted: (area: Area) => boolean,
): Promise<FreezeReport> {
  return workbook.step(async () => {
    const isInv = await invMatcher(workbook);
    const { targets, left } = place(content.lines, { sheets: await workbook.sheets(), isInv });
    const wanted = targets.filter(({ area }) => isWanted(area));
    const again = await firstCells(workbook, wanted);
    const isThere = ({ area }: Target) => isFormula(again.get(cellKey(area))?.[0]?.[0]);
    const standing = wanted.filter(isThere);
    const frozen = wanted.filter((target) => !isThere(target));
    const { same, changed, values } = await compare(workbook, { targets: frozen, content });
    if (same.length > 0) {
      await ledger.setState("thawing");
      await putBack(workbook, same);
    }
    const found = await firstCells(workbook, same);
    const done = same.filter(
      ({ area, formula }) => spelling(found.get(cellKey(area))?.[0]?.[0]) === spelling(formula),
    );
    await restoreFilled(
      workbook,
      changed.flatMap(({ targets: those }) =>
        those.map(({ area }) => ({
          area: { ...area, rows: 1, cols: 1 },
          content: values.get(cellKey(area))?.[0]?.[0] ?? null,
        })),
      ),
    );
    await withdrawFormats(
      workbook,
      [...standing, ...done].map(({ area, line }) => ({ area, numberFormat: line.entry.numberFormat })),
    );
    await ledger.drop([...standing, ...done].map(({ line }) => line));
    if (content.state !== "none" || same.length > 0) await ledger.setState("none");
    const kept = same.filter((target) => !done.includes(target));
    return {
      cells: done.length,
      left: [
        ...left,
        ...changed.map(({ reason, targets: those }) => ({ reason, cells: those.map(({ area }) => area) })),
        ...(kept.length === 0
          ? []
          : [{ reason: "The workbook did not take the formula", cells: kept.map(({ area }) => area) }]),
      ],
    };
  });
}

interface Facts {
  readonly sheets: readonly SheetInfo[];
  isInv(formula: string): boolean;
}

function place(lines: readonly LedgerLine[], facts: Facts) {
  const targets = new Map<string, Target>();
  const left = createReasons<CellRef>();
  for (const line of lines) {
    const { at, entry } = line;
    const reason = refusalOf(line, facts);
    if (reason !== null || at === null) {
      left.add(reason ?? "", at ?? entry.ref);
      continue;
    }
    const target = { line, area: { ...at, rows: entry.rows, cols: entry.cols } };
    const before = targets.get(cellKey(at));
    const [later, earlier] =
      before === undefined || before.line.entry.writtenAt <= entry.writtenAt
        ? [target, before]
        : [before, target];
    targets.set(cellKey(at), later);
    if (earlier !== undefined) left.add("Another formula was frozen in the cell since", at);
  }
  const reasons = left.list().map(([reason, cells]): LeftAlone => ({ reason, cells }));
  return { targets: [...targets.values()], left: reasons };
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
  if (at.row + entry.rows > mostRows || at.col + entry.cols > mostCols) {
    return "It would reach beyond the sheet";
  }
  return sheets.some(({ name, isProtected }) => isProtected && name === at.sheet)
    ? `The sheet "${at.sheet}" is protected`
    : null;
}

async function firstCells(workbook: Workbook, targets: readonly Target[]) {
  return readAreas(
    workbook,
    targets.map(({ area }) => ({ ...area, rows: 1, cols: 1 })),
    "formulas",
  );
}

async function compare(
  workbook: Workbook,
  { targets, content }: { readonly targets: readonly Target[]; readonly content: LedgerContent },
) {
  const values = await readAreas(
    workbook,
    targets.map(({ area }) => area),
    "contents",
  );
  const formats = await readAreas(
    workbook,
    targets.map(({ area }) => ({ ...area, rows: 1, cols: 1 })),
    "numberFormats",
  );
  const formulas = await formulasFor(workbook, { targets, content });
  const same: Match[] = [];
  const changed = createReasons<Target>();
  for (const [index, target] of targets.entries()) {
    const { area, line } = target;
    const matching = formulas[index] ?? [];
    const [formula, another] = matching;
    if (!isDigestOf(line.entry.digest, values.get(cellKey(area)) ?? [])) {
      changed.add("The value was changed after freezing", target);
    } else if (formula === undefined) changed.add("What the formula refers to is another now", target);
    else if (another !== undefined) {
      changed.add("It cannot be told which cells the formula referred to", target);
    } else if (formats.get(cellKey(area))?.[0]?.[0] === "@") {
      changed.add("The cell is formatted as text", target);
    } else same.push({ ...target, formula });
  }
  return { same, values, changed: changed.list().map(([reason, those]) => ({ reason, targets: those })) };
}

/** For each target the ways its formula may read now that refer to what it referred to. */
async function formulasFor(
  workbook: Workbook,
  { targets, content }: { readonly targets: readonly Target[]; readonly content: LedgerContent },
): Promise<readonly (readonly string[])[]> {
  const ways = targets.flatMap(({ line, area }, index) =>
    // By its address alone the cell has not been seen to move.
    (line.isAnchored ? movedFormulas(line.entry.formula, line.entry.ref, area) : [line.entry.formula]).map(
      (formula) => ({ index, entry: line.entry, cell: { ...area, formula } }),
    ),
  );
  const cells = ways.map(({ cell }) => cell);
  const found = await referencesOf(workbook, cells, keysOf(frozenAreas(content)));
  const hasFirst = ways.some(({ entry }) => entry.refersTo === "");
  const subjects = hasFirst ? await subjectsOf(workbook, cells) : [];
  const matching: string[][] = targets.map(() => []);
  for (const [way, { index, entry, cell }] of ways.entries()) {
    const { refersTo } = entry;
    const isSame = refersTo === "" ? isSubject(entry, subjects[way]) : refersTo === found[way];
    if (isSame) matching[index]?.push(cell.formula);
  }
  return matching;
}

/** Entries of the ledger's first version know store and item alone. */
function isSubject(entry: LedgerEntry, subject: { store: string; item: string } | undefined): boolean {
  return subject !== undefined && subject.store === entry.store && subject.item === entry.item;
}

/** With one write for each area: what a formula spilled over is cleared with it, or it could not spill again. */
async function putBack(workbook: Workbook, targets: readonly Match[]): Promise<void> {
  const changes = targets.map(({ area, formula }) => {
    const blank = blankOf(area);
    const [first = [], ...others] = blank;
    return { area, cells: [[formula, ...first.slice(1)], ...others] };
  });
  await writeAreas(changes, (area, cells) => workbook.write(area, cells));
}

/** Hosts may spell a formula in other letter case, and spaces outside of text are nobody's meaning. */
function spelling(content: CellContent | undefined): string {
  if (typeof content !== "string") return "";
  return content
    .split(/("(?:[^"]|"")*")/)
    .map((part, index) => (index % 2 === 0 ? part.replaceAll(/\s/g, "").toUpperCase() : part))
    .join("");
}

function createReasons<T>() {
  const lists = new Map<string, T[]>();
  return {
    add(reason: string, one: T): void {
      const list = lists.get(reason);
      if (list === undefined) lists.set(reason, [one]);
      else list.push(one);
    },
    list: () => [...lists],
  };
}
