/** Colours that follow values as the grid's rules, and back. Pure. */
import {
  CFRuleType,
  CFSubRuleType,
  CFTextOperator,
  CFValueType,
  type IConditionFormattingRule,
} from "@univerjs/preset-sheets-conditional-formatting";
import { BooleanNumber, type IRange, type IStyleBase } from "@univerjs/core";
import { columnName } from "../../../formula/columns";
import type { Rectangle } from "../cell-reader";
import type { Bound, ConditionalFormat, ConditionalStyle } from "./conditional-format";
import { gridStyle } from "./grid-style";

type GridRule = IConditionFormattingRule["rule"];

/** Null for kinds that are not among these. */
export function conditionalFormat({ ranges, rule }: IConditionFormattingRule): ConditionalFormat | null {
  const areas = ranges.map(areaOf);
  if (rule.type === CFRuleType.colorScale) {
    const stops = [...rule.config].sort((one, other) => one.index - other.index);
    return {
      areas,
      rule: { kind: "scale", stops: stops.map(({ value, color }) => ({ at: value, color })) },
    };
  }
  if (rule.type === CFRuleType.dataBar) {
    const { min, max, positiveColor: color } = rule.config;
    return { areas, rule: { kind: "bars", from: min, to: max, color } };
  }
  if (rule.type !== CFRuleType.highlightCell) return null;
  const formula = conditionOf(rule, areas);
  return formula === null ? null : { areas, rule: { kind: "formula", formula, style: styleOf(rule.style) } };
}

/** As a formula for the first cell, without `=`. */
function conditionOf(
  rule: Extract<GridRule, { type: CFRuleType.highlightCell }>,
  [first]: readonly Rectangle[],
): string | null {
  if (rule.subType === CFSubRuleType.formula) return rule.value.replace(/^=/, "");
  const isText = rule.subType === CFSubRuleType.text && rule.operator === CFTextOperator.equal;
  if (!isText || first === undefined) return null;
  return `${columnName(first.col)}${first.row + 1}="${(rule.value ?? "").replaceAll('"', '""')}"`;
}

function styleOf({ bl: bold, it: italic, cl: color, bg: fill }: IStyleBase): ConditionalStyle {
  return {
    ...(bold === BooleanNumber.TRUE ? { bold: true } : {}),
    ...(italic === BooleanNumber.TRUE ? { italic: true } : {}),
    ...(color?.rgb ? { color: color.rgb } : {}),
    ...(fill?.rgb ? { fill: fill.rgb } : {}),
  };
}

function areaOf({ startRow, endRow, startColumn, endColumn }: IRange): Rectangle {
  return { row: startRow, col: startColumn, rows: endRow - startRow + 1, cols: endColumn - startColumn + 1 };
}

/** @param id no other of the sheet's rules has it */
export function gridRule({ areas, rule }: ConditionalFormat, id: string): IConditionFormattingRule {
  return {
    cfId: id,
    stopIfTrue: false,
    ranges: areas.map(({ row, col, rows, cols }) => ({
      ...{ startRow: row, endRow: row + rows - 1, startColumn: col, endColumn: col + cols - 1 },
    })),
    rule: ruleOf(rule),
  };
}

function ruleOf(rule: ConditionalFormat["rule"]): GridRule {
  if (rule.kind === "scale") {
    return {
      type: CFRuleType.colorScale,
      config: rule.stops.map(({ at, color }, index) => ({ index, color, value: gridBound(at) })),
    };
  }
  if (rule.kind === "bars") {
    const { from, to, color } = rule;
    const ends = { min: gridBound(from), max: gridBound(to) };
    const config = { ...ends, isGradient: false, positiveColor: color, nativeColor: color };
    return { type: CFRuleType.dataBar, isShowValue: true, config };
  }
  return {
    type: CFRuleType.highlightCell,
    subType: CFSubRuleType.formula,
    value: `=${rule.formula}`,
    style: gridStyle(rule.style),
  };
}

const boundTypes: Readonly<Record<Bound["type"], CFValueType>> = {
  min: CFValueType.min,
  max: CFValueType.max,
  num: CFValueType.num,
  percent: CFValueType.percent,
  percentile: CFValueType.percentile,
  formula: CFValueType.formula,
};

function gridBound({ type, value }: Bound): { type: CFValueType; value?: number | string } {
  return { type: boundTypes[type], ...(value === undefined ? {} : { value }) };
}
