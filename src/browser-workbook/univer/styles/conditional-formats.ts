/** Conditional formats in the grid: colors and bars that depend on values, and the rules that a copied sheet or a template takes along. */
import { generateRandomId, type IRange, type IStyleBase } from "@univerjs/core";
import {
  CFRuleType,
  CFSubRuleType,
  CFValueType,
  type IConditionFormattingRule,
} from "@univerjs/preset-sheets-conditional-formatting";
import type { FWorksheet } from "@univerjs/preset-sheets-core";
import type { CellArea } from "../../../formula/cells";
import { movedCells, respellReferences } from "../../../formula/references";
import type { Area, FoundHighlight, Highlight } from "../../../workbook/port";

type Rule = IConditionFormattingRule["rule"];

/** The grid can't draw heat. */
type GridHighlight = Exclude<Highlight, { kind: "heat" }>;

export function addHighlight(sheet: FWorksheet, area: CellArea, highlight: GridHighlight): void {
  const { row, col, rows, cols } = area;
  sheet.addConditionalFormattingRule({
    cfId: generateRandomId(),
    stopIfTrue: false,
    ranges: [{ startRow: row, endRow: row + rows - 1, startColumn: col, endColumn: col + cols - 1 }],
    rule: ruleOf(highlight),
  });
}

function ruleOf(highlight: GridHighlight): Rule {
  if (highlight.kind === "bars") {
    const { color } = highlight;
    const ends = { min: { type: CFValueType.num, value: 0 }, max: { type: CFValueType.max } };
    const config = { ...ends, isGradient: false, positiveColor: color, nativeColor: color };
    return { type: CFRuleType.dataBar, isShowValue: true, config };
  }
  const { formula, fill, color } = highlight;
  return {
    type: CFRuleType.highlightCell,
    subType: CFSubRuleType.formula,
    value: formula,
    style: {
      ...(fill === undefined ? {} : { bg: { rgb: fill } }),
      ...(color === undefined ? {} : { cl: { rgb: color } }),
    },
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

function movedRule(rule: Rule, rows: number): Rule {
  if (rule.type !== CFRuleType.highlightCell || rule.subType !== CFSubRuleType.formula) return rule;
  const move = { rows, cols: 0 };
  const value = respellReferences(rule.value, (cells) => movedCells(cells, move, () => false) ?? "#REF!");
  return { ...rule, value };
}

/**
 * Returns the sheet's rules, which the grid lists from the newest on. The page has no menu for rules and opens no files, so INV has
 * made all of them.
 */
export function highlightsOn(sheet: FWorksheet): FoundHighlight[] {
  return sheet
    .getConditionalFormattingRules()
    .toReversed()
    .map(({ ranges, rule }) => ({
      // A formula is for the first of these, as the grid sorts them.
      areas: areasOf(sheet, ranges).toSorted((a, b) => a.row - b.row || a.col - b.col),
      name: rule.type === CFRuleType.dataBar ? "data bar" : "rule with a formula",
      rule: highlightOf(rule),
    }));
}

function highlightOf(rule: Rule): Highlight | null {
  if (rule.type === CFRuleType.dataBar) return { kind: "bars", color: rule.config.positiveColor };
  if (rule.type !== CFRuleType.highlightCell || rule.subType !== CFSubRuleType.formula) return null;
  const { bg, cl }: IStyleBase = rule.style;
  if (!bg?.rgb && !cl?.rgb) return null;
  return {
    kind: "formula",
    formula: rule.value,
    ...(bg?.rgb ? { fill: bg.rgb } : {}),
    ...(cl?.rgb ? { color: cl.rgb } : {}),
  };
}

function areasOf(sheet: FWorksheet, ranges: readonly IRange[]): Area[] {
  return ranges.map(({ startRow, endRow, startColumn, endColumn }) => ({
    sheet: sheet.getSheetName(),
    row: startRow,
    col: startColumn,
    rows: endRow - startRow + 1,
    cols: endColumn - startColumn + 1,
  }));
}
