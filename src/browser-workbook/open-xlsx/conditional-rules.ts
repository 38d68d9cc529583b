/**
 * Colours that follow values, as a sheet's part tells them: scales, bars, and conditions that are comparisons or bring
 * their formula with them. Other rules are counted, no more.
 */
import { areaAddress } from "../../workbook/addresses";
import type { Bound, ConditionalFormat, ConditionalStyle } from "../univer/styles/conditional-format";
import type { Rectangle } from "../univer/cell-reader";
import { colorOf } from "./file-colors";
import { rectangle } from "./places";
import { attribute, type Attributes } from "./xml";

export interface ConditionalRules {
  open(element: string, given: Attributes): void;
  text(element: string, text: string): void;
  close(element: string): void;
  /** The first counts. */
  formats(): readonly ConditionalFormat[];
  /** Rules that are not among them. */
  left(): number;
}

interface Looks {
  readonly conditional: readonly ConditionalStyle[];
  readonly theme: readonly string[];
}

interface Rule {
  readonly given: Attributes;
  readonly areas: readonly Rectangle[];
  formulas: string[];
  bounds: Bound[];
  colors: string[];
}

const mostRules = 10_000;
const mostAreas = 1_000;

/** @param formulaOf what the grid makes of the formula; null where it cannot be calculated here */
export function createConditionalRules(
  { conditional, theme }: Looks,
  formulaOf: (formula: string) => string | null,
): ConditionalRules {
  const rules: Rule[] = [];
  let areas: readonly Rectangle[] = [];
  let rule: Rule | null = null;
  let left = 0;

  function ruleOf({
    given,
    areas: [first],
    formulas,
    bounds,
    colors,
  }: Rule): ConditionalFormat["rule"] | null {
    const type = attribute(given, "type");
    if (type === "colorScale" && bounds.length >= 2) {
      return { kind: "scale", stops: bounds.map((at, index) => ({ at, color: colors[index] ?? "#000000" })) };
    }
    if (type === "dataBar") {
      const [from, to] = bounds;
      return from && to ? { kind: "bars", from, to, color: colors[0] ?? "#638EC6" } : null;
    }
    const [low, high] = formulas;
    if (first === undefined || low === undefined) return null;
    const operator = attribute(given, "operator") ?? "equal";
    const condition = type === "cellIs" ? compared(first, operator, [low, high ?? low]) : low;
    const formula = formulaOf(condition);
    const style = conditional[Number(attribute(given, "dxfId"))] ?? {};
    return formula === null ? null : { kind: "formula", formula, style };
  }

  return {
    open(element, given) {
      if (element === "conditionalFormatting") {
        const places = (attribute(given, "sqref") ?? "").split(" ").slice(0, mostAreas);
        areas = places.flatMap((place) => rectangle(place) ?? []);
      }
      if (element === "cfRule") {
        // Of newer Excels. For a bar it only says more of one that stands before it.
        const isNewer = attribute(given, "id") !== undefined;
        if (!isNewer) rule = { given, areas, formulas: [], bounds: [], colors: [] };
        else if (attribute(given, "type") !== "dataBar") left += 1;
      }
      if (element === "cfvo") rule?.bounds.push(boundOf(given));
      if (element === "color") rule?.colors.push(colorOf(given, theme) ?? "#000000");
    },
    text(element, text) {
      if (element === "formula") rule?.formulas.push(text);
    },
    close(element) {
      if (element !== "cfRule" || rule === null) return;
      if (rules.length < mostRules) rules.push(rule);
      else left += 1;
      rule = null;
    },
    formats() {
      const priority = ({ given }: Rule): number => Number(attribute(given, "priority") ?? 0);
      const formats = [...rules]
        .sort((one, other) => priority(one) - priority(other))
        .flatMap((each): ConditionalFormat[] => {
          const made = each.areas.length === 0 ? null : ruleOf(each);
          return made === null ? [] : [{ areas: each.areas, rule: made }];
        });
      left += rules.length - formats.length;
      return formats;
    },
    left: () => left,
  };
}

const comparisons: Readonly<Partial<Record<string, string>>> = {
  equal: "=",
  notEqual: "<>",
  greaterThan: ">",
  greaterThanOrEqual: ">=",
  lessThan: "<",
  lessThanOrEqual: "<=",
};

/** Of the first cell, without `=`. */
function compared(first: Rectangle, operator: string, [low, high]: readonly [string, string]): string {
  const cell = areaAddress({ ...first, rows: 1, cols: 1 });
  const between = `AND(${cell}>=MIN(${low},${high}),${cell}<=MAX(${low},${high}))`;
  if (operator === "between") return between;
  if (operator === "notBetween") return `NOT(${between})`;
  return `${cell}${comparisons[operator] ?? "="}${low}`;
}

function boundOf(given: Attributes): Bound {
  const type = attribute(given, "type") ?? "num";
  const value = attribute(given, "val") ?? "0";
  if (type === "min" || type === "max") return { type };
  const number = Number(value);
  // An address or a formula may stand where a number is expected.
  if (type === "formula" || !Number.isFinite(number)) return { type: "formula", value: `=${value}` };
  return { type: type === "percent" || type === "percentile" ? type : "num", value: number };
}
