/**
 * Colours that follow values, as a sheet's part tells them. Excel's kinds of conditions are all told as the formula
 * that they stand for, seen from the first cell of their area. A rule that cannot be told so is counted, no more.
 */
import type { Bound, ConditionalFormat, ConditionalStyle } from "../univer/styles/conditional-format";
import type { Rectangle } from "../univer/cell-reader";
import { conditionOf } from "./conditions";
import { colorOf, type FileColor } from "./file-colors";
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
  colors: FileColor[];
  showsValue: boolean;
  iconSet: string;
  /** Where a newer Excel says more of it. */
  extension: string | null;
}

const mostRules = 10_000;
const mostAreas = 1_000;

/** @param formulaOf what the grid makes of the formula; null where it cannot be calculated here */
export function createConditionalRules(
  { conditional, theme }: Looks,
  formulaOf: (formula: string) => string | null,
): ConditionalRules {
  const rules: Rule[] = [];
  const flatBars = new Set<string>();
  const newer = new Set<string>();
  let areas: readonly Rectangle[] = [];
  let rule: Rule | null = null;
  let extended: string | null = null;
  let left = 0;

  function format({ given, areas: on, ...own }: Rule): ConditionalFormat | null {
    const type = attribute(given, "type") ?? "";
    if (on.length === 0) return null;
    const colors = own.colors.map((color) => color ?? "#000000");
    if (type === "colorScale") {
      const stops = own.bounds.map((at, index) => ({ at, color: colors[index] ?? "#000000" }));
      return stops.length < 2 ? null : { areas: on, rule: { kind: "scale", stops } };
    }
    if (type === "dataBar") {
      const [from, to] = own.bounds;
      const [color = "#638EC6"] = colors;
      if (from === undefined || to === undefined) return null;
      const isGradient = own.extension === null || !flatBars.has(own.extension);
      return { areas: on, rule: { kind: "bars", from, to, color, isGradient, showsValue: own.showsValue } };
    }
    if (type === "iconSet") {
      const { iconSet: set, bounds: from, showsValue } = own;
      return from.length < 3 ? null : { areas: on, rule: { kind: "icons", set, from, showsValue } };
    }
    const condition = conditionOf(given, { areas: on, formulas: own.formulas });
    const formula = condition === null ? null : formulaOf(condition);
    if (formula === null) return null;
    const style = conditional[Number(attribute(given, "dxfId"))] ?? {};
    return { areas: on, rule: { kind: "formula", formula, style } };
  }

  return {
    open(element, given) {
      if (element === "conditionalFormatting") {
        const places = (attribute(given, "sqref") ?? "").split(" ").slice(0, mostAreas);
        areas = places.flatMap((place) => rectangle(place) ?? []);
      }
      if (element === "cfRule" && attribute(given, "id") !== undefined) {
        extended = attribute(given, "id") ?? "";
        newer.add(extended);
      } else if (element === "cfRule") {
        rule = {
          given,
          areas,
          formulas: [],
          bounds: [],
          colors: [],
          showsValue: true,
          iconSet: "",
          extension: null,
        };
      }
      if (extended !== null) {
        if (element === "dataBar" && attribute(given, "gradient") === "0") flatBars.add(extended);
        return;
      }
      if (rule === null) return;
      if (element === "cfvo") rule.bounds.push(boundOf(given));
      if (element === "color") rule.colors.push(colorOf(given, theme));
      if (element === "iconSet") rule.iconSet = attribute(given, "iconSet") ?? "3TrafficLights1";
      if ((element === "iconSet" || element === "dataBar") && attribute(given, "showValue") === "0") {
        rule.showsValue = false;
      }
    },
    text(element, text) {
      if (rule === null || extended !== null) return;
      if (element === "formula") rule.formulas.push(text);
      if (element === "id") rule.extension = text;
    },
    close(element) {
      if (element !== "cfRule") return;
      if (extended === null && rule !== null) {
        if (rules.length < mostRules) rules.push(rule);
        else left += 1;
      }
      extended = null;
      rule = null;
    },
    formats() {
      const priority = ({ given }: Rule): number => Number(attribute(given, "priority") ?? 0);
      const made = [...rules].sort((one, other) => priority(one) - priority(other)).map(format);
      left += made.filter((each) => each === null).length;
      return made.filter((each) => each !== null);
    },
    left() {
      const known = new Set(rules.map(({ extension }) => extension));
      return left + [...newer].filter((id) => !known.has(id)).length;
    },
  };
}

function boundOf(given: Attributes): Bound {
  const type = attribute(given, "type") ?? "num";
  const value = attribute(given, "val");
  if (type === "min" || type === "max" || type === "autoMin" || type === "autoMax") {
    return { type: type.endsWith("in") ? "min" : "max" };
  }
  if (type === "formula") return { type, value: `=${value ?? "0"}` };
  const kind = type === "percent" || type === "percentile" ? type : "num";
  const number = Number(value ?? 0);
  // An address or a formula may stand where a number is expected.
  return Number.isFinite(number)
    ? { type: kind, value: number }
    : { type: "formula", value: `=${value ?? "0"}` };
}
