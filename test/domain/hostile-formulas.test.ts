/** Formulas from others, such as those of templates, take a time that grows with their length, not with its square. */
import { findOutsideAccessAsTyped } from "../../src/formula/outside-access";
import { fromStoredFunctions } from "../../src/formula/calls";
import { inspectFormula } from "../../src/formula/grid-check";
import { references } from "../../src/formula/references";
import { longestFormula } from "../../src/formula/tokens";
import { readTemplate } from "../../src/domain/templates/read-template";

const pieces: Readonly<Record<string, (size: number) => string>> = {
  apostrophes: (size) => "'".repeat(size),
  "apostrophes and texts": (size) => "'a''".repeat(size / 4),
  "brackets with apostrophes": (size) => "['".repeat(size / 2),
  "open brackets": (size) => "[a[b]".repeat(size / 5),
  "closed brackets": (size) => `[${"[a]".repeat(size / 3)}`,
  quotes: (size) => '"a""'.repeat(size / 4),
  blanks: (size) => `A1${" ".repeat(size)}A1`,
  words: (size) => "a".repeat(size),
  "underscores before a point": (size) => `a${"_".repeat(size)}.`,
  colons: (size) => "a:".repeat(size / 2),
  parentheses: (size) => "(".repeat(size),
  "nested calls": (size) => "IF(".repeat(size / 3),
  "nested INDIRECT": (size) => 'INDIRECT("a"&'.repeat(size / 13),
  "names of LET": (size) => `LET(${"a,1,".repeat(size / 4)}a)`,
  "different names of LET": (size) =>
    `LET(${Array.from({ length: size / 8 }, (_, index) => `n_${index},1,`).join("")}1)`,
  "nested LET": (size) => "LET(a,".repeat(size / 6),
  "nested LAMBDA": (size) => "LAMBDA(".repeat(size / 7),
  "calls of names": (size) => "a (".repeat(size / 3),
  placeholders: (size) => "{a".repeat(size / 2),
  "stored functions": (size) => `_xldudf_INV_${"[1]!".repeat(size / 4)}`,
};
const readers: Readonly<Record<string, (formula: string) => unknown>> = {
  "a template": (cell) => readTemplate({ ...template, blocks: [{ at: "A1", rows: [[cell]] }] }),
  "a pasted text": findOutsideAccessAsTyped,
  "a cell of the grid": inspectFormula,
  "a formula of a file": fromStoredFunctions,
  references: references,
};
const template = {
  format: "inv-template",
  version: 1,
  id: "hostile",
  title: "Hostile",
  summary: "A formula that is read slowly.",
  needs: "nothing",
  sheet: { name: "Hostile" },
};
const parts = 16;
const longest = longestFormula - 100;

/** Time to read this many texts, the shortest of several runs. */
function timeOf(read: () => unknown, repeats: number): number {
  const runs = Array.from({ length: 5 }, () => {
    const startedAt = performance.now();
    for (let repeat = 0; repeat < repeats; repeat += 1) read();
    return performance.now() - startedAt;
  });
  return Math.min(...runs);
}

it.each(
  Object.keys(pieces).flatMap((piece) => Object.keys(readers).map((reader) => [piece, reader] as const)),
)("%s in %s: one long formula takes no longer than sixteen short ones", (piece, reader) => {
  const read = (size: number) => () => readers[reader]?.(`=${pieces[piece]?.(size)}`);
  // If the time grew with the square of the length, the long one would take 16 times as long.
  const factor = () => timeOf(read(longest), 1) / timeOf(read(longest / parts), parts);
  // Another program may have taken the processor during all runs of the long one.
  const isLinear = [factor, factor, factor].some((measure) => measure() < 5);
  expect(isLinear).toBe(true);
});
