/**
 * What a copied cell tells Excel and Google Sheets beside its text: a number format and the exact number for the one,
 * value, format and formula for the other. Without that both read `00012345678905` as a number and lose its
 * zeros. Excel reads formulas from a clipboard only as cells of its own, so it gets values. Pure.
 */
import type { CellValue } from "../../workbook/port";
import { toR1C1 } from "../../formula/references";

export interface CopiedCell {
  readonly value: CellValue;
  readonly numberFormat?: string | undefined;
  /** `=` included, with where it stands; absent where the cell goes as its value. */
  readonly formula?: { readonly text: string; readonly row: number; readonly col: number };
}

/** Google Sheets' numbers for what a cell holds, and for kinds of formats. */
const holds = { text: 2, number: 3, truth: 4 } as const;
const formats = { text: 1, number: 2 } as const;

/** Attributes of a `td`, escaped; `style` is added to what the cell looks like. */
export function copiedAttributes({ value, numberFormat, formula }: CopiedCell): Record<string, string> {
  const stated = sheetsValue(value);
  const isText = typeof value === "string";
  const format = isText ? "@" : numberFormat;
  return {
    ...(format === undefined ? {} : { style: `mso-number-format:'${escaped(officeFormat(format))}'` }),
    ...(typeof value === "number" ? { "x:num": String(value) } : {}),
    ...(stated === null ? {} : { "data-sheets-value": escaped(JSON.stringify(stated)) }),
    ...(format === undefined
      ? {}
      : { "data-sheets-numberformat": escaped(JSON.stringify(sheetsFormat(format))) }),
    ...(formula === undefined ? {} : { "data-sheets-formula": escaped(toR1C1(formula.text, formula)) }),
  };
}

function sheetsValue(value: CellValue): object | null {
  if (typeof value === "string") return { 1: holds.text, [holds.text]: value };
  if (typeof value === "number") return { 1: holds.number, [holds.number]: value };
  return value === null ? null : { 1: holds.truth, [holds.truth]: value ? 1 : 0 };
}

function sheetsFormat(format: string): object {
  return format === "@" ? { 1: formats.text } : { 1: formats.number, 2: format, 3: 1 };
}

/** As Excel writes it: a backslash before all that is no letter or digit. */
function officeFormat(format: string): string {
  return format.replace(/[^A-Za-z0-9]/g, (mark) => `\\${mark}`);
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll("'", "&#39;");
}
