/**
 * Colours that follow values, as plain data in Excel's terms: a scale, bars, icons, or styles where a formula is true.
 * The grid's own kinds of conditions are all told as such a formula, seen from the first cell of their area,
 * which is how Excel understands them. Pure.
 */
import {
  CFNumberOperator,
  CFRuleType,
  CFSubRuleType,
  CFTextOperator,
  CFTimePeriodOperator,
  CFValueType,
  type IConditionFormattingRule,
} from "@univerjs/preset-sheets-conditional-formatting";
import { BooleanNumber, type IRange, type IStyleBase } from "@univerjs/core";
import { columnName } from "../../../formula/columns";
import type { Rectangle } from "../cell-reader";
import { counted, ranked } from "./condition-formulas";

/** Where on the way from the lowest to the highest value. */
export interface Bound {
  readonly type: "min" | "max" | "num" | "percent" | "percentile" | "formula";
  readonly value?: number | string;
}

export interface ConditionalStyle {
  readonly bold?: true;
  readonly italic?: true;
  readonly color?: string;
  readonly fill?: string;
}

export interface ConditionalFormat {
  readonly areas: readonly Rectangle[];
  readonly rule:
    | { readonly kind: "scale"; readonly stops: readonly { readonly at: Bound; readonly color: string }[] }
    | {
        readonly kind: "bars";
        readonly from: Bound;
        readonly to: Bound;
        readonly color: string;
        readonly isGradient: boolean;
        readonly showsValue: boolean;
      }
    | {
        readonly kind: "icons";
        /** Excel's name of the set. */
        readonly set: string;
        /** Where each icon begins, the lowest first. */
        readonly from: readonly Bound[];
        readonly showsValue: boolean;
      }
    | { readonly kind: "formula"; readonly formula: string; readonly style: ConditionalStyle };
}

/** Null for what Excel cannot say: icons of several sets in one rule. */
export function conditionalFormat({ ranges, rule }: IConditionFormattingRule): ConditionalFormat | null {
  const areas = ranges.map(areaOf);
  switch (rule.type) {
    case CFRuleType.colorScale: {
      const stops = [...rule.config].sort((one, other) => one.index - other.index);
      return {
        areas,
        rule: { kind: "scale", stops: stops.map(({ value, color }) => ({ at: bound(value), color })) },
      };
    }
    case CFRuleType.dataBar: {
      const { min, max, isGradient, positiveColor: color } = rule.config;
      const ends = { from: bound(min), to: bound(max) };
      return { areas, rule: { kind: "bars", ...ends, color, isGradient, showsValue: rule.isShowValue } };
    }
    case CFRuleType.iconSet: {
      const sets = new Set<string>(rule.config.map(({ iconType }) => iconType));
      const [set] = sets;
      if (sets.size !== 1 || set === undefined) return null;
      // The grid begins with the highest icon, Excel with the lowest, which begins where the values do.
      const above = rule.config.slice(0, -1).map(({ value }) => bound(value));
      const from: Bound[] = [{ type: "percent", value: 0 }, ...above.reverse()];
      return { areas, rule: { kind: "icons", set, from, showsValue: rule.isShowValue } };
    }
    default: {
      const formula = condition(rule, areas);
      return formula === null
        ? null
        : { areas, rule: { kind: "formula", formula, style: styleOf(rule.style) } };
    }
  }
}

type Highlighting = Extract<IConditionFormattingRule["rule"], { type: CFRuleType.highlightCell }>;

/** As a formula for the first cell, without `=`. */
function condition(rule: Highlighting, areas: readonly Rectangle[]): string | null {
  const [first] = areas;
  if (first === undefined) return null;
  const cell = `${columnName(first.col)}${first.row + 1}`;
  const all = areas.map(fixedAddress);
  switch (rule.subType) {
    case CFSubRuleType.formula:
      return rule.value.replace(/^=/, "");
    case CFSubRuleType.uniqueValues:
      return counted(cell, all, "=1");
    case CFSubRuleType.duplicateValues:
      return counted(cell, all, ">1");
    case CFSubRuleType.rank:
      return ranked(cell, all, { ...rule, most: rule.value });
    case CFSubRuleType.average:
      return numberCondition(cell, rule.operator, [`AVERAGE(${all.join(",")})`]);
    case CFSubRuleType.number: {
      const given = Array.isArray(rule.value) ? rule.value : [rule.value ?? 0];
      return numberCondition(cell, rule.operator, given.map(String));
    }
    case CFSubRuleType.text:
      return textCondition(cell, rule.operator, rule.value ?? "");
    case CFSubRuleType.timePeriod:
      return `AND(ISNUMBER(${cell}),${periods[rule.operator](cell)})`;
  }
}

const comparisons: Readonly<Partial<Record<CFNumberOperator, string>>> = {
  [CFNumberOperator.equal]: "=",
  [CFNumberOperator.notEqual]: "<>",
  [CFNumberOperator.greaterThan]: ">",
  [CFNumberOperator.greaterThanOrEqual]: ">=",
  [CFNumberOperator.lessThan]: "<",
  [CFNumberOperator.lessThanOrEqual]: "<=",
};

function numberCondition(cell: string, operator: CFNumberOperator, given: readonly string[]): string {
  const [low = "0", high = low] = given;
  const between = `AND(${cell}>=MIN(${low},${high}),${cell}<=MAX(${low},${high}))`;
  if (operator === CFNumberOperator.between) return `AND(ISNUMBER(${cell}),${between})`;
  if (operator === CFNumberOperator.notBetween) return `AND(ISNUMBER(${cell}),NOT(${between}))`;
  return `AND(ISNUMBER(${cell}),${cell}${comparisons[operator] ?? "="}${low})`;
}

function textCondition(cell: string, operator: CFTextOperator, text: string): string {
  const quoted = `"${text.replaceAll('"', '""')}"`;
  const length = text.length;
  switch (operator) {
    case CFTextOperator.equal:
      return `${cell}=${quoted}`;
    case CFTextOperator.notEqual:
      return `${cell}<>${quoted}`;
    case CFTextOperator.beginsWith:
      return `LEFT(${cell},${length})=${quoted}`;
    case CFTextOperator.endsWith:
      return `RIGHT(${cell},${length})=${quoted}`;
    case CFTextOperator.containsText:
      return `ISNUMBER(SEARCH(${quoted},${cell}))`;
    case CFTextOperator.notContainsText:
      return `ISERROR(SEARCH(${quoted},${cell}))`;
    case CFTextOperator.containsBlanks:
      return `LEN(TRIM(${cell}))=0`;
    case CFTextOperator.notContainsBlanks:
      return `LEN(TRIM(${cell}))>0`;
    case CFTextOperator.containsErrors:
      return `ISERROR(${cell})`;
    case CFTextOperator.notContainsErrors:
      return `NOT(ISERROR(${cell}))`;
  }
}

const monthOf = (cell: string, months: number): string =>
  `AND(${cell}>EOMONTH(TODAY(),${months - 1}),INT(${cell})<=EOMONTH(TODAY(),${months}))`;
const weekOf = (cell: string, weeks: number): string =>
  `INT((INT(${cell})-1)/7)=INT((TODAY()-1)/7)${weeks === 0 ? "" : weeks > 0 ? "+1" : "-1"}`;

const periods: Readonly<Record<CFTimePeriodOperator, (cell: string) => string>> = {
  [CFTimePeriodOperator.today]: (cell) => `INT(${cell})=TODAY()`,
  [CFTimePeriodOperator.yesterday]: (cell) => `INT(${cell})=TODAY()-1`,
  [CFTimePeriodOperator.tomorrow]: (cell) => `INT(${cell})=TODAY()+1`,
  [CFTimePeriodOperator.last7Days]: (cell) => `AND(INT(${cell})>TODAY()-7,INT(${cell})<=TODAY())`,
  [CFTimePeriodOperator.thisMonth]: (cell) => monthOf(cell, 0),
  [CFTimePeriodOperator.lastMonth]: (cell) => monthOf(cell, -1),
  [CFTimePeriodOperator.nextMonth]: (cell) => monthOf(cell, 1),
  [CFTimePeriodOperator.thisWeek]: (cell) => weekOf(cell, 0),
  [CFTimePeriodOperator.lastWeek]: (cell) => weekOf(cell, -1),
  [CFTimePeriodOperator.nextWeek]: (cell) => weekOf(cell, 1),
};

function bound({ type, value }: { readonly type: CFValueType; readonly value?: number | string }): Bound {
  return value === undefined || type === CFValueType.min || type === CFValueType.max
    ? { type }
    : { type, value };
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

function fixedAddress({ row, col, rows, cols }: Rectangle): string {
  return `$${columnName(col)}$${row + 1}:$${columnName(col + cols - 1)}$${row + rows}`;
}
