/**
 * How much one round trip to Excel carries. Excel on the web refuses requests and answers over 5 MB (documented), and a cell's text may be
 * long, so INV counts characters and splits before that. A character takes up to three bytes, hence the margin. Only this folder
 * knows the limit: callers pass a whole area.
 */
export const charactersPerTrip = 1_600_000;
/** A step collects writes until they are as long, and then sends them. So one write and what was collected before it fit in a trip. */
export const charactersPerWrite = charactersPerTrip / 2;
/** What an object (a range, a name) adds to a request or an answer, all of it ASCII. */
export const charactersPerObject = 500;
export const objectsPerTrip = 5_000;

/** Characters of a value in a request or answer, with its quotes and comma. */
export function charactersIn(cell: unknown): number {
  if (typeof cell === "string") return cell.length + 4;
  return typeof cell === "object" && cell !== null ? JSON.stringify(cell).length + 4 : 16;
}

/** Splits a list into parts whose objects fit in one trip each. An entry needs `objects` of them. */
export function splitByTrip<T>(list: readonly T[], objects = 1): (readonly T[])[] {
  const size = Math.floor(objectsPerTrip / objects);
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) =>
    list.slice(at * size, (at + 1) * size),
  );
}

interface Band<T> {
  readonly rows: T[][];
  characters: number;
}

/** Splits rows into bands of at most `charactersPerWrite`, or of one row. */
export function bandsOf<T>(rows: Iterable<T[]>): readonly Readonly<Band<T>>[] {
  const bands: Band<T>[] = [];
  for (const row of rows) {
    const characters = row.reduce((sum, cell) => sum + charactersIn(cell), 0);
    const last = bands.at(-1);
    if (last === undefined || last.characters + characters > charactersPerWrite) {
      bands.push({ rows: [row], characters });
    } else {
      last.rows.push(row);
      last.characters += characters;
    }
  }
  return bands;
}
