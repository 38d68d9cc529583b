/**
 * The styles that the sheets of INV share: headers, inputs, labels, notes. Colours are few: dark blue heads a
 * table, blue on pale yellow is for the person to change, grey explains.
 */
import type { TemplateFormat } from "../../domain/templates/template";
import type { CellFormat } from "../port";

export const styles = {
  header: { bold: true, fill: "#1f3a5f", color: "#ffffff" },
  label: { color: "#44546a" },
  // Dark sheets show colours inverted; this blue stays readable both ways.
  input: { fill: "#fff7d6", color: "#0f3a94" },
  note: { color: "#6b7785" },
} as const satisfies Record<string, CellFormat>;

/** A named style, with what is said beside it. */
export function formatOf({ style, numberFormat, bold, fill, color, align }: TemplateFormat): CellFormat {
  return {
    ...(style === undefined ? {} : styles[style]),
    ...(numberFormat === undefined ? {} : { numberFormat }),
    ...(bold === undefined ? {} : { bold }),
    ...(fill === undefined ? {} : { fill }),
    ...(color === undefined ? {} : { color }),
    ...(align === undefined ? {} : { align }),
  };
}

export function isPlain(format: CellFormat): boolean {
  return Object.keys(format).length === 0;
}
