/**
 * Number formats that functions return with their values. In a cell of format General, a function's time looks like a date, but
 * like 46348.52 once the value replaces the formula. So code that replaces formulas with values sets these formats. It reads
 * them only for numbers that may be times, to save round trips.
 */
import { cellKey, cellsOf } from "./addresses";
import { mergeCells, visitCells } from "./cell-areas";
import type { Area, CellContent, CellRef, Workbook } from "./port";

export interface ShownArea {
  readonly area: Area;
  readonly cells: readonly (readonly CellContent[])[];
}

/** A whole number up to this is a quantity: as a date, it would be before 1928. */
const mostQuantity = 10_000;

/** Returns formats by cell key. Omits cells with a format of their own, and values without one. */
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

export function formattedCells(area: Area, formats: ReadonlyMap<string, string>): readonly CellWithFormat[] {
  if (formats.size === 0) return [];
  return cellsOf(area).flatMap((ref) => {
    const numberFormat = formats.get(cellKey(ref));
    return numberFormat === undefined ? [] : [{ ref, numberFormat }];
  });
}

export async function setFormats(workbook: Workbook, cells: readonly CellWithFormat[]): Promise<void> {
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
