/**
 * Reads an .xlsx file as untrusted input. zip.ts limits sizes before anything is unpacked, and xml.ts reads parts by
 * their structure. A cell is a formula only if the file says so, and a formula that reaches outside the workbook
 * becomes its value. The result lists what the grid doesn't show. docs/decisions.md says why the library that writes
 * files doesn't read them.
 */
import { createReadLimits, type ReadLimits, FileFault, isFileFault } from "./read-limits";
import { type BookPart, type ListedSheet, readBookPart } from "./book-part";
import type { FileBook, FileName, FileSheet } from "./file-book";
import { gridFormula, fileCells } from "./sheet-formulas";
import type { Surroundings } from "../../formula/outside-access";
import { unshownKinds, leftOutFormulas } from "./unshown-features";
import { readNotes, readStrings } from "./text-parts";
import { type Relation, relationsOf } from "./relations";
import { readFileSettings } from "./settings-part";
import { readSheetPart } from "./sheet-part";
import { readStyles } from "./styles-part";
import { readZip, type Zip } from "./zip";

const maxSheets = 300;
const maxNames = 20_000;

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
  const { styles, hasUnshownStyles } = await optional("styles", readStyles, {
    styles: [],
    hasUnshownStyles: false,
  });
  const strings = await optional<readonly string[]>("sharedStrings", readStrings, []);
  const unshown = new Set(hasUnshownStyles ? ["wrapped text and diagonal lines"] : []);
  const surroundings = surroundingsOf(book);
  const context: Context = { zip, strings, unshown, surroundings, limits: createReadLimits() };
  const sheets: FileSheet[] = [];
  for (const listed of book.sheets) {
    const relation = relations.find(({ id }) => id === listed.relation);
    if (relation?.kind === "worksheet") sheets.push(await readSheet(listed, relation.target, context));
    else unshown.add("sheets that contain only a chart or a dialog");
  }
  if (sheets.length === 0) throw new FileFault("The file has no sheet that can be shown.");
  addUnshownKinds(relations, unshown);
  if (zip.names.some((name) => /(?:^|\/)threadedComments?\//i.test(name))) {
    unshown.add("conversations (shown as notes)");
  }
  const shown = book.sheets[book.shownSheet]?.name;
  return {
    sheets,
    shownSheet: Math.max(
      0,
      sheets.findIndex(({ name }) => name === shown),
    ),
    styles,
    names: namesOf(book, surroundings, unshown),
    settings: await readFileSettings(zip),
    unshown: [...unshown],
  };
}

interface Context {
  readonly zip: Zip;
  readonly strings: readonly string[];
  readonly unshown: Set<string>;
  readonly surroundings: Surroundings;
  readonly limits: ReadLimits;
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
      "The file counts its days from 1904. Switch that off in Excel (Options, Advanced), which moves its dates by 1,462 days. Correct them, save the file, then open it here.",
    );
  }
  if (sheets.length > maxSheets) {
    throw new FileFault(`The file has ${sheets.length} sheets: too many to open here.`);
  }
  const names = new Set(sheets.map(({ name }) => name.toLowerCase()));
  const areSound = sheets.every(({ name }) => name !== "" && name.length <= 100);
  if (names.size !== sheets.length || !areSound) {
    throw new FileFault("The file is damaged: a sheet's name is missing, repeated or too long.");
  }
}

async function readSheet(listed: ListedSheet, part: string, context: Context): Promise<FileSheet> {
  const { zip, strings, unshown, surroundings, limits } = context;
  const raw = await readSheetPart(part, await zip.text(part), { strings, limits });
  const relations = await relationsOf(zip, part);
  const notes = relations.find(({ kind }) => kind === "comments")?.target;
  for (const feature of raw.unshown) unshown.add(feature);
  addUnshownKinds(relations, unshown);
  for (const { target } of relations.filter(({ kind }) => kind === "drawing")) {
    const drawn = await relationsOf(zip, target);
    addUnshownKinds(drawn, unshown);
    if (drawn.length === 0) unshown.add("drawings");
  }
  const { frozenRows, frozenCols, columns, rows, merged } = raw;
  return {
    ...{ name: listed.name, isHidden: listed.isHidden, columns, rows, frozenRows, frozenCols, merged },
    cells: fileCells(raw.cells, {
      limits,
      surroundings,
      leaveOut: (why) => unshown.add(leftOutFormulas[why]),
    }),
    notes: notes === undefined || !zip.has(notes) ? [] : await readNotes(notes, await zip.text(notes)),
  };
}

/** Leaves out the names that Excel reserves, such as print areas. */
function namesOf({ names, sheets }: BookPart, surroundings: Surroundings, unshown: Set<string>): FileName[] {
  if (names.length > maxNames) unshown.add(`names after the first ${maxNames}`);
  return names.slice(0, maxNames).flatMap(({ name, formula, sheet, isHidden }) => {
    if (/^_xl/i.test(name) || !/^[\p{L}_\\][\p{L}\p{N}_.\\?]{0,254}$/u.test(name)) return [];
    const sheetName = sheet === null ? null : (sheets[sheet]?.name ?? null);
    const converted =
      formula === "" || /#REF!/.test(formula) ? { leftOut: null } : gridFormula(formula, surroundings);
    if ("formula" in converted) return [{ name, formula: converted.formula, sheet: sheetName, isHidden }];
    if (converted.leftOut !== null) unshown.add("names for something outside the cells");
    return [];
  });
}

function addUnshownKinds(relations: readonly Relation[], unshown: Set<string>): void {
  for (const { kind } of relations) {
    const feature = unshownKinds.get(kind);
    if (feature !== undefined) unshown.add(feature);
  }
}
