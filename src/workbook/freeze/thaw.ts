/**
 * Thawing: formulas go back from the ledger into their cells, only where the sheet, the value, the store
 * and the item are still what they were; everything else is listed and left. An entry goes only after
 * its formula was read back equal, and one whose cell holds a formula again (an undo) just goes.
 */
import { cellKey } from "../addresses";
import { digest } from "../ledger/digest";
import type { LedgerEntry } from "../ledger/entry";
import type { Ledger, LedgerContent, LedgerLine } from "../ledger/ledger";
import type { Area, CellValue, SheetInfo, Workbook } from "../port";
import { blankOf, type FreezeReport, isFormula, type LeftAlone } from "./freeze";
import { readAreas, writeAreas } from "./blocks";
import { subjectsOf } from "./subjects";

export interface ThawTools {
  readonly workbook: Workbook;
  readonly ledger: Ledger;
}

interface Target {
  readonly line: LedgerLine;
  /** Where the entry's area is now: its sheet may have been renamed. */
  readonly area: Area;
}

/** @param isWanted of the areas as they are now */
export async function thawCells(
  { workbook, ledger }: ThawTools,
  content: LedgerContent,
  isWanted: (area: Area) => boolean,
): Promise<FreezeReport> {
  return workbook.step(async () => {
    const { targets, left } = place(content.lines, await workbook.sheets());
    const wanted = targets.filter(({ area }) => isWanted(area));
    const again = await firstCells(workbook, wanted);
    const isThere = ({ area }: Target) => isFormula(again.get(cellKey(area))?.[0]?.[0]);
    const standing = wanted.filter(isThere);
    const frozen = wanted.filter((target) => !isThere(target));
    const { same, changed } = await compare(workbook, frozen);
    if (same.length > 0) {
      await ledger.setState("thawing");
      await putBack(workbook, same);
    }
    const found = await firstCells(workbook, same);
    const done = same.filter(
      ({ area, line }) => spelling(found.get(cellKey(area))?.[0]?.[0]) === spelling(line.entry.formula),
    );
    await ledger.drop([...standing, ...done].map(({ line }) => line));
    if (content.state !== "none" || same.length > 0) await ledger.setState("none");
    const kept = same.filter((target) => !done.includes(target));
    return {
      cells: done.length,
      left: [
        ...left,
        ...changed,
        ...(kept.length === 0
          ? []
          : [{ reason: "The workbook did not take the formula", cells: kept.map(({ area }) => area) }]),
      ],
    };
  });
}

/** By the sheet's id; in a copy of the file, where ids are new, by its name. */
function place(lines: readonly LedgerLine[], sheets: readonly SheetInfo[]) {
  const byId = new Map(sheets.map((sheet) => [sheet.id, sheet]));
  const byName = new Map(sheets.map((sheet) => [sheet.name, sheet]));
  const targets: Target[] = [];
  const reasons = new Map<string, LedgerLine[]>();
  for (const line of lines) {
    const { ref, sheetId, rows, cols } = line.entry;
    const sheet = byId.get(sheetId) ?? byName.get(ref.sheet);
    const reason =
      sheet === undefined
        ? `The sheet "${ref.sheet}" is no longer there`
        : sheet.isProtected
          ? `The sheet "${sheet.name}" is protected`
          : null;
    if (sheet !== undefined && reason === null) {
      targets.push({ line, area: { ...ref, sheet: sheet.name, rows, cols } });
    } else if (reason !== null) addTo(reasons, reason, line);
  }
  const left = [...reasons].map(([reason, found]): LeftAlone => {
    return { reason, cells: found.map(({ entry }) => entry.ref) };
  });
  return { targets, left };
}

function addTo<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

async function firstCells(workbook: Workbook, targets: readonly Target[]) {
  return readAreas(
    workbook,
    targets.map(({ area }) => ({ ...area, rows: 1, cols: 1 })),
    "formulas",
  );
}

async function compare(workbook: Workbook, targets: readonly Target[]) {
  const values = await readAreas(
    workbook,
    targets.map(({ area }) => area),
    "values",
  );
  const subjects = await subjectsOf(
    workbook,
    targets.map(({ area, line }) => ({ ...area, formula: line.entry.formula })),
  );
  const same: Target[] = [];
  const [otherValue, otherSubject]: [Target[], Target[]] = [[], []];
  for (const [index, target] of targets.entries()) {
    const { entry } = target.line;
    const found = digest(values.get(cellKey(target.area)) ?? []);
    const subject = subjects[index];
    if (found !== entry.digest) otherValue.push(target);
    else if (!isSubject(entry, subject)) otherSubject.push(target);
    else same.push(target);
  }
  const changed: LeftAlone[] = [];
  const list = (reason: string, found: readonly Target[]): void => {
    if (found.length > 0) changed.push({ reason, cells: found.map(({ area }) => area) });
  };
  list("The value was changed after freezing", otherValue);
  list("Another store or item stands there now", otherSubject);
  return { same, changed };
}

function isSubject(entry: LedgerEntry, subject: { store: string; item: string } | undefined): boolean {
  return subject !== undefined && subject.store === entry.store && subject.item === entry.item;
}

/** With one write for each area: what a formula spilled over is cleared with it, or it could not spill again. */
async function putBack(workbook: Workbook, targets: readonly Target[]): Promise<void> {
  const changes = targets.map(({ area, line }) => {
    const blank = blankOf(area);
    const [first = [], ...others] = blank;
    return { area, cells: [[line.entry.formula, ...first.slice(1)], ...others] };
  });
  await writeAreas(changes, (area, cells) => workbook.write(area, cells));
}

/** Hosts may spell a formula in other letter case, and spaces outside of text are nobody's meaning. */
function spelling(content: CellValue | undefined): string {
  if (typeof content !== "string") return "";
  return content
    .split(/("(?:[^"]|"")*")/)
    .map((part, index) => (index % 2 === 0 ? part.replaceAll(/\s/g, "").toUpperCase() : part))
    .join("");
}
