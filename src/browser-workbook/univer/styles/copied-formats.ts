/** Copies the look of cells to another sheet of the grid: styles, and conditional formats with their references moved. */
import { generateRandomId, type ICellData } from "@univerjs/core";
import {
  CFRuleType,
  CFSubRuleType,
  type IConditionFormattingRule,
} from "@univerjs/preset-sheets-conditional-formatting";
import type { FWorksheet } from "@univerjs/preset-sheets-core";
import { movedCells, respellReferences } from "../../../formula/references";
import type { Rectangle } from "../cell-reader";

export function stylesOf(sheet: FWorksheet, { row, col, rows, cols }: Rectangle): ICellData[][] {
  const model = sheet.getSheet();
  return Array.from({ length: rows }, (_, r) =>
    Array.from({ length: cols }, (_unused, c) => ({ s: model.getCellRaw(row + r, col + c)?.s ?? null })),
  );
}

export function copyRules(from: FWorksheet, to: FWorksheet, rowsAbove: number): void {
  // The grid adds a rule before the others.
  for (const { ranges, rule, stopIfTrue } of from.getConditionalFormattingRules().toReversed()) {
    to.addConditionalFormattingRule({
      cfId: generateRandomId(),
      stopIfTrue,
      ranges: ranges.map((range) => ({
        ...range,
        startRow: range.startRow + rowsAbove,
        endRow: range.endRow + rowsAbove,
      })),
      rule: movedRule(rule, rowsAbove),
    });
  }
}

function movedRule(rule: IConditionFormattingRule["rule"], rows: number): IConditionFormattingRule["rule"] {
  if (rule.type !== CFRuleType.highlightCell || rule.subType !== CFSubRuleType.formula) return rule;
  const move = { rows, cols: 0 };
  const value = respellReferences(rule.value, (cells) => movedCells(cells, move, () => false) ?? "#REF!");
  return { ...rule, value };
}
