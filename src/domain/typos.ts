/** Which known word was probably meant by one that is not known. */

const mostTypos = 2;

/** The known word with the fewest typos, in any letter case; null where none has two or fewer. */
export function nearestOf(text: string, known: readonly string[]): string | null {
  let nearest: string | null = null;
  let fewest = mostTypos + 1;
  for (const each of known) {
    const typos = typosBetween(text.toLowerCase(), each.toLowerCase());
    if (typos < fewest) [nearest, fewest] = [each, typos];
  }
  return nearest;
}

/** Letters to change, add or leave out (Levenshtein's distance). */
function typosBetween(one: string, other: string): number {
  let line = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [row, letter] of Array.from(one).entries()) {
    const next = [row + 1];
    for (const [col, against] of Array.from(other).entries()) {
      const changed = (line[col] ?? 0) + (letter === against ? 0 : 1);
      next.push(Math.min(changed, (line[col + 1] ?? 0) + 1, (next[col] ?? 0) + 1));
    }
    line = next;
  }
  return line.at(-1) ?? 0;
}
