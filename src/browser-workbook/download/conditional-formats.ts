/** Colours that follow values, as the file's library writes them. */
import type { Color, ConditionalFormattingRule, Worksheet } from "exceljs";
import { areaAddress } from "../../workbook/addresses";
import type { Bound, ConditionalFormat, ConditionalStyle } from "../univer/styles/conditional-format";
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
    case "scale":
      return {
        type: "colorScale",
        priority,
        cfvo: rule.stops.map(({ at }) => fileBound(at)),
        color: rule.stops.map(({ color }) => fileColor(color) ?? {}),
      };
    case "bars": {
      const bars = {
        type: "dataBar" as const,
        priority,
        gradient: false,
        cfvo: [fileBound(rule.from), fileBound(rule.to)],
      };
      // The library writes a colour of bars that its types do not know.
      return Object.assign(bars, { color: fileColor(rule.color) });
    }
    case "formula":
      return { type: "expression", priority, formulae: [rule.formula], style: fileStyle(rule.style) };
  }
}

type FileBound = NonNullable<Extract<ConditionalFormattingRule, { type: "colorScale" }>["cfvo"]>[number];

function fileBound({ type, value }: Bound): FileBound {
  if (value === undefined) return { type };
  // A formula's bound is a formula; the library's types know numbers only.
  return { type, value: (type === "formula" ? String(value).replace(/^=/, "") : Number(value)) as number };
}

function fileColor(color: string): Partial<Color> | undefined {
  const written = argb(color);
  return written === null ? undefined : { argb: written };
}

function fileStyle({ bold, italic, color, fill }: ConditionalStyle): ConditionalFormattingRule["style"] {
  const text = color === undefined ? undefined : fileColor(color);
  const behind = fill === undefined ? undefined : fileColor(fill);
  return {
    font: {
      ...(bold === true ? { bold } : {}),
      ...(italic === true ? { italic } : {}),
      ...(text ? { color: text } : {}),
    },
    ...(behind ? { fill: { type: "pattern", pattern: "solid", bgColor: behind } } : {}),
  };
}
