/**
 * Finds the cell with the input error behind a formula without a value. Searches for the refused store or item in the cells
 * elsewhere that the formula refers to (such as a saved list), otherwise in its row and in the headings above it. A single
 * match can be corrected, unless a formula has filled it. An item in the formula itself isn't corrected.
 */
import type { Problem } from "../../cells/activity";
import type { CellRegister } from "../../cells/cell-register";
import { validate } from "../../domain/validator/validate";
import type { InputField, Finding } from "../../domain/validator/finding";
import { parseCellAddress } from "../addresses";
import type { Correction } from "../corrections";
import type { CellRef, Workbook } from "../port";
import { type CellWithContent, readReferredCells } from "./referred-cells";
import { findFilledCells } from "./spilled";

export interface InputFix {
  readonly field: InputField;
  readonly received: string;
  readonly meant: string;
  readonly sure: boolean;
  /** Null if the cell can't be found. */
  readonly correction: Correction | null;
}

const colsRead = 60;
const headingRows = 20;

/** Returns what the person probably meant; null if INV can't tell. */
export function probableFix({ store, item, error }: Problem): Omit<InputFix, "correction"> | null {
  if (error.code !== "bad-argument" && error.code !== "not-mapped") return null;
  const field = error.message.startsWith("store:") ? "store" : "item";
  const found = findingOf({ store: store === "" ? null : store, item: item === "" ? null : item }, field);
  const [change] = found?.changes ?? [];
  if (found === undefined || change === undefined) return null;
  return { field, received: field === "store" ? store : item, meant: String(change.value), sure: found.sure };
}

/**
 * Finds the probable fixes of many problems, with the cells to correct. Reads each sheet twice, and each area that formulas
 * refer to once.
 */
export async function findFixes(
  { workbook, cells }: { readonly workbook: Workbook; readonly cells: CellRegister },
  problems: readonly Problem[],
): Promise<ReadonlyMap<Problem, InputFix>> {
  const fixes = new Map<Problem, InputFix>();
  const placed = new Map<string, { problem: Problem; at: CellRef }[]>();
  for (const problem of problems) {
    const fix = probableFix(problem);
    if (fix === null) continue;
    fixes.set(problem, { ...fix, correction: null });
    const at = problem.cell === null ? null : parseCellAddress(problem.cell);
    if (at === null) continue;
    const ofSheet = placed.get(at.sheet) ?? [];
    ofSheet.push({ problem, at });
    placed.set(at.sheet, ofSheet);
  }
  for (const [sheet, places] of placed) {
    const ats = places.map(({ at }) => at);
    const around = await readAround(workbook, sheet, ats);
    const named = await readReferredCells({ workbook, cells }, ats);
    const candidates: {
      readonly problem: Problem;
      readonly fix: InputFix;
      readonly cells: readonly CellWithContent[];
    }[] = [];
    for (const { problem, at } of places) {
      const fix = fixes.get(problem);
      if (fix === undefined) continue;
      const beside = around(at);
      const own = beside.find(({ cell }) => cell.row === at.row && cell.col === at.col);
      const contents = (await named({ cell: at, value: own?.value ?? null })) ?? beside;
      candidates.push({ problem, fix, cells: cellsWith(fix.received, contents) });
    }
    const isFilled = await findFilledCells(
      workbook,
      candidates.flatMap(({ cells: found }) => found.map(({ cell }) => cell)),
    );
    for (const { problem, fix, cells: found } of candidates) {
      const free = found.filter(({ cell }) => !isFilled(cell));
      fixes.set(problem, { ...fix, correction: correctionOf(fix, free) });
    }
  }
  return fixes;
}

function findingOf(row: Parameters<typeof validate>[0][number], field: InputField): Finding | undefined {
  const types = ["gtin", "wm_item_number"] as const;
  return types
    .flatMap((type) => validate([row], type).findings)
    .find(({ changes, fault }) => fault !== "swapped" && changes.some((change) => change.field === field));
}

/** Returns a reader of the cells in a row, and of the heading cells in the sheet's first rows. */
async function readAround(
  workbook: Workbook,
  sheet: string,
  cells: readonly CellRef[],
): Promise<(at: CellRef) => CellWithContent[]> {
  const top = Math.min(...cells.map(({ row }) => row));
  const bottom = Math.max(...cells.map(({ row }) => row));
  const cols = Math.max(colsRead, ...cells.map(({ col }) => col + 1));
  const body = await workbook.read({ sheet, row: top, col: 0, rows: bottom - top + 1, cols }, "formulas");
  const head = await workbook.read({ sheet, row: 0, col: 0, rows: headingRows, cols }, "formulas");
  return ({ row, col }) => {
    const ofRow = (body[row - top] ?? []).map((value, at) => ({ cell: { sheet, row, col: at }, value }));
    const above = head
      .slice(0, row)
      .map((values, at) => ({ cell: { sheet, row: at, col }, value: values[col] ?? null }));
    return [...ofRow, ...above];
  };
}

function cellsWith(received: string, contents: readonly CellWithContent[]): readonly CellWithContent[] {
  return contents.filter(({ value }) => value !== null && String(value) === received);
}

function correctionOf(
  fix: Omit<InputFix, "correction">,
  [only, ...others]: readonly CellWithContent[],
): Correction | null {
  if (only === undefined || others.length > 0) return null;
  return { cell: only.cell, from: only.value, to: fix.field === "store" ? Number(fix.meant) : fix.meant };
}
