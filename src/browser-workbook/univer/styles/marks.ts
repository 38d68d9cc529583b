/** Marks of cells in the grid: one conditional format for each sheet, which INV recognizes by its formula. */
import { BooleanNumber, BorderStyleTypes, generateRandomId } from "@univerjs/core";
import { CFRuleType, CFSubRuleType } from "@univerjs/preset-sheets-conditional-formatting";
import type { FWorksheet } from "@univerjs/preset-sheets-core";
import { isSameArea } from "../../../workbook/addresses";
import type { Area, Look } from "../../../workbook/port";

interface FoundMark {
  readonly cfId: string;
  readonly areas: readonly Area[];
}

export function marksOn(sheet: FWorksheet, mark: Look): FoundMark[] {
  return sheet.getConditionalFormattingRules().flatMap(({ cfId, ranges, rule }) => {
    const isMark =
      rule.type === CFRuleType.highlightCell &&
      rule.subType === CFSubRuleType.formula &&
      rule.value === mark.formula;
    if (!isMark) return [];
    const areas = ranges.map(({ startRow, endRow, startColumn, endColumn }) => ({
      sheet: sheet.getSheetName(),
      row: startRow,
      col: startColumn,
      rows: endRow - startRow + 1,
      cols: endColumn - startColumn + 1,
    }));
    return [{ cfId, areas }];
  });
}

export function replaceMarks(sheet: FWorksheet, mark: Look, areas: readonly Area[]): void {
  const found = marksOn(sheet, mark);
  const marked = found.flatMap((each) => each.areas);
  const isRight =
    marked.length === areas.length && areas.every((area) => marked.some((each) => isSameArea(each, area)));
  if (isRight) return;
  for (const { cfId } of found) sheet.deleteConditionalFormattingRule(cfId);
  if (areas.length === 0) return;
  const color = { rgb: mark.color };
  sheet.addConditionalFormattingRule({
    cfId: generateRandomId(),
    stopIfTrue: false,
    ranges: areas.map(({ row, col, rows, cols }) => ({
      startRow: row,
      endRow: row + rows - 1,
      startColumn: col,
      endColumn: col + cols - 1,
    })),
    rule: {
      type: CFRuleType.highlightCell,
      subType: CFSubRuleType.formula,
      value: mark.formula,
      style: {
        cl: color,
        it: BooleanNumber.TRUE,
        bd: { b: { s: BorderStyleTypes.DOTTED, cl: color } },
      },
    },
  });
}
