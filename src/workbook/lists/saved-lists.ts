/**
 * Saved lists: stores or items under a name of the workbook, in a column of a visible sheet, for formulas, templates and
 * colleagues. The name's formula identifies a list; INV stores nothing else. Invariant: INV never overwrites a filled cell,
 * whoever made the sheet and whoever edits it in the meantime.
 */
import { findColumns } from "../../domain/validator/find-columns";
import { InvError, isInvError } from "../../domain/errors";
import { parseGtin, parseStoreNumber } from "../../domain/identifiers";
import { cleanText } from "../../domain/clean-text";
import type { CellRef, CellValue, DefinedName, Workbook } from "../port";
import { freeSheetName } from "../sheet-names";
import { styles } from "../templates/styles";
import { listFormula, type ListPlace, listPlace, mostEntries } from "./list-formula";
import { type ListKind, checkListName } from "./list-name";

export const listsSheet = "INV lists";
const namesHeading = "Name";
/** Number of rows below a list that are formatted for more entries. */
const roomToGrow = 500;
const widthPx = 150;
/** Limits retries, because somebody may add the sheet, or move cells, between two round trips. */
const mostAttempts = 3;

export interface SavedList {
  readonly name: string;
  readonly heading: CellRef;
  /** Null if the list contains neither stores nor items. */
  readonly kind: ListKind | null;
  /** The cells from below the heading to the last filled one; blanks are null. */
  readonly values: readonly CellValue[];
  /** The name of each value, from a column to the right with the heading "Name"; null for a value without one. */
  readonly names: readonly (string | null)[];
}

export interface NewList {
  readonly name: string;
  readonly kind: ListKind;
  readonly entries: readonly (number | string)[];
  /** The name of each entry, or none at all. */
  readonly names?: readonly (string | null)[];
}

export async function readLists(workbook: Workbook): Promise<readonly SavedList[]> {
  let names = await listNames(workbook);
  for (let attempt = 1; ; attempt += 1) {
    const lists: SavedList[] = [];
    for (const { name, place } of names) lists.push(await readList(workbook, name, place));
    if (names.length === 0) return [];
    // If cells have moved since the names were read, these are the values of other cells; read again.
    const now = await listNames(workbook);
    if (attempt === mostAttempts || textOf(now) === textOf(names)) {
      return lists.sort((a, b) => a.heading.col - b.heading.col);
    }
    names = now;
  }
}

interface NamedPlace {
  readonly name: string;
  readonly place: ListPlace;
}

/** Finds lists on existing sheets. A copy of the sheet has its own names, which don't count. */
async function listNames(workbook: Workbook): Promise<readonly NamedPlace[]> {
  const sheets = new Set((await workbook.sheets()).map(({ name }) => name));
  return (await workbook.names()).flatMap((defined) => {
    const place = placeOf(defined);
    return place !== null && sheets.has(place.heading.sheet) ? [{ name: defined.name, place }] : [];
  });
}

function placeOf({ sheet, formula }: DefinedName): ListPlace | null {
  return sheet === null ? listPlace(formula) : null;
}

function textOf(names: readonly NamedPlace[]): string {
  return JSON.stringify(names.map(({ name, place }) => [name, place]));
}

async function readList(workbook: Workbook, name: string, place: ListPlace): Promise<SavedList> {
  const { values, names } = await cellsBelow(workbook, place);
  const filled = values.filter((value) => value !== null);
  const found = findColumns(filled.map((value) => [value]));
  const kind = found.store !== null ? "stores" : found.item !== null ? "items" : null;
  return { name, heading: place.heading, kind, values, names };
}

/**
 * Returns the names in use. A list whose sheet was deleted doesn't count: the browser workbook's undo removes the sheet but not
 * the name.
 */
export async function readNamesInUse(workbook: Workbook): Promise<readonly string[]> {
  const sheets = await workbook.sheets();
  const names = (await workbook.names()).filter((defined) => {
    const place = placeOf(defined);
    return place === null || sheets.some(({ name }) => name === place.heading.sheet);
  });
  return [names, await workbook.tables(), sheets].flat().map(({ name }) => name);
}

/** Writes the list into a new column and adds its name. If it rejects, it has written nothing. */
export async function saveList(workbook: Workbook, list: NewList): Promise<SavedList> {
  const { name, kind, entries, names = [] } = list;
  const refused = checkListName(name, { kind, namesInUse: await readNamesInUse(workbook) });
  if (refused !== null) throw new InvError("bad-argument", refused.reason);
  if (entries.length === 0 || entries.length > mostEntries) {
    throw new InvError(
      "bad-argument",
      `A list has 1 to ${mostEntries} ${kind}; you chose ${entries.length}.`,
    );
  }
  return workbook.step(async (workbook) => {
    for (let attempt = 1; ; attempt += 1) {
      const { sheet, isNewSheet } = await sheetFor(workbook);
      try {
        const heading = await workbook.addNamedColumn({
          sheet,
          isNewSheet,
          name,
          cells: [name, ...entries],
          beside: names.some((each) => each !== null) ? [namesHeading, ...names] : [],
          headingFormat: { ...styles.header, widthPx },
          entryFormat: kind === "items" ? { numberFormat: "@" } : { align: "left" },
          roomToGrow,
          formulaFor: listFormula,
        });
        return { name, heading, kind, values: entries, names };
      } catch (error) {
        if (attempt === mostAttempts || !(await isElsewhere(workbook, sheet, isNewSheet))) {
          throw nameRefused(name, error);
        }
      }
    }
  });
}

/** Returns whether the list needs another sheet, because somebody added, renamed or deleted the sheet in the meantime. */
async function isElsewhere(workbook: Workbook, sheet: string, isNewSheet: boolean): Promise<boolean> {
  const isThere = (await workbook.sheets()).some(({ name }) => name.toLowerCase() === sheet.toLowerCase());
  return isThere === isNewSheet;
}

/** Returns the sheet with the lists, an empty sheet of that name, or a new one if somebody else's sheet has the name. */
async function sheetFor(
  workbook: Workbook,
): Promise<{ readonly sheet: string; readonly isNewSheet: boolean }> {
  const lists = await listNames(workbook);
  const sheets = await workbook.sheets();
  const own = sheets.find(({ name }) => lists.some(({ place }) => place.heading.sheet === name));
  const named = own ?? sheets.find(({ name }) => name === listsSheet);
  const isFree = named !== undefined && (named === own || (await workbook.usedArea(named.name)) === null);
  if (named === undefined || !isFree) {
    const sheetNames = sheets.map(({ name }) => name);
    return { sheet: freeSheetName(listsSheet, sheetNames), isNewSheet: true };
  }
  if (named.isProtected) {
    throw new InvError(
      "bad-argument",
      `The sheet "${named.name}" is protected. Unprotect it, then save the list.`,
    );
  }
  return { sheet: named.name, isNewSheet: false };
}

async function cellsBelow(
  workbook: Workbook,
  { heading, endRow }: ListPlace,
): Promise<Pick<SavedList, "values" | "names">> {
  const used = await workbook.usedArea(heading.sheet);
  const rows = Math.min(used?.rows ?? 0, endRow) - heading.row;
  if (used === null || rows <= 1 || heading.col >= used.cols) return { values: [], names: [] };
  const cols = Math.min(2, used.cols - heading.col);
  const [[, beside] = [], ...cells] = await workbook.read({ ...heading, rows, cols }, "values");
  const filled = cells.slice(0, cells.findLastIndex(([value = null]) => !isBlank(value)) + 1);
  return {
    values: filled.map(([value = null]) => (isBlank(value) ? null : value)),
    names: filled.map(([, name = null]) =>
      beside === namesHeading && !isBlank(name) ? cleanText(String(name)) : null,
    ),
  };
}

/** Returns the names of stores and items in these lists. The keys are store numbers and GTINs, whose lengths differ. */
export function namesIn(lists: readonly SavedList[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { kind, values, names } of lists) {
    values.forEach((value, index) => {
      const name = names[index] ?? null;
      const entry = kind === "stores" ? parseStoreNumber(value ?? "") : parseGtin(value ?? "");
      if (name !== null && !isInvError(entry)) found.set(String(entry), name);
    });
  }
  return found;
}

function isBlank(value: CellValue): boolean {
  return value === null || (typeof value === "string" && cleanText(value) === "");
}

/** Returns the error to show. A host may refuse a name for its own reasons, such as a function with this name. */
function nameRefused(name: string, error: unknown): InvError {
  if (isInvError(error)) return error;
  const reason: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "message") : "";
  return new InvError(
    "bad-argument",
    `The workbook refused the name "${name}": ${String(reason)}. Try another name.`,
  );
}
