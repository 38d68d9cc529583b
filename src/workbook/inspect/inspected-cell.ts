/**
 * What INV knows about a selected cell: the store and item that its INV formula requested. For a spilled cell these are those of the
 * formula that fills it, for any other cell the store and item in its row. The register contains a formula's own
 * query; the other two cases need the sheet.
 */
import type { ProblemList } from "../../cells/problem-list";
import { historiesOf, itemsOf } from "../../cells/cell-record";
import type { CellRegister, InvCell } from "../../cells/cell-register";
import type { Problem } from "../../cells/problem-details";
import { wholeQuery } from "../../domain/query-keys";
import type { HistoryQuery, ItemQuery } from "../../domain/records";
import { cellAddresses } from "../addresses";
import { invCellAt } from "../register-cells";
import type { CellRef, Workbook } from "../port";
import { readRows, selectedRow } from "../templates/rows";

export interface InspectedCell {
  /** The cell of the formula if a formula spilled into the selected cell; otherwise the selected cell. */
  readonly cell: CellRef;
  /** The address in the host's notation. */
  readonly address: string;
  readonly from: "formula" | "row";
  /** The register's record of the formula; null for a row. */
  readonly invCell: InvCell | null;
  readonly item: ItemQuery | null;
  /** Always all types of events, even if the formula requests one. */
  readonly history: HistoryQuery | null;
  readonly others: number;
  /** Why the cell has no value; null if it has one. */
  readonly problem: Problem | null;
}

/** Inspects a cell that INV has calculated or refused in this session. Returns null for other cells. */
export function inspectFormula(cells: CellRegister, cell: CellRef): InspectedCell | null {
  const addresses = cellAddresses(cell);
  const invCell = invCellAt(cells, cell) ?? null;
  const problem = problemOf(cells.problemList, addresses);
  if (invCell === null && problem === null) return null;
  const items = invCell === null ? [] : itemsOf(invCell);
  const histories = invCell === null ? [] : historiesOf(invCell);
  const item = items[0] ?? null;
  const history = histories[0] ?? null;
  return {
    cell,
    address: invCell?.address ?? problem?.cell ?? addresses[0],
    from: "formula",
    invCell,
    item: item ?? itemOfHistory(history),
    history: history === null ? historyOfItem(item) : wholeQuery(history),
    others: invCell === null ? 0 : countOtherItems(invCell),
    problem,
  };
}

/** Inspects the cell's row. Returns null for a row without a store or an item, and where Rows would have to ask for the columns. */
export async function inspectRow(workbook: Workbook, cell: CellRef): Promise<InspectedCell | null> {
  const {
    pairs: [pair],
  } = readRows([await selectedRow(workbook, cell)]);
  if (pair === undefined) return null;
  const item: ItemQuery = { storeNumber: pair.store, itemType: "gtin", value: pair.item };
  const [address] = cellAddresses(cell);
  const history = historyOfItem(item);
  return { cell, address, from: "row", invCell: null, item, history, others: 0, problem: null };
}

export function countOtherItems(invCell: InvCell): number {
  return Math.max(0, Math.max(itemsOf(invCell).length, historiesOf(invCell).length) - 1);
}

export function problemOf(problemList: ProblemList, addresses: readonly string[]): Problem | null {
  const problems = problemList.groups().flatMap((group) => group.cells.flatMap((cell) => cell.problems));
  return problems.find(({ cell }) => cell !== null && addresses.includes(cell)) ?? null;
}

/** Returns null for an item number: only its record contains the GTIN. */
export function historyOfItem(item: ItemQuery | null): HistoryQuery | null {
  return item?.itemType === "gtin" ? { storeNumber: item.storeNumber, gtin: item.value } : null;
}

export function itemOfHistory(history: HistoryQuery | null): ItemQuery | null {
  return history && { storeNumber: history.storeNumber, itemType: "gtin", value: history.gtin };
}
