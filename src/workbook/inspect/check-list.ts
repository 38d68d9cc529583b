/**
 * Check a list: what is wrong in the columns that Rows shows, each finding with its cell. It only reports: findings go to a sheet of
 * their own, for whoever keeps the list.
 */
import { faultTitles, type Finding, type StoreAndItem, validate } from "../../domain/validator/validate";
import { areaAddress, functionAddress } from "../addresses";
import { buildSheet } from "../build-sheet";
import type { Workbook } from "../port";
import type { RowsPart } from "../templates/rows";

export interface CheckedFinding extends Finding {
  /** `B12`, or `line 12` of a typed list. */
  readonly place: string;
  /** With the sheet; null in a typed list. */
  readonly address: string | null;
}

export interface CheckedList {
  /** Null for a typed list. */
  readonly sheet: string | null;
  /** Number of cells that aren't blank; null for a kind without a column. */
  readonly checked: Readonly<Record<keyof StoreAndItem, number | null>>;
  readonly findings: readonly CheckedFinding[];
}

export function checkList({ area, cells, columns, firstDataRow }: RowsPart): CheckedList {
  const sheet = area?.sheet ?? null;
  const cellOf = (line: (typeof cells)[number], kind: keyof StoreAndItem) =>
    line[columns[kind] ?? -1] ?? null;
  const { filled, findings } = validate(
    cells.slice(firstDataRow).map((line) => ({ store: cellOf(line, "store"), item: cellOf(line, "item") })),
  );
  return {
    sheet,
    checked: {
      store: columns.store === null ? null : filled.store,
      item: columns.item === null ? null : filled.item,
    },
    findings: findings.map((finding) => {
      const [row, col] = [firstDataRow + finding.row, columns[finding.field] ?? 0];
      if (area === null) return { ...finding, place: `line ${row + 1}`, address: null };
      const place = areaAddress({ row: area.row + row, col: area.col + col, rows: 1, cols: 1 });
      return { ...finding, place, address: functionAddress(area.sheet, place) };
    }),
  };
}

/** Resolves with the new sheet's name. */
export function writeFindings(workbook: Workbook, { sheet, findings }: CheckedList): Promise<string> {
  return buildSheet(workbook, {
    name: `Check ${sheet ?? "list"}`,
    frozenRows: 1,
    widthsPx: [130, 140, 460, 900],
    header: ["Cell", "Found", "What is wrong", "Reason"],
    rows: findings.map(({ place, address, received, fault, reason }) => [
      address ?? place,
      received,
      faultTitles[fault],
      reason,
    ]),
  });
}
