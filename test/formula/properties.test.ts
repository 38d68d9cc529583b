/** Properties of every formula: those of INV's templates, tests and documents, and thousands of generated ones. */
import { movedFormula, references, toR1C1 } from "../../src/formula/references";
import { longestFormula, respelled, tokensOf } from "../../src/formula/tokens";
import { fc, slowRuns } from "../helpers/properties";
import { corner, generatedFormula, printed } from "./generated";
import { knownFormulas } from "./known-formulas";

const known = knownFormulas();
const runs = { numRuns: slowRuns({ inTests: 2_000, inDrill: 20_000 }) };
const reprinted = (formula: string) => respelled(tokensOf(formula), () => undefined);

test("a formula that is read and printed is the same text", () => {
  expect(known.length).toBeGreaterThan(500);
  expect(known.filter((formula) => reprinted(formula) !== formula)).toEqual([]);
  fc.assert(
    fc.property(generatedFormula, (parts) => {
      const formula = printed(parts);
      const tokens = tokensOf(formula);
      expect(tokens.map(({ text }) => text).join("")).toBe(formula);
      if (formula.length <= longestFormula) expect(tokens.some(({ kind }) => kind === "unknown")).toBe(false);
    }),
    runs,
  );
});

test("any text is read and printed the same", () => {
  const text = fc.string({ unit: fc.constantFrom(...Array.from("='\"![]#$:.,(){}@\\|A1Rc9 äÆ\n")) });
  fc.assert(
    fc.property(text, (formula) => expect(reprinted(formula)).toBe(formula)),
    runs,
  );
});

test("moved references agree with a simple model", () => {
  const distance = fc.oneof(
    fc.integer({ min: -40, max: 40 }),
    fc.constantFrom(-1_048_575, 1_048_575, 16_383),
  );
  fc.assert(
    fc.property(generatedFormula, distance, distance, (parts, rows, cols) => {
      const formula = printed(parts);
      fc.pre(formula.length <= longestFormula);
      expect(movedFormula(formula, { rows, cols })).toBe(printed(parts, { rows, cols }));
    }),
    runs,
  );
});

test("finds the references that were written", () => {
  fc.assert(
    fc.property(generatedFormula, (parts) => {
      const formula = printed(parts);
      fc.pre(formula.length <= longestFormula);
      const written = parts.filter((part) => typeof part !== "string");
      // The cells given to MAP are a text of the model.
      const given = parts.filter((part) => typeof part === "string" && part.startsWith("MAP("));
      expect(references(formula).cells).toHaveLength(written.length + given.length);
    }),
    runs,
  );
});

test("a formula and its copy in another cell are the same in R1C1", () => {
  const distance = fc.integer({ min: -40, max: 40 });
  fc.assert(
    fc.property(generatedFormula, corner, distance, distance, (parts, at, rows, cols) => {
      const formula = printed(parts);
      const copy = movedFormula(formula, { rows, cols });
      fc.pre(Math.max(formula.length, copy.length) <= longestFormula && !copy.includes("#REF!"));
      expect(toR1C1(copy, { row: at.row + rows, col: at.col + cols })).toBe(toR1C1(formula, at));
    }),
    runs,
  );
});
