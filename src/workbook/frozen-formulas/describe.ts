/** What the ledger keeps of formulas that are about to be frozen: how to put them back, and what people want to know. */
import type { CellRegister } from "../../cells/cell-register";
import { areaAddress, cellAddresses, cellKey, cellsOf } from "../addresses";
import { withoutKind } from "../cell-content";
import type { Area, CellContent, CellRef, FormulaCell, Workbook } from "../port";
import { toR1C1 } from "../../formula/references";
import type { Block } from "./anchors";
import { digest } from "./digest";
import type { LedgerEntry } from "./entry";
import { headsOf, subjectsOf } from "./subjects";

/** A formula with what it fills and shows. */
export interface Candidate {
  readonly formula: FormulaCell;
  readonly area: Area;
  readonly cells: readonly (readonly CellContent[])[];
  /** Null where it has none: in a copy of the workbook, or when it has moved before it got one. */
  readonly block: Block | null;
}

export interface DescribeTools {
  readonly workbook: Workbook;
  readonly register: Pick<CellRegister, "get">;
  environmentId(): string | null;
  nowMs(): number;
}

interface Described {
  readonly candidates: readonly Candidate[];
  /**
   * By the formula's cell. Read before the values: where somebody sorts rows between the two, the batch that writes
   * finds another digest.
   */
  readonly refersTo: ReadonlyMap<string, string>;
  isFrozen(ref: CellRef): boolean;
  readonly as: "values" | "blank";
  /** What the values bring along, by cell. */
  readonly formats: ReadonlyMap<string, string>;
}

export async function describe(
  { workbook, register, environmentId, nowMs }: DescribeTools,
  { candidates, refersTo, isFrozen, as, formats }: Described,
): Promise<LedgerEntry[]> {
  const ids = new Map((await workbook.sheets()).map(({ name, id }) => [name, id]));
  const subjects = await subjectsOf(
    workbook,
    candidates.map(({ formula }) => formula),
  );
  const formulas = candidates.map(({ formula }) => formula);
  const heads = await headsOf(workbook, formulas, isFrozen);
  const writtenAt = new Date(nowMs()).toISOString();
  return candidates.map((candidate, index): LedgerEntry => {
    const {
      formula: { formula, ...ref },
      area,
      cells,
      block,
    } = candidate;
    const [bare, quoted] = cellAddresses(ref);
    const use = register.get(bare) ?? register.get(quoted);
    const oldestMs = use?.oldestMs ?? null;
    return {
      ref: { sheet: ref.sheet, row: ref.row, col: ref.col },
      sheetId: ids.get(ref.sheet) ?? "",
      formula,
      r1c1: toR1C1(formula, ref),
      rows: area.rows,
      cols: area.cols,
      digest: digest(as === "values" ? cells : cells.map((row) => row.map(() => null))),
      shown: as === "values" ? String(withoutKind(cells[0]?.[0] ?? null) ?? "") : "",
      store: subjects[index]?.store ?? "",
      item: subjects[index]?.item ?? "",
      asOf: oldestMs === null ? "" : new Date(oldestMs).toISOString(),
      environmentId: use?.environmentId ?? environmentId() ?? "",
      anchor: block?.anchor.name ?? "",
      block: block === null ? "" : areaAddress(block.block),
      refersTo: refersTo.get(cellKey(ref)) ?? "",
      writtenAt,
      head: heads[index] ?? "",
      numberFormat: cellsOf(area).flatMap((cell) => formats.get(cellKey(cell)) ?? [])[0] ?? "",
    };
  });
}
