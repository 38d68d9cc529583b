/**
 * Reads a sheet's conditional formats from Excel, for a template. Excel lists them by priority, and gives a rule's formula for the
 * first cell of its first area (assumed; see excel-check.md). It reads neither "Stop if true" nor borders and bold.
 */
import { type Comparison, comparisonFormula, type TextComparison, textFormula } from "../cell-rules";
import type { Area, FoundHighlight, Highlight } from "../port";
import { areaOf } from "./area";
import type { ExcelBatches } from "./excel-batches";
import { splitByTrip } from "./limits";

/** Objects that INV asks for to read one rule: itself, its ranges, its kind, its colours. */
const objectsPerRule = 8;

/** What people call each kind of rule. */
const names: Readonly<Record<string, string>> = {
  CellValue: "rule for values",
  ColorScale: "colour scale",
  ContainsText: "rule for texts",
  Custom: "rule with a formula",
  DataBar: "data bar",
  IconSet: "icon set",
  PresetCriteria: "rule for dates, averages or duplicates",
  TopBottom: "rule for the top or bottom",
};

export function officeHighlights(batches: ExcelBatches, sheet: string): Promise<readonly FoundHighlight[]> {
  return batches.run(async (context) => {
    const formats = context.workbook.worksheets.getItem(sheet).getRange().conditionalFormats;
    formats.load("items/type,items/priority");
    await context.sync();
    if (formats.items.length === 0) return [];
    // The lowest priority comes first, because a rule that is added later gets a higher one.
    const ordered = formats.items.toSorted((one, other) => other.priority - one.priority);
    const found: FoundHighlight[] = [];
    for (const part of splitByTrip(ordered, objectsPerRule)) {
      const read = part.map((format) => {
        const ranges = format.getRanges().areas;
        ranges.load("items/rowIndex,items/columnIndex,items/rowCount,items/columnCount");
        return { type: format.type, ranges, rule: loadRule(format) };
      });
      await context.sync();
      for (const { type, ranges, rule } of read) {
        const areas = ranges.items.map((range) => areaOf(sheet, range));
        const [first] = areas;
        found.push({
          areas,
          name: names[type] ?? "other rule",
          rule: first === undefined ? null : rule(first),
        });
      }
    }
    return found;
  });
}

/** Loads what the rule needs. The result reads it after the next sync. */
function loadRule(format: Excel.ConditionalFormat): (first: Area) => Highlight | null {
  if (format.type === "Custom") {
    const { rule, format: look } = format.custom;
    rule.load("formula");
    const colours = loadColours(look);
    return () => withColours(rule.formula, colours());
  }
  if (format.type === "CellValue") {
    const { cellValue } = format;
    cellValue.load("rule");
    const colours = loadColours(cellValue.format);
    return (first) => {
      const { operator, formula1, formula2 } = cellValue.rule;
      const comparison = comparisons[operator];
      if (comparison === undefined) return null;
      return withColours(comparisonFormula(first, comparison, [formula1, formula2]), colours());
    };
  }
  if (format.type === "ContainsText") {
    const { textComparison } = format;
    textComparison.load("rule");
    const colours = loadColours(textComparison.format);
    return (first) => {
      const { operator, text } = textComparison.rule;
      const comparison = textComparisons[operator];
      return comparison === undefined ? null : withColours(textFormula(first, comparison, text), colours());
    };
  }
  if (format.type === "DataBar") {
    const { positiveFormat } = format.dataBar;
    positiveFormat.load("fillColor");
    return () =>
      isColour(positiveFormat.fillColor) ? { kind: "bars", color: positiveFormat.fillColor } : null;
  }
  if (format.type === "ColorScale") {
    const { colorScale } = format;
    colorScale.load("criteria");
    return () => heatOf(colorScale.criteria);
  }
  return () => null;
}

/** Returns null for a scale that isn't from the lowest value over the middle to the highest. */
function heatOf({ minimum, midpoint, maximum }: Excel.ConditionalColorScaleCriteria): Highlight | null {
  const isHeat =
    minimum.type === "LowestValue" && midpoint?.type === "Percentile" && maximum.type === "HighestValue";
  if (!isHeat || Number(midpoint.formula?.replace("=", "")) !== 50) return null;
  const [low = "", middle = "", high = ""] = [minimum.color, midpoint.color, maximum.color];
  return [low, middle, high].every(isColour) ? { kind: "heat", colors: [low, middle, high] } : null;
}

interface Colours {
  readonly fill?: string;
  readonly color?: string;
}

function loadColours({ fill, font }: Excel.ConditionalRangeFormat): () => Colours {
  fill.load("color");
  font.load("color");
  return () => ({
    ...(isColour(fill.color) ? { fill: fill.color } : {}),
    ...(isColour(font.color) ? { color: font.color } : {}),
  });
}

/** Returns null for a rule that changes neither fill nor colour. */
function withColours(formula: string, colours: Colours): Highlight | null {
  return Object.keys(colours).length === 0 ? null : { kind: "formula", formula, ...colours };
}

/** Excel returns an empty text or null for a colour that the rule doesn't set. */
function isColour(colour: unknown): boolean {
  return typeof colour === "string" && /^#[0-9a-f]{6}$/i.test(colour);
}

const comparisons: Readonly<Record<string, Comparison>> = {
  EqualTo: "=",
  NotEqualTo: "<>",
  GreaterThan: ">",
  LessThan: "<",
  GreaterThanOrEqual: ">=",
  LessThanOrEqual: "<=",
  Between: "between",
  NotBetween: "not between",
};

const textComparisons: Readonly<Record<string, TextComparison>> = {
  Contains: "contains",
  NotContains: "not contains",
  BeginsWith: "begins with",
  EndsWith: "ends with",
};
