/**
 * From selected cells to the entries of a list: the stores or the items in them, read as the functions read them and
 * looked at by the validator. What INV refuses is told by its row and is no entry; what is probably not meant is told
 * and stays. Pure.
 */
import { shown } from "../../domain/bad-argument";
import { validate } from "../../domain/validator/validate";
import { findColumns } from "../../domain/validator/find-columns";
import type { Finding } from "../../domain/validator/finding";
import { parseGtin, parseItemNumber, parseStoreNumber } from "../../domain/identifiers";
import type { ItemType } from "../../domain/records";
import { isInvError } from "../../domain/errors";
import type { CellValue } from "../port";
import type { GivenCells } from "../templates/rows";
import type { ListKind } from "./list-name";

export interface ToldRow {
  /** As the sheet shows it; of cells beside each other, which of them. */
  readonly row: number;
  readonly reason: string;
}

export interface ListDraft {
  readonly kind: ListKind;
  /** What its items are; null for stores. */
  readonly itemType: ItemType | null;
  /** Each once: stores as numbers, items as texts, whose zeros stay. */
  readonly entries: readonly (number | string)[];
  /** What INV refuses. */
  readonly bad: readonly ToldRow[];
  /** Entries that are probably not meant. */
  readonly doubtful: readonly ToldRow[];
  /** Entries left out because they came before. */
  readonly repeated: number;
}

interface Placed {
  readonly row: number;
  readonly value: CellValue;
}

/** One for the stores and one for the items, where there are some. */
export function draftsOf(given: readonly GivenCells[]): readonly ListDraft[] {
  const stores: Placed[] = [];
  const items: Placed[] = [];
  for (const { firstRow, cells } of given.map(upright)) {
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

/** Cells of one row are read as if they stood below each other. */
function upright({ firstRow, cells }: GivenCells): GivenCells {
  const [only, ...others] = cells;
  if (only === undefined || others.length > 0 || only.length === 1) return { firstRow, cells };
  return { firstRow: 1, cells: only.map((cell) => [cell]) };
}

function draftOf(kind: ListKind, placed: readonly Placed[]): ListDraft {
  const isStores = kind === "stores";
  const { itemType, findings } = validate(
    placed.map(({ value }) => ({ store: isStores ? value : null, item: isStores ? null : value })),
  );
  const refused = new Map(of("refusal", findings));
  const entries = new Set<number | string>();
  const bad: ToldRow[] = [];
  let repeated = 0;
  placed.forEach(({ row, value }, at) => {
    if (isBlank(value)) return;
    const read = isStores
      ? parseStoreNumber(value)
      : itemType === "gtin"
        ? parseGtin(value)
        : parseItemNumber(value);
    const finding = refused.get(at);
    if (finding) bad.push(toldOf(row, finding));
    else if (isInvError(read)) bad.push({ row, reason: read.message });
    else if (entries.has(read)) repeated += 1;
    else entries.add(read);
  });
  const doubtful = of("warning", findings).map(([at, finding]) => toldOf(placed[at]?.row ?? 0, finding));
  return { kind, itemType: isStores ? null : itemType, entries: [...entries], bad, doubtful, repeated };
}

function of(severity: Finding["severity"], findings: readonly Finding[]): (readonly [number, Finding])[] {
  return findings.filter((each) => each.severity === severity).map((each) => [each.row, each] as const);
}

function toldOf(row: number, { received, advice }: Finding): ToldRow {
  return { row, reason: `${shown(received)}: ${advice}` };
}

/** As the functions see it. */
function isBlank(value: CellValue): value is null {
  return value === null || value === 0 || (typeof value === "string" && value.trim() === "");
}
