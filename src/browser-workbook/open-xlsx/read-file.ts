/**
 * Reads an .xlsx file as untrusted input. zip.ts limits sizes before anything is unpacked, and xml.ts reads parts by
 * their structure. A cell is a formula only if the file says so, and a formula that reaches outside the workbook
 * becomes its value. The result lists what the grid doesn't show. docs/decisions.md says why the library that writes
 * files doesn't read them.
 */
import { createAllowance } from "./allowance";
import { type BookPart, type ListedSheet, readBookPart } from "./book-part";
import type { FileBook, FileName, FileSheet } from "./file-book";
import { FileFault, isFileFault } from "./file-fault";
import { gridFormula } from "./formulas";
import type { Surroundings } from "../../formula/reaching-out";
import { unshownKinds, untakenFormulas } from "./left-behind";
import { readNotes } from "./notes-part";
import { type Relation, relationsOf } from "./relations";
import { readFileSettings } from "./settings-parts";
import { fileCells } from "./sheet-formulas";
import { readSheetPart } from "./sheet-part";
import { readStrings } from "./strings-part";
import { readStyles } from "./styles-part";
import { readZip, type Zip } from "./zip";

const mostSheets = 300;
const mostNames = 20_000;

export async function readFile(bytes: Uint8Array<ArrayBuffer>): Promise<FileBook> {
  try {
    return await readBook(readZip(bytes));
  } catch (error) {
    if (isFileFault(error)) throw error;
    throw new FileFault("The file is damaged: it cannot be read as a workbook.");
  }
}

async function readBook(zip: Zip): Promise<FileBook> {
  const bookPart = (await relationsOf(zip, "")).find(({ kind }) => kind === "officeDocument")?.target;
  if (bookPart === undefined) throw new FileFault("This is not an .xlsx file.");
  if (bookPart.endsWith(".bin")) {
    throw new FileFault("This is a binary workbook (.xlsb). Save it as .xlsx, then open it here.");
  }
  const book = await readBookPart(bookPart, await zip.text(bookPart));
  checkBook(book);
  const relations = await relationsOf(zip, bookPart);
  const optional = async <T>(
    kind: string,
    read: (part: string, xml: string) => Promise<T>,
    without: T,
  ): Promise<T> => {
    const part = relations.find((each) => each.kind === kind)?.target;
    return part === undefined || !zip.has(part) ? without : read(part, await zip.text(part));
  };
  const { styles, hasMore } = await optional("styles", readStyles, { styles: [], hasMore: false });
  const strings = await optional<readonly string[]>("sharedStrings", readStrings, []);
  const left = new Set(hasMore ? ["borders and wrapped text"] : []);
  const surroundings = surroundingsOf(book);
  const context: Context = { zip, strings, left, surroundings, allowance: createAllowance() };
  const sheets: FileSheet[] = [];
  for (const listed of book.sheets) {
    const relation = relations.find(({ id }) => id === listed.relation);
    if (relation?.kind === "worksheet") sheets.push(await readSheet(listed, relation.target, context));
    else left.add("sheets that hold only a chart or a dialog");
  }
  if (sheets.length === 0) throw new FileFault("The file has no sheet that can be shown.");
  leaveKinds(relations, left);
  if (zip.names.some((name) => /(?:^|\/)threadedComments?\//i.test(name))) {
    left.add("conversations (shown as notes)");
  }
  const shown = book.sheets[book.shownSheet]?.name;
  return {
    sheets,
    shownSheet: Math.max(
      0,
      sheets.findIndex(({ name }) => name === shown),
    ),
    styles,
    names: namesOf(book, surroundings, left),
    settings: await readFileSettings(zip),
    left: [...left],
  };
}

interface Context {
  readonly zip: Zip;
  readonly strings: readonly string[];
  readonly left: Set<string>;
  readonly surroundings: Surroundings;
  readonly allowance: ReturnType<typeof createAllowance>;
}

function surroundingsOf({ names, sheets }: BookPart): Surroundings {
  const lower = (all: readonly { readonly name: string }[]) =>
    new Set(all.map(({ name }) => name.toLowerCase()));
  const [nameSet, sheetSet] = [lower(names), lower(sheets)];
  return {
    isName: (name) => nameSet.has(name.toLowerCase()),
    isSheet: (name) => sheetSet.has(name.toLowerCase()),
  };
}

function checkBook({ sheets, is1904 }: BookPart): void {
  if (is1904) {
    throw new FileFault(
      "The file counts its days from 1904. Switch that off in Excel (Options, Advanced), save it, then open it here.",
    );
  }
  if (sheets.length > mostSheets) {
    throw new FileFault(`The file has ${sheets.length} sheets: too many to open here.`);
  }
  const names = new Set(sheets.map(({ name }) => name.toLowerCase()));
  const areSound = sheets.every(({ name }) => name !== "" && name.length <= 100);
  if (names.size !== sheets.length || !areSound) {
    throw new FileFault("The file is damaged: its sheets' names are.");
  }
}

async function readSheet(listed: ListedSheet, part: string, context: Context): Promise<FileSheet> {
  const { zip, strings, left, surroundings, allowance } = context;
  const raw = await readSheetPart(part, await zip.text(part), { strings, allowance });
  const relations = await relationsOf(zip, part);
  const notes = relations.find(({ kind }) => kind === "comments")?.target;
  for (const unshown of raw.unshown) left.add(unshown);
  leaveKinds(relations, left);
  for (const { target } of relations.filter(({ kind }) => kind === "drawing")) {
    const drawn = await relationsOf(zip, target);
    leaveKinds(drawn, left);
    if (drawn.length === 0) left.add("drawings");
  }
  return {
    name: listed.name,
    isHidden: listed.isHidden,
    cells: fileCells(raw.cells, {
      allowance,
      surroundings,
      untaken: (why) => left.add(untakenFormulas[why]),
    }),
    columns: raw.columns,
    rows: raw.rows,
    frozenRows: raw.frozenRows,
    frozenCols: raw.frozenCols,
    merged: raw.merged,
    notes: notes === undefined || !zip.has(notes) ? [] : await readNotes(notes, await zip.text(notes)),
  };
}

/** Leaves out the names that Excel reserves, such as print areas. */
function namesOf({ names, sheets }: BookPart, surroundings: Surroundings, left: Set<string>): FileName[] {
  return names.slice(0, mostNames).flatMap(({ name, formula, sheet, isHidden }) => {
    if (/^_xl/i.test(name) || !/^[\p{L}_\\][\p{L}\p{N}_.\\?]{0,254}$/u.test(name)) return [];
    const on = sheet === null ? null : (sheets[sheet]?.name ?? null);
    const made =
      formula === "" || /#REF!/.test(formula) ? { untaken: null } : gridFormula(formula, surroundings);
    if ("formula" in made) return [{ name, formula: made.formula, sheet: on, isHidden }];
    if (made.untaken !== null) left.add("names for something outside the cells");
    return [];
  });
}

function leaveKinds(relations: readonly Relation[], left: Set<string>): void {
  for (const { kind } of relations) {
    const unshown = unshownKinds.get(kind);
    if (unshown !== undefined) left.add(unshown);
  }
}
