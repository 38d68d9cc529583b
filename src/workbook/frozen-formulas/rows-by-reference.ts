/** Rows found again by what a formula would refer to there: rows may have been sorted, inserted and deleted. */
import { cellsOf } from "../addresses";
import type { Area, CellRef, Workbook } from "../port";
import { movedFormulas } from "./moved-formula";
import { digestsOf, referenceReader, type ReferenceReader, type Surroundings } from "./referred-cells";

/** A row of a column, with a formula as it may read there. */
export interface Place {
  readonly at: CellRef;
  readonly formula: string;
  readonly reader: ReferenceReader;
}

interface Search {
  readonly column: Area;
  readonly from: CellRef;
  readonly formula: string;
}

/** For each search the rows of its column, by what its formula would refer to there, moved as a sort moves it. */
export async function rowsByReference(
  workbook: Workbook,
  searches: readonly Search[],
  around: Surroundings,
): Promise<ReadonlyMap<string, readonly Place[]>[]> {
  const places = searches.map(({ column, from, formula }) =>
    cellsOf(column).map((at): Place => {
      const [same = formula, moved = same] = movedFormulas(formula, from, at);
      return { at, formula: moved, reader: referenceReader({ ...at, formula: moved }, around) };
    }),
  );
  const digests = await digestsOf(
    workbook,
    places.flat().map(({ reader }) => reader),
  );
  let index = 0;
  return places.map((own) => {
    const found = new Map<string, Place[]>();
    for (const place of own) add(found, digests[index++] ?? "", place);
    return found;
  });
}

export function add<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
