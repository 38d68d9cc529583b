/**
 * INV formulas that show #NAME?: Excel did not know INV when it read them (a file that another program wrote, a
 * start that came too late), and does not look again until they are entered again (office-js 6355 and 6611). They
 * are found, and entered again as they stand, in the spelling that people read. A formula that holds another
 * unknown name shows #NAME? afterwards too, and is found again.
 */
import { cellKey } from "../addresses";
import { type Block, bySheet, mergeCells } from "../cell-areas";
import { isError } from "../cell-content";
import { type LeftCell, restoreFilled } from "../freeze/restore-filled";
import { asPeopleRead } from "../inv-formulas";
import { findInvFormulas } from "../inv-names";
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

/** Enters them again, as one step to undo. */
export async function enterAgain(workbook: Workbook, cells: readonly FormulaCell[]): Promise<EnteredAgain> {
  const standing = await writable(workbook, cells);
  await workbook.step(
    async () => {
      const beside = await besideInTables(workbook, standing);
      const formulas = new Map(standing.map((cell) => [cellKey(cell), asPeopleRead(cell.formula)]));
      for (const area of blocksOf(standing)) {
        const rows = Array.from({ length: area.rows }, (_, r) =>
          Array.from({ length: area.cols }, (_unused, c) => {
            const at = { sheet: area.sheet, row: area.row + r, col: area.col + c };
            return formulas.get(cellKey(at)) ?? null;
          }),
        );
        await workbook.write(area, rows);
      }
      await restoreFilled(workbook, beside);
    },
    { asOneUndo: true },
  );
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

/**
 * What stands in a Table's column beside the formulas that are entered: Excel may fill the column's formula over
 * what a person has typed there.
 */
async function besideInTables(workbook: Workbook, cells: readonly FormulaCell[]): Promise<LeftCell[]> {
  const beside: LeftCell[] = [];
  const entered = new Set(cells.map(cellKey));
  for (const { area } of await workbook.tables()) {
    const { sheet } = area;
    const touched = cells.filter((cell) => cell.sheet === sheet && holds(area, cell)).map(({ col }) => col);
    for (const col of new Set(touched)) {
      const column = { ...area, row: area.row + 1, rows: area.rows - 1, col, cols: 1 };
      const formulas = await workbook.read(column, "formulas");
      eachCell(column, await workbook.contents(column), (ref, content) => {
        const held = formulas[ref.row - column.row]?.[0];
        const isFormula = typeof held === "string" && held.startsWith("=");
        if (isFormula || entered.has(cellKey(ref))) return;
        beside.push({ area: { ...ref, rows: 1, cols: 1 }, content });
      });
    }
  }
  return beside;
}

function holds(area: Area, { row, col }: CellRef): boolean {
  return row > area.row && row < area.row + area.rows && col >= area.col && col < area.col + area.cols;
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
