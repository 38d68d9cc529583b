/**
 * Evaluates a formula's arguments for each row to which it is filled down. Understands what `formula.ts` writes (cells, names
 * of cells, texts, numbers, TRUE, FALSE and days ago), and the areas and `A1#` that people write. Refuses anything else.
 */
import { serialFromMs } from "../../domain/dates";
import { InvError } from "../../domain/errors";
import { onlyCall } from "../../formula/calls";
import { sheetRows } from "../../formula/columns";
import { type Reference, referenceIn } from "../../formula/references";
import type { NamedCells } from "../named-cells";
import type { Area, CellValue, Workbook } from "../port";

type ArgumentValue = CellValue | readonly (readonly CellValue[])[];

/** @param down number of rows below the formula's first row */
export type ArgumentsAt = (down: number) => readonly ArgumentValue[];

interface FormulaPlace {
  /** The cells that get the formula. The first row gets it unchanged. */
  readonly area: Area;
  readonly names: NamedCells;
  readonly nowMs: number;
}

/** @param formula a single call */
export async function evaluateArguments(
  workbook: Workbook,
  formula: string,
  place: FormulaPlace,
): Promise<ArgumentsAt> {
  const texts = onlyCall(formula)?.texts ?? [];
  const parts = await Promise.all(texts.map((text) => evaluate(workbook, text, place)));
  return (down) => parts.map((values) => (values.length === 1 ? values[0] : values[down]) ?? null);
}

/**
 * Evaluates an argument without the sheet: a text, a whole number, TRUE, FALSE, TODAY() and days before it. Returns null if the
 * argument is omitted, and undefined for any other text.
 */
export function constantOf(text: string, nowMs: number): CellValue | undefined {
  if (text === "") return null;
  if (/^(?:TRUE|FALSE)$/i.test(text)) return text.toUpperCase() === "TRUE";
  if (/^"(?:[^"]|"")*"$/.test(text)) return text.slice(1, -1).replaceAll('""', '"');
  if (/^\d+$/.test(text)) return Number(text);
  const daysAgo = /^TODAY\(\)(?:-(\d+))?$/i.exec(text);
  if (daysAgo === null) return undefined;
  const now = new Date(nowMs);
  // Use the planner's local day, as Excel's TODAY() does.
  return serialFromMs(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())) - Number(daysAgo[1] ?? 0);
}

async function evaluate(
  workbook: Workbook,
  text: string,
  { area, names, nowMs }: FormulaPlace,
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
  throw new InvError("internal", `INV couldn't read the argument "${text}". Choose it again.`);
}

/** Returns the values of the cells that the text refers to; null for any other text. */
async function valuesOf(
  workbook: Workbook,
  text: string,
  { area, names }: Omit<FormulaPlace, "nowMs">,
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
