/**
 * Conditional formats in the grid: colors and bars that depend on values, the rules that a copied sheet takes along, and INV's marks
 * of cells, which are one rule for each sheet that INV recognizes by its formula.
 */
import { BooleanNumber, BorderStyleTypes, generateRandomId } from "@univerjs/core";
import {
  CFRuleType,
  CFSubRuleType,
  CFValueType,
  type IConditionFormattingRule,
} from "@univerjs/preset-sheets-conditional-formatting";
import type { FWorksheet } from "@univerjs/preset-sheets-core";
import { movedCells, respellReferences } from "../../../formula/references";
import { areaAddress, isSameArea } from "../../../workbook/addresses";
import type { Area, Highlight, Look } from "../../../workbook/port";
import type { Rectangle } from "../cell-reader";

/** The grid can't draw heat. */
type GridHighlight = Exclude<Highlight, { kind: "heat" }>;

export function addHighlight(sheet: FWorksheet, area: Rectangle, highlight: GridHighlight): void {
  const { row, col, rows, cols } = area;
  sheet.addConditionalFormattingRule({
    cfId: generateRandomId(),
    stopIfTrue: false,
    ranges: [{ startRow: row, endRow: row + rows - 1, startColumn: col, endColumn: col + cols - 1 }],
    rule: ruleOf(area, highlight),
  });
}

function ruleOf({ row, col }: Rectangle, highlight: GridHighlight): IConditionFormattingRule["rule"] {
  const { kind, color } = highlight;
  if (kind === "bars") {
    const ends = { min: { type: CFValueType.num, value: 0 }, max: { type: CFValueType.max } };
    const config = { ...ends, isGradient: false, positiveColor: color, nativeColor: color };
    return { type: CFRuleType.dataBar, isShowValue: true, config };
  }
  const formula =
    kind === "formula"
      ? highlight.formula.replace(/^=/, "")
      : `${areaAddress({ row, col, rows: 1, cols: 1 })}="${highlight.equals.replaceAll('"', '""')}"`;
  return {
    type: CFRuleType.highlightCell,
    subType: CFSubRuleType.formula,
    value: `=${formula}`,
    style: { bg: { rgb: highlight.fill }, cl: { rgb: color } },
  };
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
