/** Colours that follow values, from Excel's terms into the grid's rules: the way back of conditional-format.ts. Pure. */
import {
  CFNumberOperator,
  CFRuleType,
  CFSubRuleType,
  CFValueType,
  type IConditionFormattingRule,
} from "@univerjs/preset-sheets-conditional-formatting";
import type { Bound, ConditionalFormat } from "./conditional-format";
import { gridStyle } from "./grid-style";

type Stops = Extract<ConditionalFormat["rule"], { kind: "scale" }>["stops"];
type Stop = Stops[number];

/** A scale from the lowest over the middle to the highest value. */
interface HeatScaleFormat extends ConditionalFormat {
  readonly rule: { readonly kind: "scale"; readonly stops: readonly [Stop, Stop, Stop] };
}

/** Drawn as heat, which sees spilled cells too (heat.ts). */
export function isHeat(format: ConditionalFormat): format is HeatScaleFormat {
  const { rule } = format;
  if (rule.kind !== "scale" || rule.stops.length !== 3) return false;
  const [low, middle, high] = rule.stops.map(({ at }) => at);
  return low?.type === "min" && middle?.type === "percentile" && middle.value === 50 && high?.type === "max";
}

export function gridRule({ areas, rule }: ConditionalFormat, index: number): IConditionFormattingRule {
  return {
    cfId: `file-${index}`,
    stopIfTrue: false,
    ranges: areas.map(({ row, col, rows, cols }) => ({
      ...{ startRow: row, endRow: row + rows - 1, startColumn: col, endColumn: col + cols - 1 },
    })),
    rule: ruleOf(rule),
  };
}

function ruleOf(rule: ConditionalFormat["rule"]): IConditionFormattingRule["rule"] {
  switch (rule.kind) {
    case "scale":
      return {
        type: CFRuleType.colorScale,
        config: rule.stops.map(({ at, color }, index) => ({ index, color, value: gridBound(at) })),
      };
    case "bars": {
      const { color, isGradient } = rule;
      const colors = { positiveColor: color, nativeColor: color };
      return {
        type: CFRuleType.dataBar,
        isShowValue: rule.showsValue,
        config: { min: gridBound(rule.from), max: gridBound(rule.to), isGradient, ...colors },
      };
    }
    case "icons":
      return { type: CFRuleType.iconSet, isShowValue: rule.showsValue, config: iconsOf(rule) };
    case "formula":
      return {
        type: CFRuleType.highlightCell,
        subType: CFSubRuleType.formula,
        value: `=${rule.formula}`,
        style: gridStyle(rule.style),
      };
  }
}

type IconConfig = Extract<IConditionFormattingRule["rule"], { type: CFRuleType.iconSet }>["config"];

/** The grid begins with the highest icon; the lowest has all that is left. */
function iconsOf({ set, from }: { readonly set: string; readonly from: readonly Bound[] }): IconConfig {
  const above = [...from.slice(1)].reverse();
  // Excel's names of the sets are the grid's.
  const iconType = set as unknown as IconConfig[number]["iconType"];
  return [...above, { type: "num", value: 0 } as const].map((bound, index) => ({
    operator: index === above.length ? CFNumberOperator.lessThan : CFNumberOperator.greaterThanOrEqual,
    value: gridBound(index === above.length ? (above.at(-1) ?? bound) : bound),
    iconType,
    iconId: String(index),
  }));
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
