/**
 * Number formats that values bring along: a function's time is shown as a date in a cell of format General, and
 * as 46348.52 once the value stands there by itself. Whoever writes values in the place of formulas gives their
 * cells these formats. Only numbers that may be times are asked about, so that quantities cost no question.
 */
import { cellKey, cellsOf } from "./addresses";
import { mergeCells, visitCells } from "./cell-areas";
import type { Area, CellContent, CellRef, Workbook } from "./port";

export interface ShownArea {
  readonly area: Area;
  readonly cells: readonly (readonly CellContent[])[];
}

/** Whole numbers up to here would be days before 1928: they are quantities. */
const mostQuantity = 10_000;

/** By the cell's key; cells with a format of their own, and values that bring none, are left out. */
export async function broughtFormats(
  workbook: Workbook,
  shown: readonly ShownArea[],
): Promise<ReadonlyMap<string, string>> {
  const suspects: CellRef[] = [];
  for (const { area, cells } of shown) {
    visitCells(area, cells, (content, ref) => {
      if (mayBeTime(content)) suspects.push(ref);
    });
  }
  if (suspects.length === 0) return new Map();
  const formats = await workbook.broughtFormats(suspects);
  return new Map(
    suspects.flatMap((ref, index): [string, string][] => {
      const format = formats[index] ?? null;
      return format === null ? [] : [[cellKey(ref), format]];
    }),
  );
}

interface CellWithFormat {
  readonly ref: CellRef;
  readonly numberFormat: string;
}

/** The cells of the area that have one. */
export function formattedCells(area: Area, formats: ReadonlyMap<string, string>): readonly CellWithFormat[] {
  if (formats.size === 0) return [];
  return cellsOf(area).flatMap((ref) => {
    const numberFormat = formats.get(cellKey(ref));
    return numberFormat === undefined ? [] : [{ ref, numberFormat }];
  });
}

/** Gives the cells their formats, few areas at a time. */
export async function giveFormats(workbook: Workbook, cells: readonly CellWithFormat[]): Promise<void> {
  const byFormat = new Map<string, CellRef[]>();
  for (const { ref, numberFormat } of cells) {
    const refs = byFormat.get(numberFormat);
    if (refs) refs.push(ref);
    else byFormat.set(numberFormat, [ref]);
  }
  for (const [numberFormat, refs] of byFormat) {
    for (const area of mergeCells(refs)) await workbook.format(area, { numberFormat });
  }
}

function mayBeTime(content: CellContent): boolean {
  if (typeof content !== "number") return false;
  return !Number.isInteger(content) || Math.abs(content) > mostQuantity;
}
