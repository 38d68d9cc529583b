/** Converts a cell's style from a file or the clipboard to the grid's fields. Missing properties stay missing. Pure. */
import { BooleanNumber, HorizontalAlign, type IStyleData } from "@univerjs/core";
import type { FileStyle } from "../../open-xlsx/styles-part";

type GivenStyle = Readonly<Omit<FileStyle, "numberFormat">> & {
  /** Null for General. */
  readonly numberFormat?: string | null;
};

const aligned = { left: HorizontalAlign.LEFT, center: HorizontalAlign.CENTER, right: HorizontalAlign.RIGHT };

export function gridStyle(style: GivenStyle): IStyleData {
  const { numberFormat, bold, color, fill, align } = style;
  return {
    ...(numberFormat === undefined ? {} : { n: numberFormat === null ? null : { pattern: numberFormat } }),
    ...(bold ? { bl: BooleanNumber.TRUE } : {}),
    ...(color === undefined ? {} : { cl: { rgb: color } }),
    ...(fill === undefined ? {} : { bg: { rgb: fill } }),
    ...(align === undefined ? {} : { ht: aligned[align] }),
  };
}
