/**
 * Without the patch, the engine parses formulas beyond its cache again at each calculation; with it, only once. The check
 * fails if the patch is no longer needed, and exits with 1 and the reason.
 */
import { strictEqual } from "node:assert/strict";
import * as engine from "@univerjs/preset-sheets-core";
import { patchFormulaCache } from "../../../../src/browser-workbook/univer/patches/patch-formula-cache.ts";

let parses = 0;
const functions = new engine.FunctionService();
const lexer = { treeBuilder: (formula) => ({ formula }) };
const builder = { parse: ({ formula }) => ((parses += 1), { formula }) };
const nothingDirty = { getDirtyDefinedNameMap: () => ({}), getExecuteUnitId: () => "book" };

function parsesOfTwoRounds() {
  parses = 0;
  for (let round = 0; round < 2; round += 1) {
    for (let row = 1; row <= 12_000; row += 1) {
      const { formula } = engine.generateAstNode("book", `=A${row}*2`, lexer, builder, nothingDirty);
      strictEqual(formula, `=A${row}*2`);
    }
  }
  return parses;
}

strictEqual(parsesOfTwoRounds(), 24_000, "The grid remembers as many formulas by itself now.");
patchFormulaCache({ injector: { get: () => functions } });
strictEqual(parsesOfTwoRounds(), 12_000);
// The cache still drops what becomes wrong when a function is added or removed.
functions.deleteFormulaAstCacheKey("A7*");
engine.generateAstNode("book", "=A7*2", lexer, builder, nothingDirty);
strictEqual(parses, 12_001);
