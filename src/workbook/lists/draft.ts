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
  readonly bad: readonly BadRow[];
  readonly doubtful: readonly BadRow[];
  readonly repeated: number;
}

interface RowValue {
  readonly row: number;
  readonly value: CellValue;
}

/** Returns one draft for stores and one for items, without empty ones. */
export function draftsOf(given: readonly GivenCells[]): readonly ListDraft[] {
  const stores: RowValue[] = [];
  const items: RowValue[] = [];
  for (const { firstRow, cells } of given.map(asColumn)) {
    const found = findColumns(cells);
    cells.slice(found.firstRow).forEach((line, down) => {
      const row = firstRow + found.firstRow + down;
      if (found.store !== null) stores.push({ row, value: line[found.store] ?? null });
      if (found.item !== null) items.push({ row, value: line[found.item] ?? null });
    });
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
  const entries = new Set<number | string>();
  const bad: BadRow[] = [];
  let repeated = 0;
  values.forEach(({ row, value }, at) => {
    if (isBlank(value)) return;
    const entry = parse(value);
    const finding = refused.get(at);
    if (finding) bad.push(reasonOf(row, finding));
    else if (isInvError(entry)) bad.push({ row, reason: entry.message });
    else if (entries.has(entry)) repeated += 1;
    else entries.add(entry);
  });
  return {
    kind,
    itemType: isStores ? null : itemType,
    entries: [...entries],
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
