/**
 * Conditional formats in the grid: colors and bars that depend on values, the rules that a copied sheet or a template takes along, and
 * the colours of stale cells, which are one rule for each sheet that INV recognizes by its formula.
 */
import {
  BooleanNumber,
  BorderStyleTypes,
  generateRandomId,
  type IRange,
  type IStyleBase,
  type Nullable,
} from "@univerjs/core";
import {
  CFRuleType,
  CFSubRuleType,
  CFValueType,
  type IConditionFormattingRule,
} from "@univerjs/preset-sheets-conditional-formatting";
import type { FWorksheet } from "@univerjs/preset-sheets-core";
import type { CellArea } from "../../../formula/cells";
import { movedCells, respellReferences } from "../../../formula/references";
import { isSameArea } from "../../../workbook/addresses";
import {
  type Comparison,
  comparisonFormula,
  quotedText,
  type TextComparison,
  textFormula,
} from "../../../workbook/cell-rules";
import type { Area, CellRef, FoundHighlight, Highlight, Look } from "../../../workbook/port";

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

/** Returns the sheet's rules. The grid lists the newest first. */
export function highlightsOn(sheet: FWorksheet): FoundHighlight[] {
  return sheet
    .getConditionalFormattingRules()
    .toReversed()
    .map(({ ranges, rule }) => {
      // A formula is for the first of these, as the grid sorts them.
      const areas = areasOf(sheet, ranges).toSorted((a, b) => a.row - b.row || a.col - b.col);
      const [first] = areas;
      return { areas, name: nameOf(rule), rule: first === undefined ? null : highlightOf(rule, first) };
    });
}

function nameOf(rule: Rule): string {
  if (rule.type === CFRuleType.iconSet) return "icon set";
  if (rule.type === CFRuleType.dataBar) return "data bar";
  if (rule.type === CFRuleType.colorScale) return "colour scale";
  return subNames[rule.subType];
}

const subNames: Readonly<Record<CFSubRuleType, string>> = {
  [CFSubRuleType.formula]: "rule with a formula",
  [CFSubRuleType.number]: "rule for values",
  [CFSubRuleType.text]: "rule for texts",
  [CFSubRuleType.rank]: "rule for the top or bottom",
  [CFSubRuleType.average]: "rule for dates, averages or duplicates",
  [CFSubRuleType.duplicateValues]: "rule for dates, averages or duplicates",
  [CFSubRuleType.uniqueValues]: "rule for dates, averages or duplicates",
  [CFSubRuleType.timePeriod]: "rule for dates, averages or duplicates",
};

function highlightOf(rule: Rule, first: CellRef): Highlight | null {
  if (rule.type === CFRuleType.dataBar) {
    const { positiveColor: color } = rule.config;
    return isColour(color) ? { kind: "bars", color } : null;
  }
  if (rule.type !== CFRuleType.highlightCell) return null;
  const formula = formulaOf(rule, first);
  const { bg, cl }: IStyleBase = rule.style;
  const colours = { ...colourIn("fill", bg), ...colourIn("color", cl) };
  if (formula === null || Object.keys(colours).length === 0) return null;
  return { kind: "formula", formula, ...colours };
}

function formulaOf(rule: Extract<Rule, { type: CFRuleType.highlightCell }>, first: CellRef): string | null {
  if (rule.subType === CFSubRuleType.formula) return rule.value;
  if (rule.subType === CFSubRuleType.number) {
    const [one, other] = [rule.value ?? 0].flat();
    const comparison = comparisons[rule.operator];
    if (comparison === undefined) return null;
    return comparisonFormula(first, comparison, [String(one), String(other ?? one)]);
  }
  if (rule.subType !== CFSubRuleType.text) return null;
  const { operator, value = "" } = rule;
  const whole = comparisons[operator];
  if (whole !== undefined) return comparisonFormula(first, whole, [quotedText(value)]);
  const comparison = textComparisons[operator];
  return comparison === undefined ? null : textFormula(first, comparison, value);
}

function colourIn(
  name: "fill" | "color",
  style: Nullable<{ rgb?: Nullable<string> }>,
): Partial<Record<"fill" | "color", string>> {
  return style?.rgb && isColour(style.rgb) ? { [name]: style.rgb } : {};
}

function isColour(colour: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(colour);
}

/** By the grid's names. */
const comparisons: Readonly<Record<string, Comparison>> = {
  equal: "=",
  notEqual: "<>",
  greaterThan: ">",
  lessThan: "<",
  greaterThanOrEqual: ">=",
  lessThanOrEqual: "<=",
  between: "between",
  notBetween: "not between",
};

const textComparisons: Readonly<Record<string, TextComparison>> = {
  containsText: "contains",
  notContainsText: "not contains",
  beginsWith: "begins with",
  endsWith: "ends with",
};

interface FoundColour {
  readonly cfId: string;
  readonly areas: readonly Area[];
}

export function colouredOn(sheet: FWorksheet, look: Look): FoundColour[] {
  return sheet.getConditionalFormattingRules().flatMap(({ cfId, ranges, rule }) => {
    const isColour =
      rule.type === CFRuleType.highlightCell &&
      rule.subType === CFSubRuleType.formula &&
      rule.value === look.formula;
    if (!isColour) return [];
    return [{ cfId, areas: areasOf(sheet, ranges) }];
  });
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

export function replaceColours(sheet: FWorksheet, look: Look, areas: readonly Area[]): void {
  const found = colouredOn(sheet, look);
  const coloured = found.flatMap((each) => each.areas);
  const isRight =
    coloured.length === areas.length &&
    areas.every((area) => coloured.some((each) => isSameArea(each, area)));
  if (isRight) return;
  for (const { cfId } of found) sheet.deleteConditionalFormattingRule(cfId);
  if (areas.length === 0) return;
  const color = { rgb: look.color };
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
      value: look.formula,
      style: {
        cl: color,
        it: BooleanNumber.TRUE,
        bd: { b: { s: BorderStyleTypes.DOTTED, cl: color } },
      },
    },
  });
}
