/** Highlights as the grid's conditional formatting rules, and back. Heat is not one of them: heat.ts. Pure. */
import {
  CFRuleType,
  CFSubRuleType,
  CFValueType,
  type IConditionFormattingRule,
} from "@univerjs/preset-sheets-conditional-formatting";
import type { IRange } from "@univerjs/core";
import { areaAddress } from "../../../workbook/addresses";
import type { Highlight } from "../../../workbook/port";
import type { Rectangle } from "../cell-reader";

/** A highlight of areas. A formula is spelled for the first cell of the first area, without `=`. */
export interface ConditionalFormat {
  readonly areas: readonly Rectangle[];
  readonly rule: Exclude<Highlight, { kind: "text" }>;
}

/** Null for a rule that is not one of INV's. */
export function conditionalFormat({ ranges, rule }: IConditionFormattingRule): ConditionalFormat | null {
  const areas = ranges.map(areaOf);
  if (rule.type === CFRuleType.dataBar) {
    return { areas, rule: { kind: "bars", color: rule.config.positiveColor } };
  }
  if (rule.type !== CFRuleType.highlightCell || rule.subType !== CFSubRuleType.formula) return null;
  const { bg, cl } = rule.style;
  const formula = rule.value.replace(/^=/, "");
  return { areas, rule: { kind: "formula", formula, fill: bg?.rgb ?? "", color: cl?.rgb ?? "" } };
}

function areaOf({ startRow, endRow, startColumn, endColumn }: IRange): Rectangle {
  return { row: startRow, col: startColumn, rows: endRow - startRow + 1, cols: endColumn - startColumn + 1 };
}

/** @param id differs from those of the sheet's other rules */
export function gridRule(
  area: Rectangle,
  highlight: Exclude<Highlight, { kind: "heat" }>,
  id: string,
): IConditionFormattingRule {
  const { row, col, rows, cols } = area;
  return {
    cfId: id,
    stopIfTrue: false,
    ranges: [{ startRow: row, endRow: row + rows - 1, startColumn: col, endColumn: col + cols - 1 }],
    rule: ruleOf(area, highlight),
  };
}

function ruleOf(
  { row, col }: Rectangle,
  highlight: Exclude<Highlight, { kind: "heat" }>,
): IConditionFormattingRule["rule"] {
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
