/**
 * INV formulas that show #NAME?: Excel did not know INV when it read them (a file that another program wrote, a
 * start that came too late), and does not look again until they are entered again (office-js 6355 and 6611). They
 * are found, and entered again as they stand, in the spelling that people read. A formula that holds another
 * unknown name shows #NAME? afterwards too, and is found again.
 */
import { cellKey } from "../addresses";
import { type Block, bySheet, mergeCells } from "../cell-areas";
import { isError } from "../cell-content";
import { randomWord } from "../frozen-formulas/anchors";
import { ledgerSheet } from "../frozen-formulas/ledger-sheets";
import { readBook } from "../frozen-formulas/referred-cells";
import { restoreTableColumns, watchTableColumns } from "../frozen-formulas/table-columns";
import { fromStoredFunctions } from "../../formula/file-spelling";
import { findInvFormulas } from "../formula-search";
import type { Area, CellContent, CellRef, FormulaCell, Workbook } from "../port";

export interface EnteredAgain {
  readonly cells: number;
  /** Left as they are: on a protected sheet, part of a shared array formula, or another formula by now. */
  readonly left: number;
}

/** More single reads than this cost more than all that lies between. */
const mostReads = 50;

/** The cells whose formula reaches INV and that show #NAME?. */
export async function findNameErrors(workbook: Workbook): Promise<readonly FormulaCell[]> {
  const cells = await findInvFormulas(workbook);
  const shown = new Set<string>();
  for (const area of fewBlocksOf(cells)) {
    eachCell(area, await workbook.contents(area), (ref, content) => {
      if (isError(content) && content.error === "#NAME?") shown.add(cellKey(ref));
    });
  }
  return cells.filter((cell) => shown.has(cellKey(cell)));
}

/**
 * Enters them again, as one step to undo.
 * @param random as Math.random
 */
export async function enterAgain(
  workbook: Workbook,
  cells: readonly FormulaCell[],
  random: () => number,
): Promise<EnteredAgain> {
  const standing = await writable(workbook, cells);
  const formulas = standing.map((cell) => fromStoredFunctions(cell.formula));
  const around = { ...(await readBook(workbook, formulas)), isFrozen: () => false };
  const names: string[] = [];
  const prefix = `${ledgerSheet}_${randomWord(random)}`;
  const newName = (): string => `${prefix}_${names.push(`${prefix}_${names.length + 1}`)}`;
  const tools = { workbook, around, newName };
  const targets = standing.map((cell, index) => ({ area: single(cell), formula: formulas[index] ?? "" }));
  // Excel may fill a Table's column over what a person has typed there.
  const watched = await watchTableColumns(tools, targets);
  const byCell = new Map(targets.map(({ area, formula }) => [cellKey(area), formula]));
  await workbook.step(
    async () => {
      for (const area of blocksOf(standing)) {
        const rows = Array.from({ length: area.rows }, (_, r) =>
          Array.from({ length: area.cols }, (_unused, c) => {
            const at = { sheet: area.sheet, row: area.row + r, col: area.col + c };
            return byCell.get(cellKey(at)) ?? null;
          }),
        );
        await workbook.write(area, rows);
      }
    },
    { asOneUndo: true },
  );
  await restoreTableColumns(tools, watched);
  if (names.length > 0) await workbook.deleteNames(names);
  return { cells: standing.length, left: cells.length - standing.length };
}

/** Those that still hold their formula, and may be written one by one. */
async function writable(workbook: Workbook, cells: readonly FormulaCell[]): Promise<readonly FormulaCell[]> {
  const sheets = await workbook.sheets();
  const open = new Set(sheets.filter(({ isProtected }) => !isProtected).map(({ name }) => name));
  const wanted = cells.filter(({ sheet }) => open.has(sheet));
  const formulas = new Map(wanted.map((cell) => [cellKey(cell), cell.formula]));
  const standing = new Set<string>();
  for (const area of fewBlocksOf(wanted)) {
    eachCell(area, await workbook.read(area, "formulas"), (ref, formula) => {
      if (formulas.get(cellKey(ref)) === formula) standing.add(cellKey(ref));
    });
  }
  const extents = await workbook.extents(wanted);
  for (const extent of extents) if (extent.isSharedArray) standing.delete(cellKey(extent));
  return wanted.filter((cell) => standing.has(cellKey(cell)));
}

function single({ sheet, row, col }: CellRef): Area {
  return { sheet, row, col, rows: 1, cols: 1 };
}

function blocksOf(cells: readonly CellRef[]): Area[] {
  return [...bySheet(cells)].flatMap(([sheet, refs]) =>
    mergeCells(refs).map((block) => ({ sheet, ...block })),
  );
}

/** For reading: with what lies between, where that is fewer reads. */
function fewBlocksOf(cells: readonly CellRef[]): Area[] {
  return [...bySheet(cells)].flatMap(([sheet, refs]) => {
    const blocks = mergeCells(refs);
    return (blocks.length <= mostReads ? blocks : [boundsOf(blocks)]).map((block) => ({ sheet, ...block }));
  });
}

function boundsOf(blocks: readonly Block[]): Block {
  const bounds = { row: Infinity, col: Infinity, rows: 0, cols: 0 };
  let [bottom, right] = [0, 0];
  for (const { row, col, rows, cols } of blocks) {
    bounds.row = Math.min(bounds.row, row);
    bounds.col = Math.min(bounds.col, col);
    bottom = Math.max(bottom, row + rows);
    right = Math.max(right, col + cols);
  }
  return { ...bounds, rows: bottom - bounds.row, cols: right - bounds.col };
}

function eachCell<Content extends CellContent>(
  { sheet, row, col }: Area,
  lines: readonly (readonly Content[])[],
  tell: (ref: CellRef, content: Content) => void,
): void {
  for (const [r, line] of lines.entries()) {
    for (const [c, content] of line.entries()) tell({ sheet, row: row + r, col: col + c }, content);
  }
}
