/**
 * What the arguments of a formula are, for each row that it is filled down to: read from the formula's own text and the cells
 * that it names. Covers what `formula.ts` writes: cells, names of cells, texts, numbers, TRUE and FALSE, and days ago; and
 * areas and what formulas have filled (`A1#`), which people write. Anything else is refused.
 */
import { serialFromMs } from "../../domain/dates";
import { InvError } from "../../domain/errors";
import { onlyCall } from "../../formula/calls";
import { sheetRows } from "../../formula/columns";
import { type Reference, referenceIn } from "../../formula/references";
import type { NamedCells } from "../named-cells";
import type { Area, CellValue, Workbook } from "../port";

/** A value, or the rows of a name's cells. */
export type ArgumentValue = CellValue | readonly (readonly CellValue[])[];

/** The arguments in the row so many below the first. */
export type ArgumentsAt = (down: number) => readonly ArgumentValue[];

interface Standing {
  /** Where the formula stands: its first row has the formula as it is. */
  readonly area: Area;
  readonly names: NamedCells;
  readonly nowMs: number;
}

/** @param formula one call and nothing around it */
export async function evaluateArguments(
  workbook: Workbook,
  formula: string,
  standing: Standing,
): Promise<ArgumentsAt> {
  const texts = onlyCall(formula)?.texts ?? [];
  const parts = await Promise.all(texts.map((text) => evaluate(workbook, text, standing)));
  return (down) => parts.map((values) => (values.length === 1 ? values[0] : values[down]) ?? null);
}

/**
 * An argument that needs no sheet: a text, a whole number, TRUE or FALSE, TODAY() and days before it; null where it is
 * left out, undefined for anything else.
 */
export function constantOf(text: string, nowMs: number): CellValue | undefined {
  if (text === "") return null;
  if (/^(?:TRUE|FALSE)$/i.test(text)) return text.toUpperCase() === "TRUE";
  if (/^"(?:[^"]|"")*"$/.test(text)) return text.slice(1, -1).replaceAll('""', '"');
  if (/^\d+$/.test(text)) return Number(text);
  const daysAgo = /^TODAY\(\)(?:-(\d+))?$/i.exec(text);
  if (daysAgo === null) return undefined;
  const now = new Date(nowMs);
  // The planner's own day, as Excel's TODAY().
  return serialFromMs(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())) - Number(daysAgo[1] ?? 0);
}

/** One value for all rows, or one for each. */
async function evaluate(
  workbook: Workbook,
  text: string,
  { area, names, nowMs }: Standing,
): Promise<readonly ArgumentValue[]> {
  const reference = referenceIn(text);
  if (reference !== null && isCell(reference)) {
    const rows = /\$\d+$/.test(text) ? 1 : area.rows;
    const read = await workbook.read({ ...cellsNamed(reference, area.sheet), rows, cols: 1 }, "values");
    return read.map(([value]) => value ?? null);
  }
  const across = onlyCall(`=${text}`);
  const isAcross = across?.name === "TRANSPOSE" && across.texts.length === 1;
  const named = (isAcross ? across.texts[0] : undefined) ?? text;
  const values = await valuesOf(workbook, named, { area, names });
  if (values !== null) return [isAcross ? transposed(values) : values];
  const constant = constantOf(text, nowMs);
  if (constant !== undefined) return [constant];
  throw new InvError("internal", `Expected an argument that INV has written, received ${text}.`);
}

/** Of cells that the text names by their address, or by a name; null for any other text. */
async function valuesOf(
  workbook: Workbook,
  text: string,
  { area, names }: Omit<Standing, "nowMs">,
): Promise<readonly (readonly CellValue[])[] | null> {
  const reference = referenceIn(text);
  if (reference === null || reference.rows >= sheetRows) return names.has(text) ? names.values(text) : null;
  const cells = cellsNamed(reference, area.sheet);
  const filled = reference.isSpilled ? (await workbook.extents([cells]))[0] : cells;
  return filled === undefined ? null : workbook.read(filled, "values");
}

export function isCell({ rows, cols, isSpilled }: Reference): boolean {
  return rows === 1 && cols === 1 && !isSpilled;
}

function cellsNamed({ sheet, row, col, rows, cols }: Reference, from: string): Area {
  return { sheet: sheet ?? from, row, col, rows, cols };
}

function transposed(values: readonly (readonly CellValue[])[]): CellValue[][] {
  return (values[0] ?? []).map((_, col) => values.map((row) => row[col] ?? null));
}
