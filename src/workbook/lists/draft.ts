/**
 * Turns selected cells into the entries of a list: their stores or items, as the functions parse them. A refused value becomes
 * no entry. A probable mistake becomes one, with a warning.
 */
import { quotedValue } from "../../domain/bad-argument";
import { validate } from "../../domain/validator/validate";
import { findColumns } from "../../domain/validator/find-columns";
import type { Finding } from "../../domain/validator/finding";
import { parseGtin, parseItemNumber, parseStoreNumber } from "../../domain/identifiers";
import type { ItemType } from "../../domain/records";
import { cleanText } from "../../domain/clean-text";
import { isInvError } from "../../domain/errors";
import type { CellValue } from "../port";
import type { BadRow, GivenCells } from "../templates/rows";
import type { ListKind } from "./list-name";

export interface ListDraft {
  readonly kind: ListKind;
  /** Null for stores. */
  readonly itemType: ItemType | null;
  /** Entries without duplicates. Stores are numbers; items are texts, so that they keep their zeros. */
  readonly entries: readonly (number | string)[];
  /** The name of each entry, from a column to the right whose heading says so; null for an entry without one. */
  readonly names: readonly (string | null)[];
  readonly bad: readonly BadRow[];
  readonly doubtful: readonly BadRow[];
  readonly repeated: number;
}

interface RowValue {
  readonly row: number;
  readonly value: CellValue;
  readonly name: string | null;
}

const nameHeading = /name|desc/i;

/** Returns one draft for stores and one for items, without empty ones. */
export function draftsOf(given: readonly GivenCells[]): readonly ListDraft[] {
  const stores: RowValue[] = [];
  const items: RowValue[] = [];
  for (const { firstRow, cells } of given.map(asColumn)) {
    const found = findColumns(cells);
    const headings = cells.slice(0, found.firstRow);
    const add = (rows: RowValue[], col: number | null): void => {
      if (col === null) return;
      const isNamed = headings.some((line) => nameHeading.test(String(line[col + 1] ?? "")));
      cells.slice(found.firstRow).forEach((line, down) => {
        const name = isNamed ? cleanText(String(line[col + 1] ?? "")) : "";
        const row = firstRow + found.firstRow + down;
        rows.push({ row, value: line[col] ?? null, name: name === "" ? null : name });
      });
    };
    add(stores, found.store);
    add(items, found.item);
  }
  return [draftOf("stores", stores), draftOf("items", items)].filter(
    ({ entries, bad }) => entries.length + bad.length > 0,
  );
}

function asColumn({ firstRow, cells }: GivenCells): GivenCells {
  const [only, ...others] = cells;
  if (only === undefined || others.length > 0 || only.length === 1) return { firstRow, cells };
  return { firstRow: 1, cells: only.map((cell) => [cell]) };
}

function draftOf(kind: ListKind, values: readonly RowValue[]): ListDraft {
  const isStores = kind === "stores";
  const { itemType, findings } = validate(
    values.map(({ value }) => ({ store: isStores ? value : null, item: isStores ? null : value })),
  );
  const refused = new Map(withSeverity("refusal", findings));
  const parse = isStores ? parseStoreNumber : itemType === "gtin" ? parseGtin : parseItemNumber;
  const entries = new Map<number | string, string | null>();
  const bad: BadRow[] = [];
  let repeated = 0;
  values.forEach(({ row, value, name }, at) => {
    if (isBlank(value)) return;
    const entry = parse(value);
    const finding = refused.get(at);
    if (finding) bad.push(reasonOf(row, finding));
    else if (isInvError(entry)) bad.push({ row, reason: entry.message });
    else if (entries.has(entry)) repeated += 1;
    else entries.set(entry, name);
  });
  return {
    kind,
    itemType: isStores ? null : itemType,
    entries: [...entries.keys()],
    names: [...entries.values()],
    bad,
    doubtful: withSeverity("warning", findings).map(([at, each]) => reasonOf(values[at]?.row ?? 0, each)),
    repeated,
  };
}

function withSeverity(
  severity: Finding["severity"],
  findings: readonly Finding[],
): (readonly [number, Finding])[] {
  return findings.filter((each) => each.severity === severity).map((each) => [each.row, each] as const);
}

function reasonOf(row: number, { received, advice }: Finding): BadRow {
  return { row, reason: `${quotedValue(received)}: ${advice}` };
}

function isBlank(value: CellValue): value is null {
  return value === null || value === 0 || (typeof value === "string" && value.trim() === "");
}
