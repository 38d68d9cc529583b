/**
 * Formulas in row-and-column notation, `=R[0]C[-1]*2`, as Google Sheets puts them on the clipboard, in the
 * notation of cells: `=B3*2` for the cell they land in. A reference that would leave the sheet is #REF!, as
 * when one is dragged over its edge; text and quoted sheet names are left alone.
 */
import { columnName, sheetCols, sheetRows } from "../../formula/columns";

const part = String.raw`\[-?\d+\]|\d*`;
const end = String.raw`(?![\w.([])`;
/** Text, quoted sheet names, cells, whole columns, whole rows, words and numbers: whichever comes first. */
const token = new RegExp(
  [
    String.raw`"(?:[^"]|"")*"|'(?:[^']|'')*'`,
    `R(?<row>${part})C(?<col>${part})${end}`,
    `C(?<fromCol>${part}):C(?<toCol>${part})${end}`,
    `R(?<fromRow>${part}):R(?<toRow>${part})${end}`,
    String.raw`[A-Za-z_][\w.]*|\d[\w.]*`,
  ].join("|"),
  "g",
);

type Groups = Readonly<Record<string, string | undefined>>;

export function cellNotation(formula: string, row: number, col: number): string {
  const rowAt: Spell = (text) => spell(text, { own: row, size: sheetRows, name: (at) => String(at + 1) });
  const colAt: Spell = (text) => spell(text, { own: col, size: sheetCols, name: columnName });
  return formula.replace(token, (...given: unknown[]) => {
    const groups = given.at(-1) as Groups;
    const parts =
      pair(groups["col"], groups["row"], [colAt, rowAt]) ??
      pair(groups["fromCol"], groups["toCol"], [colAt, colAt]) ??
      pair(groups["fromRow"], groups["toRow"], [rowAt, rowAt]);
    if (parts === null) return String(given[0]);
    if (parts.includes(null)) return "#REF!";
    return parts.join(groups["col"] === undefined ? ":" : "");
  });
}

/** A row or column in the notation of cells; null beyond the sheet's edge. */
type Spell = (text: string) => string | null;

function pair(
  first: string | undefined,
  second: string | undefined,
  [spellFirst, spellSecond]: readonly [Spell, Spell],
): (string | null)[] | null {
  return first === undefined || second === undefined ? null : [spellFirst(first), spellSecond(second)];
}

/** `[-1]` counts from the cell itself, `3` from the sheet's edge, nothing means the cell's own. */
function spell(
  text: string,
  { own, size, name }: { readonly own: number; readonly size: number; name(at: number): string },
): string | null {
  const isFixed = /^\d/.test(text);
  const at = isFixed ? Number(text) - 1 : own + Number(text.slice(1, -1) || 0);
  return at >= 0 && at < size ? `${isFixed ? "$" : ""}${name(at)}` : null;
}
