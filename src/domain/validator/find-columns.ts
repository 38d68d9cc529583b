/**
 * Chooses the columns of stores, items and their names in a list, if there is no doubt: a wrong column shows real stock of wrong stores,
 * because quantities, weeks and dates may be store numbers too. Columns and rows count from 0 within the list.
 */
import { isErrorText } from "../bad-argument";
import { cleanText, isBlankInput } from "../clean-text";
import { isInvError } from "../errors";
import { type InputCell, readGtin, readStore } from "../identifiers";

export const columnKinds = ["store", "item", "storeName", "itemName"] as const;
export type ColumnKind = (typeof columnKinds)[number];

/** Null for a kind without a column. */
export type Columns = Readonly<Record<ColumnKind, number | null>>;

export interface FoundColumns extends Columns {
  /** The heading of each column; "" if it has none. */
  readonly headings: readonly string[];
  /** Whether each column contains anything below its heading. */
  readonly isFilled: readonly boolean[];
  /** The first row below the headings. */
  readonly firstRow: number;
}

/** Whole headings in English, German, Spanish and French, without marks and accents. */
const knownHeadings: Readonly<Record<ColumnKind, ReadonlySet<string>>> = {
  store:
    headingSet(`store, stores, store number, store no, store nr, store nbr, store id, club, clubs, club number, club nbr, site,
    filiale, filialen, filialnummer, filialnr, filiale nr, markt, markte, marktnummer, marktnr, markt nr,
    tienda, tiendas, numero de tienda, n tienda, no tienda, sucursal, magasin, magasins, numero de magasin, n magasin, no magasin`),
  item: headingSet(`gtin, gtins, gtin 14, ean, eans, ean 13, ean code, upc, upcs, upc code, barcode, strichcode,
    codigo de barras, codigo ean, codigo upc, code barres, code a barres, code ean, gencod`),
  storeName:
    headingSet(`store name, store names, club name, site name, filialname, marktname, name der filiale,
    nombre de tienda, nombre de la tienda, nom du magasin, nom magasin`),
  itemName:
    headingSet(`item name, item names, item description, product, product name, description, artikel, artikelname,
    artikelbezeichnung, bezeichnung, producto, articulo, descripcion, nombre del articulo, produit, designation, libelle,
    nom du produit`),
};
const mostHeadingRows = 10;

/** @param rows the list with its headings, or its first rows; missing cells are blank */
export function findColumns(rows: readonly (readonly InputCell[])[]): FoundColumns {
  const cols = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  const headingRow = findHeadingRow(rows);
  const texts = Array.from({ length: cols }, (_, col) => headingOf(rows[headingRow]?.[col]));
  const data = rows.slice(headingRow + 1);
  const isFilled = texts.map((_, col) => data.some((row) => !isBlankInput(row[col])));
  const choose = (kind: ColumnKind): number | null => {
    const headed = texts.flatMap((text, col) =>
      isFilled[col] === true && knownHeadings[kind].has(plain(text)) ? [col] : [],
    );
    const read = readers[kind];
    if (headed.length > 0 || read === undefined) return only(headed);
    const fitting = texts.flatMap((text, col) => (!isKnown(text) && canBe(read, data, col) ? [col] : []));
    return only(fitting);
  };
  return {
    store: choose("store"),
    item: choose("item"),
    storeName: choose("storeName"),
    itemName: choose("itemName"),
    headings: texts,
    isFilled,
    firstRow: headingRow + 1,
  };
}

type Reader = (cell: InputCell) => unknown;

/** Whether the column contains something that this can read, and nothing else but blanks and errors, which don't say what it is. */
function canBe(read: Reader, data: readonly (readonly InputCell[])[], col: number): boolean {
  let hasValue = false;
  for (const row of data) {
    const cell = row[col] ?? null;
    if (isError(cell)) continue;
    const value = read(cell);
    if (isInvError(value)) return false;
    if (value !== null) hasValue = true;
  }
  return hasValue;
}

/** A column without a known heading may contain only what these can read. Names may be anything. */
const readers: Partial<Readonly<Record<ColumnKind, Reader>>> = {
  store: readStore,
  item: readGtin,
};

function only(cols: readonly number[]): number | null {
  return cols.length === 1 ? (cols[0] ?? null) : null;
}

/** Returns the row of known headings, or else the last of the first rows that contain only words; -1 if there is none. */
function findHeadingRow(rows: readonly (readonly InputCell[])[]): number {
  const first = rows.slice(0, mostHeadingRows);
  const known = first.findIndex((row) => row.some((cell) => isKnown(headingOf(cell))));
  if (known !== -1) return known;
  const data = first.findIndex((row) => row.some((cell) => !isBlankInput(cell) && !isWords(String(cell))));
  return first.slice(0, data === -1 ? 0 : data).findLastIndex((row) => !row.every(isBlankInput));
}

/** A mistyped or scanned code (`OO012345678912`, `]C100012345678905`) and an error have letters too, but are data. */
function isWords(text: string): boolean {
  return /\p{L}/u.test(text) && !/\d{6}/.test(text) && !isError(text);
}

function isError(cell: InputCell | undefined): boolean {
  return typeof cell === "string" && isErrorText(cell.trim());
}

function isKnown(heading: string): boolean {
  const text = plain(heading);
  return columnKinds.some((kind) => knownHeadings[kind].has(text));
}

/** `Código_de-barras:` and `codigo de barras` are the same heading. */
function plain(heading: string): string {
  return heading
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function headingSet(headings: string): ReadonlySet<string> {
  return new Set(headings.split(",").map((heading) => plain(heading)));
}

function headingOf(cell: InputCell | undefined): string {
  return typeof cell === "string" ? cleanText(cell) : "";
}
