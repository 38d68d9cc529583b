/**
 * The styles that all sheets of INV share: headers, inputs, labels, notes. There are few colours: dark blue for table headers,
 * blue on pale yellow for cells that a person may change, grey for explanations.
 */
import type { TemplateFormat } from "../../domain/templates/template";
import type { CellFormat } from "../port";

export const styles = {
  header: { bold: true, fill: "#1f3a5f", color: "#ffffff" },
  label: { color: "#44546a" },
  // Dark sheets invert colours; this blue stays readable in both.
  input: { fill: "#fff7d6", color: "#0f3a94" },
  note: { color: "#6b7785" },
} as const satisfies Record<string, CellFormat>;

/** Returns the format of a named style; properties given with it override the style's. */
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
