/**
 * Saved lists: stores or items under a name of the workbook, over a column of a visible sheet, so that formulas,
 * templates and colleagues use them. A list is known by what its name stands for; nothing else is kept.
 * Invariant: a cell that holds something is never written over, whoever made the sheet.
 */
import { findColumns } from "../../domain/validator/find-columns";
import { InvError, isInvError } from "../../domain/errors";
import { cleanText } from "../../domain/clean-text";
import type { Area, CellRef, CellValue, Workbook } from "../port";
import { styles } from "../templates/styles";
import { lastListRow, listFormula, type ListPlace, listPlace } from "./list-formula";
import { type ListKind, refusedName } from "./list-name";

export const listsSheet = "INV lists";
/** One of its rows is the heading. */
export const mostEntries = lastListRow - 1;
/** Rows below a list that take text as it is typed. */
const roomToGrow = 500;
const widthPx = 150;

export interface SavedList {
  readonly name: string;
  readonly heading: CellRef;
  /** Null for a list that holds neither. */
  readonly kind: ListKind | null;
  /** From below the heading to the last cell filled; blanks are null. */
  readonly values: readonly CellValue[];
}

export interface NewList {
  readonly name: string;
  readonly kind: ListKind;
  readonly entries: readonly (number | string)[];
}

/** In the order of their columns. */
export async function readLists(workbook: Workbook): Promise<readonly SavedList[]> {
  const sheets = new Set((await workbook.sheets()).map(({ name }) => name));
  const lists: SavedList[] = [];
  for (const { name, formula } of await workbook.names()) {
    const place = listPlace(formula);
    if (place === null || !sheets.has(place.heading.sheet)) continue;
    const { heading } = place;
    const values = await valuesBelow(workbook, place);
    const filled = values.filter((value) => value !== null);
    const found = findColumns(filled.map((value) => [value]));
    const kind = found.store !== null ? "stores" : found.item !== null ? "items" : null;
    lists.push({ name, heading, kind, values });
  }
  return lists.sort((a, b) => a.heading.col - b.heading.col);
}

/** Names that stand for something in this workbook; a list whose sheet is gone stands for nothing. */
export async function takenNames(workbook: Workbook): Promise<readonly string[]> {
  const orphans = new Set(await orphanedLists(workbook));
  const names = (await workbook.names()).filter(({ name }) => !orphans.has(name));
  return [names, await workbook.tables(), await workbook.sheets()].flat().map(({ name }) => name);
}

/** Names of lists that have lost their sheet: the browser workbook's undo takes the sheet away and leaves the name. */
async function orphanedLists(workbook: Workbook): Promise<readonly string[]> {
  const sheets = new Set((await workbook.sheets()).map(({ name }) => name));
  return (await workbook.names())
    .filter(
      ({ formula }) => !sheets.has(listPlace(formula)?.heading.sheet ?? "") && listPlace(formula) !== null,
    )
    .map(({ name }) => name);
}

/** Writes the list into a column of its own and gives it its name. Rejects with nothing written. */
export async function saveList(workbook: Workbook, list: NewList): Promise<SavedList> {
  const { name, kind, entries } = list;
  const refused = refusedName(name, { kind, taken: await takenNames(workbook) });
  if (refused !== null) throw new InvError("bad-argument", refused.reason);
  if (entries.length === 0 || entries.length > mostEntries) {
    throw new InvError("bad-argument", `Expected 1 to ${mostEntries} ${kind}; these are ${entries.length}.`);
  }
  await workbook.deleteNames(await orphanedLists(workbook));
  const lists = await readLists(workbook);
  return workbook.step(async () => {
    const { sheet, isNew } = await sheetFor(workbook, lists);
    const used = await workbook.usedArea(sheet);
    const row = lists.find(({ heading }) => heading.sheet === sheet)?.heading.row ?? 0;
    const heading = { sheet, row, col: used?.cols ?? 0 };
    const area = { ...heading, rows: entries.length + 1, cols: 1 };
    try {
      await dress(workbook, area, kind);
      await workbook.writeText({ ...area, rows: 1 }, [[name]]);
      const cells = entries.map((entry) => [entry]);
      await workbook.writeText({ ...area, row: row + 1, rows: cells.length }, cells);
      await workbook.addName(name, listFormula(heading)).catch((error: unknown) => {
        throw notTaken(name, error);
      });
    } catch (error) {
      const back = isNew ? workbook.deleteSheet(sheet) : workbook.write(area, blanks(area.rows));
      // What went wrong is told; that it could not be taken back either would hide it.
      await back.catch(() => undefined);
      throw error;
    }
    return { name, heading, kind, values: entries };
  });
}

/** The sheet that holds lists already, an empty one of that name, or a new one beside a sheet of somebody else's. */
async function sheetFor(
  workbook: Workbook,
  lists: readonly SavedList[],
): Promise<{ readonly sheet: string; readonly isNew: boolean }> {
  const sheets = await workbook.sheets();
  const own = sheets.find(({ name }) => lists.some(({ heading }) => heading.sheet === name));
  const named = own ?? sheets.find(({ name }) => name === listsSheet);
  const isFree = named !== undefined && (named === own || (await workbook.usedArea(named.name)) === null);
  if (named === undefined || !isFree) {
    return { sheet: await workbook.addSheet(listsSheet, { frozenRows: 1 }), isNew: true };
  }
  if (named.isProtected) {
    throw new InvError(
      "bad-argument",
      `The sheet "${named.name}" is protected: unprotect it, then save the list.`,
    );
  }
  return { sheet: named.name, isNew: false };
}

async function dress(workbook: Workbook, area: Area, kind: ListKind): Promise<void> {
  const body = { ...area, row: area.row + 1, rows: Math.min(area.rows + roomToGrow, lastListRow) };
  await workbook.format({ ...area, rows: 1 }, { ...styles.header, widthPx });
  await workbook.format(body, kind === "items" ? { numberFormat: "@" } : { align: "left" });
}

async function valuesBelow(workbook: Workbook, { heading, endRow }: ListPlace): Promise<CellValue[]> {
  const used = await workbook.usedArea(heading.sheet);
  const end = Math.min(used?.rows ?? 0, endRow);
  const row = heading.row + 1;
  if (used === null || end <= row || heading.col >= used.cols) return [];
  const cells = await workbook.read({ ...heading, row, rows: end - row, cols: 1 }, "values");
  const values = cells.map(([value = null]) => (isBlank(value) ? null : value));
  return values.slice(0, values.findLastIndex((value) => value !== null) + 1);
}

function isBlank(value: CellValue): boolean {
  return value === null || (typeof value === "string" && cleanText(value) === "");
}

function blanks(rows: number): null[][] {
  return Array.from({ length: rows }, () => [null]);
}

/** A host may refuse names for reasons of its own, such as a function that is called so. */
function notTaken(name: string, error: unknown): InvError {
  if (isInvError(error)) return error;
  const reason: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "message") : "";
  return new InvError("bad-argument", `"${name}" was not taken: ${String(reason)}. Try another name.`);
}
