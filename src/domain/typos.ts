/** Guesses what a mistyped word meant, by the number of typing errors. */
const mostTypos = 2;

/** Returns the candidate with the fewest typing errors, in any letter case; null if each has more than two. */
export function nearestOf(text: string, candidates: readonly string[]): string | null {
  let nearest: string | null = null;
  let fewest = mostTypos + 1;
  for (const each of candidates) {
    const typos = countTypos(text.toLowerCase(), each.toLowerCase());
    if (typos < fewest) [nearest, fewest] = [each, typos];
  }
  return nearest;
}

/** Returns how many letters to change, add or leave out (Levenshtein distance). */
export function countTypos(one: string, other: string): number {
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
