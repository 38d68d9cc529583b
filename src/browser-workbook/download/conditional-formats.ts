/** Highlights, as the library writes them into a file. */
import type { Color, ConditionalFormattingRule, Worksheet } from "exceljs";
import { areaAddress } from "../../workbook/addresses";
import type { ConditionalFormat } from "../univer/styles/grid-rule";
import { argb } from "./colors";

export function addConditionalFormats(sheet: Worksheet, formats: readonly ConditionalFormat[]): void {
  for (const [index, { areas, rule }] of formats.entries()) {
    if (areas.length === 0) continue;
    sheet.addConditionalFormatting({
      ref: areas.map(areaAddress).join(" "),
      rules: [fileRule(rule, index + 1)],
    });
  }
}

function fileRule(rule: ConditionalFormat["rule"], priority: number): ConditionalFormattingRule {
  switch (rule.kind) {
    case "heat":
      return {
        type: "colorScale",
        priority,
        // The middle colour is the median's.
        cfvo: [{ type: "min" }, { type: "percentile", value: 50 }, { type: "max" }],
        color: rule.colors.map((color) => fileColor(color) ?? {}),
      };
    case "bars": {
      const ends = [{ type: "num", value: 0 }, { type: "max" }] as const;
      const bars = { type: "dataBar" as const, priority, gradient: false, cfvo: [...ends] };
      // The library writes a colour of bars that its types do not know.
      return Object.assign(bars, { color: fileColor(rule.color) });
    }
    case "formula": {
      const [text, behind] = [fileColor(rule.color), fileColor(rule.fill)];
      const style = {
        ...(text ? { font: { color: text } } : {}),
        ...(behind ? { fill: { type: "pattern", pattern: "solid", bgColor: behind } as const } : {}),
      };
      return { type: "expression", priority, formulae: [rule.formula], style };
    }
  }
}

function fileColor(color: string): Partial<Color> | undefined {
  const written = argb(color);
  return written === null ? undefined : { argb: written };
}
