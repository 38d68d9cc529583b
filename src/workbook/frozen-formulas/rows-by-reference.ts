/** Finds rows by what a formula would refer to in them, because rows may have been sorted, inserted and deleted. */
import { cellsOf } from "../addresses";
import type { Area, CellRef, Workbook } from "../port";
import { grouped } from "./grouped";
import { movedFormulas } from "./moved-formula";
import { digestsOf, referenceReader, type ReferenceReader, type Surroundings } from "./reference-reader";

/** A row of a column, with the formula as this row would contain it. */
export interface FoundRow {
  readonly at: CellRef;
  readonly formula: string;
  readonly reader: ReferenceReader;
}

interface Search {
  readonly column: Area;
  readonly from: CellRef;
  readonly formula: string;
}

/**
 * Returns, for each search, the rows of its column, by digest of what the formula refers to in each row. The formula moves as
 * in a sort.
 */
export async function rowsByReference(
  workbook: Workbook,
  searches: readonly Search[],
  around: Surroundings,
): Promise<ReadonlyMap<string, readonly FoundRow[]>[]> {
  const rows = searches.map(({ column, from, formula }) =>
    cellsOf(column).map((at): FoundRow => {
      const [same = formula, moved = same] = movedFormulas(formula, from, at);
      return { at, formula: moved, reader: referenceReader({ ...at, formula: moved }, around) };
    }),
  );
  const digests = await digestsOf(
    workbook,
    rows.flat().map(({ reader }) => reader),
  );
  let index = 0;
  return rows.map((own) => grouped(own, () => digests[index++] ?? ""));
}
