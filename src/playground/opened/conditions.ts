/** Excel's kinds of conditional formats, each as the formula for the first cell of its area. Pure. */
import { areaAddress } from "../../workbook/addresses";
import type { Rectangle } from "../grid/cell-reader";
import { attribute, type Attributes } from "./xml";

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
  const times = all.map((area) => `COUNTIF(${area},${cell})`).join("+");
  switch (attribute(rule, "type")) {
    case "cellIs":
      return one === null ? null : compared(cell, attribute(rule, "operator") ?? "equal", [one, two ?? one]);
    case "duplicateValues":
      return `AND(NOT(ISBLANK(${cell})),${times}>1)`;
    case "uniqueValues":
      return `AND(NOT(ISBLANK(${cell})),${times}=1)`;
    case "top10":
      return ranked(cell, all, rule);
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

function ranked(cell: string, all: readonly string[], rule: Attributes): string {
  const rank = Math.max(1, Number(attribute(rule, "rank") ?? 10));
  const isOn = (name: string): boolean => ["1", "true"].includes(attribute(rule, name) ?? "");
  const among = all.length === 1 ? (all[0] ?? "") : `(${all.join(",")})`;
  const count = `COUNT(${all.join(",")})`;
  const place = isOn("percent") ? `MAX(1,INT(${count}*${rank}/100))` : `MIN(${rank},${count})`;
  const isWithin = isOn("bottom") ? `${cell}<=SMALL(${among},${place})` : `${cell}>=LARGE(${among},${place})`;
  return `AND(ISNUMBER(${cell}),${isWithin})`;
}

function averaged(cell: string, all: readonly string[], rule: Attributes): string {
  const isAbove = !["0", "false"].includes(attribute(rule, "aboveAverage") ?? "1");
  const isEqualToo = ["1", "true"].includes(attribute(rule, "equalAverage") ?? "0");
  const deviations = Number(attribute(rule, "stdDev") ?? 0);
  const numbers = all.join(",");
  const away = deviations > 0 ? `${isAbove ? "+" : "-"}${deviations}*STDEV(${numbers})` : "";
  const operator = `${isAbove ? ">" : "<"}${isEqualToo ? "=" : ""}`;
  return `AND(ISNUMBER(${cell}),${cell}${operator}AVERAGE(${numbers})${away})`;
}
