/** Excel's kinds of conditional formats, each as the formula for the first cell of its area. Pure. */
import { areaAddress } from "../../workbook/addresses";
import type { Rectangle } from "../univer/cell-reader";
import { counted, ranked } from "../univer/styles/condition-formulas";
import { attribute, type Attributes, isTrue } from "./xml";

interface Given {
  readonly areas: readonly Rectangle[];
  /** Those that the rule brings. */
  readonly formulas: readonly string[];
}

const comparisons: Readonly<Partial<Record<string, string>>> = {
  equal: "=",
  notEqual: "<>",
  greaterThan: ">",
  greaterThanOrEqual: ">=",
  lessThan: "<",
  lessThanOrEqual: "<=",
};

/** Without `=`; null for a kind that is not known. */
export function conditionOf(rule: Attributes, { areas, formulas }: Given): string | null {
  const [first] = areas;
  if (first === undefined) return null;
  const cell = areaAddress({ ...first, rows: 1, cols: 1 });
  const all = areas.map((area) => areaAddress(area).replaceAll(/([A-Z]+)(\d+)/g, "$$$1$$$2"));
  const [one = null, two = one] = formulas;
  switch (attribute(rule, "type")) {
    case "cellIs":
      return one === null ? null : compared(cell, attribute(rule, "operator") ?? "equal", [one, two ?? one]);
    case "duplicateValues":
      return counted(cell, all, ">1");
    case "uniqueValues":
      return counted(cell, all, "=1");
    case "top10":
      return ranked(cell, all, {
        most: Math.max(1, Number(attribute(rule, "rank") ?? 10)),
        isPercent: isTrue(attribute(rule, "percent")),
        isBottom: isTrue(attribute(rule, "bottom")),
      });
    case "aboveAverage":
      return averaged(cell, all, rule);
    default:
      // The others bring their condition with them.
      return one;
  }
}

function compared(cell: string, operator: string, [low, high]: readonly [string, string]): string {
  const between = `AND(${cell}>=MIN(${low},${high}),${cell}<=MAX(${low},${high}))`;
  if (operator === "between") return between;
  if (operator === "notBetween") return `NOT(${between})`;
  return `${cell}${comparisons[operator] ?? "="}${low}`;
}

function averaged(cell: string, all: readonly string[], rule: Attributes): string {
  const isAbove = !["0", "false"].includes(attribute(rule, "aboveAverage") ?? "1");
  const isEqualToo = isTrue(attribute(rule, "equalAverage"));
  const deviations = Number(attribute(rule, "stdDev") ?? 0);
  const numbers = all.join(",");
  const away = deviations > 0 ? `${isAbove ? "+" : "-"}${deviations}*STDEV(${numbers})` : "";
  const operator = `${isAbove ? ">" : "<"}${isEqualToo ? "=" : ""}`;
  return `AND(ISNUMBER(${cell}),${cell}${operator}AVERAGE(${numbers})${away})`;
}
