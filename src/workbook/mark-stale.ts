/**
 * Marks stale values on an existing sheet: adds a status column to the right of everything, and conditional colours that depend
 * on it, because custom functions don't work in conditional formats. Skips formulas that fill several cells. It also skips
 * formulas whose arguments only work in their own cell: names that LET defines, and columns of a table.
 */
import { argumentTexts, callsIn, invFunctionNamed } from "../formula/calls";
import { tokensOf } from "../formula/tokens";
import { functionFacts } from "../domain/functions";
import { columnName } from "../formula/columns";
import type { Clock } from "../engine/clock";
import { cellKey } from "./addresses";
import { mergeCells, rowsOf } from "./cell-areas";
import { findInvFormulas } from "./formula-search";
import type { CellChange, FormulaCell, FoundContent, Workbook } from "./port";
import { changedMeanwhile, selectedAreas } from "./selected-areas";
import { styles } from "./templates/styles";

/** The colours of a stale value; the templates use the same. */
const staleColors = { fill: "#fff3cd", color: "#7a5200" };
const statusWidthPx = 250;

export interface MarkedStale {
  readonly sheet: string;
  readonly cells: number;
  readonly skipped: number;
  /** What INV has overwritten and couldn't put back. Almost always empty. */
  readonly overwritten: readonly FoundContent[];
}

/** Marks the current sheet in one undo step. Skips rows that already have a mark. */
export async function markStaleValues(workbook: Workbook, clock: Clock): Promise<MarkedStale> {
  const [{ sheet }] = await selectedAreas(workbook, clock);
  const used = await workbook.usedArea(sheet);
  if (used === null) return { sheet, cells: 0, skipped: 0, overwritten: [] };
  const found = await findInvFormulas(workbook, [used]);
  const extents = await workbook.extents(found);
  const rows = new Map<number, { readonly questions: Set<string>; readonly values: FormulaCell[] }>();
  const marked = new Set<number>();
  let skipped = 0;
  for (const [index, cell] of found.entries()) {
    const { rows: height = 1, cols: width = 1 } = extents[index] ?? {};
    const questions = height * width === 1 ? questionsIn(cell.formula) : null;
    if (questions === "mark") marked.add(cell.row);
    else if (questions === null) skipped += 1;
    else if (questions.length > 0) {
      const row = rows.get(cell.row) ?? { questions: new Set(), values: [] };
      for (const question of questions) row.questions.add(question);
      row.values.push(cell);
      rows.set(cell.row, row);
    }
  }
  for (const row of marked) rows.delete(row);
  const values = [...rows.values()].flatMap((row) => row.values);
  if (values.length === 0) return { sheet, cells: 0, skipped, overwritten: [] };

  const statusCol = used.col + used.cols;
  const rowNumbers = [...rows.keys()].sort((one, other) => one - other);
  const firstRow = rowNumbers[0] ?? 0;
  const lastRow = rowNumbers.at(-1) ?? 0;
  const top = Math.max(0, firstRow - 1);
  const firstCol = Math.min(...values.map(({ col }) => col));
  const changed = { sheet, row: top, col: firstCol, rows: lastRow + 1 - top, cols: statusCol + 1 - firstCol };
  const changes = new Map<string, CellChange>(
    [...rows].map(([row, { questions }]) => [
      cellKey({ sheet, row, col: statusCol }),
      { from: null, to: statusFormula(questions) },
    ]),
  );
  if (firstRow > 0) changes.set(cellKey({ sheet, row: top, col: statusCol }), { from: null, to: "Status" });
  // A status belongs to the formulas of its row.
  for (const { formula, ...ref } of values) changes.set(cellKey(ref), { from: formula });
  return workbook.step(
    async (workbook) => {
      const done = await workbook.replace(changed, rowsOf(changed, changes), { allOrNothing: true });
      const { overwritten } = done;
      if (overwritten.length > 0) return { sheet, cells: 0, skipped, overwritten };
      if (done.differing.length > 0) throw changedMeanwhile(sheet);
      const area = { sheet, col: statusCol, cols: 1 };
      await workbook.format({ ...area, row: firstRow, rows: 1 }, { widthPx: statusWidthPx });
      if (firstRow > 0) await workbook.format({ ...area, row: top, rows: 1 }, styles.header);
      await workbook.format({ ...area, row: firstRow, rows: lastRow + 1 - firstRow }, styles.note);
      for (const block of mergeCells(values)) {
        const formula = `=ISNUMBER(SEARCH("not answered",$${columnName(statusCol)}${block.row + 1}))`;
        await workbook.highlight(block, { kind: "formula", formula, ...staleColors });
      }
      return { sheet, cells: values.length, skipped, overwritten };
    },
    { asOneUndo: true },
  );
}

/** Returns a formula that shows only exceptions: nothing for SUCCESS. */
function statusFormula(questions: ReadonlySet<string>): string {
  const statuses = [...questions].map((question) => `INV.STATUS(${question},TRUE)`).join("&");
  return `=SUBSTITUTE(SUBSTITUTE(${statuses},"SUCCESS, ",""),"SUCCESS","")`;
}

/**
 * Returns the first arguments of INV.STATUS for each item of the formula. Returns `mark` for a formula that marks stale values
 * itself, and null if the arguments don't work in another cell.
 */
function questionsIn(formula: string): readonly string[] | "mark" | null {
  const tokens = tokensOf(formula);
  const calls = callsIn(tokens);
  const questions: string[] = [];
  for (const call of calls) {
    if (call.name === "LET" || call.name === "LAMBDA") return null;
    const name = invFunctionNamed(call.name);
    const asks = functionFacts[name ?? ""]?.asks ?? null;
    if (asks === null) continue;
    const texts = argumentTexts(tokens, call);
    const [store = "", item = ""] = texts;
    const type = asks === "item" ? (texts[name === "QTY" ? 4 : 2] ?? "") : "";
    if (name === "STATUS" && (texts[3] ?? "") !== "") return "mark";
    if ([store, item, type].some((text) => text.includes("["))) return null;
    if (store !== "" && item !== "") questions.push(`${store},${item},${type}`);
  }
  return calls.some(({ name }) => invFunctionNamed(name) !== null) ? questions : null;
}
