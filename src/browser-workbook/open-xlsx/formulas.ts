/**
 * Formulas as a file spells them, made into what the grid calculates: INV's functions stand in files under a name of
 * their own, newer functions of Excel behind a prefix. A formula that reaches out of the workbook is not taken: its
 * value stands instead. One formula that many cells share is moved to each of them. Pure.
 */
import { columnIndex, columnName, sheetCols, sheetRows } from "../../domain/columns";
import { emptyTexts, fetchesOrCalls } from "../../domain/templates/reaching-out";
import { outsideTexts } from "../../workbook/formula-text";
import { asPeopleRead, identifiersIn } from "../../workbook/inv-formulas";
import { replaceReferences } from "../../workbook/references";
import { withAnchorSigns } from "../download/spill-references";

const longestFormula = 8_192;

/** Why a formula is not taken: it reaches out of the workbook, or to columns of a table, which the grid has not. */
export type Untaken = "outside" | "table";

/** With its `=`, or why not. @param formula as the file has it, without `=` */
export function gridFormula(formula: string): { readonly formula: string } | { readonly untaken: Untaken } {
  if (formula.length > longestFormula) return { untaken: "outside" };
  const bare = outsideTexts(asPeopleRead(formula), (part) =>
    part.replaceAll(/_xl(?:fn|ws|pm|eta|udf)\./gi, ""),
  );
  const spelled = `=${withAnchorSigns(bare)}`;
  if (reachesOut(spelled)) return { untaken: "outside" };
  return /[\p{L}\p{N}_.]\[/u.test(emptyTexts(spelled)) ? { untaken: "table" } : { formula: spelled };
}

/** `[1]Sheet!A1` and `'C:\[x.xlsx]Sheet'!A1` are of other files; `cmd|' /c calc'!A0` starts a program. */
function reachesOut(formula: string): boolean {
  const bare = emptyTexts(formula);
  const isOtherFile =
    /\[[^\]]*\][\p{L}\p{N}_.]*'?!/u.test(bare) || /'[^']*(?:[\\/[\]]|\.xl\w+)[^']*'!/i.test(bare);
  if (isOtherFile || bare.includes("|")) return true;
  for (const word of identifiersIn(formula)) if (fetchesOrCalls(word)) return true;
  return false;
}

/** As it reads so many rows and columns further on: relative references move along. */
export function movedFormula(formula: string, rows: number, cols: number): string {
  return replaceReferences(formula, (reference) => {
    const sheetEnd = reference.lastIndexOf("!") + 1;
    const moved = reference
      .slice(sheetEnd)
      .replaceAll(/(\$?)([A-Za-z]+|\d+)/g, (all, fix: string, part: string) => {
        if (fix !== "") return all;
        const isRow = /\d/.test(part);
        const next = isRow ? Number(part) - 1 + rows : columnIndex(part) + cols;
        if (next < 0 || next >= (isRow ? sheetRows : sheetCols)) return "#";
        return isRow ? String(next + 1) : columnName(next);
      });
    return moved.includes("#") ? "#REF!" : reference.slice(0, sheetEnd) + moved;
  });
}
