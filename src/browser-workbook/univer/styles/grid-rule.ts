/** Converts highlights to the grid's conditional formatting rules. Pure. */
import {
  CFRuleType,
  CFSubRuleType,
  CFValueType,
  type IConditionFormattingRule,
} from "@univerjs/preset-sheets-conditional-formatting";
import { areaAddress } from "../../../workbook/addresses";
import type { Highlight } from "../../../workbook/port";
import type { Rectangle } from "../cell-reader";

/** @param id unique among the sheet's rules */
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
