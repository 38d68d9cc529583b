/**
 * Use this column as a list: gives the stores or items of a column a name, where they are. INV writes no cell. The name grows
 * with the column (`list-formula`). If Excel would refuse the name, INV says why, and proposes the nearest allowed one.
 */
import { InvError, isInvError } from "../../domain/errors";
import { parseGtin, parseItemNumber, parseStoreNumber } from "../../domain/identifiers";
import type { ItemType } from "../../domain/records";
import { findColumns } from "../../domain/validator/find-columns";
import { itemTypeOf } from "../../domain/validator/validate";
import { sheetRows } from "../../formula/columns";
import { referenceIn } from "../../formula/references";
import { isBlank } from "../cell-content";
import type { Area, CellRef, CellValue, Workbook } from "../port";
import { readFilled } from "../selected-areas";
import { listFormula, listRange, mostEntries, withoutRepeats } from "./list-formula";
import type { ListKind } from "./lists";

export interface NamedColumn {
  readonly name: string;
  readonly kind: ListKind;
  /** Null for stores. */
  readonly itemType: ItemType | null;
  readonly heading: CellRef;
  /** Without repeats. */
  readonly entries: number;
  /** Filled cells that are neither, counted as the sheet does. Formulas over the list get them too. */
  readonly oddRows: readonly number[];
}

/** @param selected a cell of the column, or the cells from which the list begins */
export async function nameColumn(
  workbook: Workbook,
  { selected, name }: { readonly selected: Area; readonly name: string },
): Promise<NamedColumn> {
  const column = await findEntries(workbook, selected);
  const { heading, kind, values } = column;
  const refused = checkListName(name, { kind, namesInUse: await namesInUse(workbook) });
  if (refused !== null) {
    throw new InvError("not-possible", `${refused.reason} You can use ${refused.proposal}.`);
  }
  await workbook.addName(name, listFormula(heading)).catch((error: unknown) => {
    throw refusedByHost(name, error);
  });
  if (!(await isWhereItWas(workbook, name, column))) {
    await workbook.deleteNames([name]);
    throw new InvError("not-possible", "Somebody changed the sheet while INV named the column. Try again.");
  }
  const itemType = kind === "stores" ? null : itemTypeOf(values);
  const parse = itemType === null ? parseStoreNumber : itemType === "gtin" ? parseGtin : parseItemNumber;
  const filled = [...values.entries()].filter(([, value]) => !isBlank(value));
  const odd = filled.filter(([, value]) => isInvError(parse(value ?? "")));
  return {
    ...{ name, kind, itemType, heading },
    entries: withoutRepeats(filled, ([, value]) => value).length,
    oddRows: odd.map(([down]) => heading.row + 2 + down),
  };
}

interface Column {
  readonly heading: CellRef;
  readonly headingText: CellValue;
  readonly kind: ListKind;
  /** From the first entry on. */
  readonly values: readonly CellValue[];
}

async function findEntries(workbook: Workbook, selected: Area): Promise<Column> {
  const { sheet, col } = selected;
  const from = selected.rows > 1 ? selected.row : 0;
  const area = { sheet, row: from, col, rows: Math.min(sheetRows - from, mostEntries), cols: 1 };
  const cells = await readFilled(workbook, area);
  const { store, item, firstRow } = findColumns(cells);
  if (store === null && item === null) {
    throw new InvError(
      "not-possible",
      "This column contains neither stores nor items. Select a cell of one that does.",
    );
  }
  const row = from + firstRow - 1;
  if (row < 0) {
    throw new InvError(
      "not-possible",
      "The list has no row above it, so it couldn't grow at its start. Insert a row with a heading, then try again.",
    );
  }
  const heading = { sheet, row, col };
  const [[headingText = null] = []] = await workbook.read({ ...heading, rows: 1, cols: 1 }, "values");
  return {
    ...{ heading, headingText },
    kind: store === null ? "items" : "stores",
    values: cells.slice(firstRow).map(([value = null]) => value),
  };
}

/** Finds out whether the name is of the column that was read: somebody may have inserted a row before the name was there. */
async function isWhereItWas(
  workbook: Workbook,
  name: string,
  { headingText, values }: Column,
): Promise<boolean> {
  const added = (await workbook.names()).find((each) => each.sheet === null && each.name === name);
  const range = added && listRange(added.formula);
  if (!range) return false;
  const rows = Math.min(values.length, 20) + 1;
  const now = await workbook.read({ ...range.heading, rows, cols: 1 }, "values");
  return now.every(
    ([value = null], down) => value === (down === 0 ? headingText : (values[down - 1] ?? null)),
  );
}

async function namesInUse(workbook: Workbook): Promise<readonly string[]> {
  const [names, tables, sheets] = [await workbook.names(), await workbook.tables(), await workbook.sheets()];
  return [names, tables, sheets].flat().map(({ name }) => name);
}

/** A host may refuse a name for its own reasons, such as a function with this name. */
function refusedByHost(name: string, error: unknown): InvError {
  if (isInvError(error)) return error;
  const reason: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "message") : "";
  return new InvError(
    "not-possible",
    `The workbook refused the name "${name}": ${String(reason)}. Try another name.`,
  );
}

interface NameRefusal {
  readonly reason: string;
  readonly proposal: string;
}

const mostCharacters = 255;
const startWords: Readonly<Record<ListKind, string>> = { stores: "Stores", items: "Items" };

/**
 * Returns why Excel refuses a name; null for an allowed one. Every formula would treat a name that looks like a cell address (`TOP25`,
 * `R1C1`) as that cell.
 * @param namesInUse names in use: those of the workbook, its sheets and its tables
 */
export function checkListName(
  name: string,
  { kind, namesInUse }: { readonly kind: ListKind; readonly namesInUse: readonly string[] },
): NameRefusal | null {
  const used = new Set(namesInUse.map((each) => each.toLowerCase()));
  const reason = reasonAgainst(name, used);
  return reason === null ? null : { reason, proposal: proposedName(name, kind, used) };
}

function reasonAgainst(name: string, used: ReadonlySet<string>): string | null {
  if (name === "") return "Give the list a name.";
  if (name.length > mostCharacters) {
    return `A name has at most ${mostCharacters} characters; this one has ${name.length}.`;
  }
  if (/\s/.test(name)) return "A name has no spaces.";
  if (!/^[\p{L}_]/u.test(name)) return "A name begins with a letter or an underscore.";
  const [odd] = /[^\p{L}\p{N}_.]/u.exec(name) ?? [];
  if (odd !== undefined) {
    return `A name has letters, digits, points and underscores, but not "${odd}".`;
  }
  if (referenceIn(name) !== null) return `${name.toUpperCase()} is the address of a cell.`;
  if (isRowColumn(name)) return `${name} looks like a cell's row and column (R1C1).`;
  if (/^(?:true|false)$/i.test(name)) return `${name.toUpperCase()} is a value.`;
  if (/^inv\./i.test(name)) return "Names that begin with INV. are INV's functions.";
  if (used.has(name.toLowerCase())) return `The workbook already uses the name "${name}".`;
  return null;
}

function proposedName(name: string, kind: ListKind, used: ReadonlySet<string>): string {
  const start = startWords[kind];
  const tidy = name
    .replace(/[^\p{L}\p{N}_.]+/gu, "_")
    .replace(/_{2,}/g, "_")
    .replace(/^[_.]+|[_.]+$/g, "")
    .slice(0, mostCharacters - start.length - 6);
  const lawful = tidy === "" ? start : reasonAgainst(tidy, new Set()) === null ? tidy : `${start}_${tidy}`;
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? lawful : `${lawful}_${number}`;
    if (reasonAgainst(candidate, used) === null) return candidate;
  }
}

/**
 * Returns whether the name is an R1C1 address, including German, French and Spanish letters, because a colleague's Excel may
 * have another language.
 */
function isRowColumn(name: string): boolean {
  return /^(?:[RZLF]\d*)?(?:[CS]\d*)?$/i.test(name);
}
