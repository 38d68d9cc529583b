/**
 * What the arguments of a formula are, for each row that it is filled down to: read from the formula's own text and
 * the cells that it names. Covers what `formula.ts` writes: cells, names of cells, texts, numbers, TRUE and FALSE, and
 * days ago; and areas, which people write. Anything else is refused.
 */
import { sheetRows } from "../../formula/columns";
import { InvError } from "../../domain/errors";
import type { Area, CellValue, Workbook } from "../port";
import type { NamedCells } from "../named-cells";
import { type Reference, references } from "../references";
import { constantOf } from "./constant";
import { argumentTexts, isCellAddress } from "./formula";

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

export async function evaluateArguments(
  workbook: Workbook,
  formula: string,
  { area, names, nowMs }: Standing,
): Promise<ArgumentsAt> {
  const parts = await Promise.all(
    argumentTexts(formula).map(async (given): Promise<readonly ArgumentValue[]> => {
      const text = given.trim();
      if (isCellAddress(text)) return cellsOf(workbook, text, area);
      const across = /^TRANSPOSE\(\s*(.+?)\s*\)$/i.exec(text)?.[1];
      const named = across ?? text;
      const own = areaIn(named, area.sheet);
      if (own === null && !names.has(named)) {
        const constant = constantOf(text, nowMs);
        if (constant !== undefined) return [constant];
        throw new InvError("internal", `Expected an argument that INV has written, received ${text}.`);
      }
      const values = own === null ? await names.values(named) : await workbook.read(own, "values");
      return [across === undefined ? values : transposed(values)];
    }),
  );
  return (down) => parts.map((values) => (values.length === 1 ? values[0] : values[down]) ?? null);
}

async function cellsOf(workbook: Workbook, text: string, area: Area): Promise<readonly CellValue[]> {
  const [{ sheet, row, col }] = references(text).cells as readonly [Reference];
  const rows = isFixedRow(text) ? 1 : area.rows;
  const read = await workbook.read({ sheet: sheet ?? area.sheet, row, col, rows, cols: 1 }, "values");
  return read.map(([value]) => value ?? null);
}

/** The cells that a text names by their address and nothing else. */
function areaIn(text: string, from: string): Area | null {
  const [only] = references(text).cells;
  if (only?.text !== text || only.rows >= sheetRows) return null;
  return { ...only, sheet: only.sheet ?? from };
}

function transposed(values: readonly (readonly CellValue[])[]): CellValue[][] {
  return (values[0] ?? []).map((_, col) => values.map((row) => row[col] ?? null));
}

function isFixedRow(text: string): boolean {
  return /\$\d+$/.test(text);
}
