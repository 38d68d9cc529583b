/**
 * Holds what is put right in the engine's making of trees against the engine itself. In a process of its own, since the
 * grid's modules do not load in the tests' one; ends with 1 and the reason.
 */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { LRUMap } from "@univerjs/core";
import * as engine from "@univerjs/preset-sheets-core";
import { easeFormulaTrees } from "../../../../src/browser-workbook/univer/calculation/formula-trees.ts";

const { prototype } = engine.FormulaDependencyGenerator;
for (const name of ["_getRangeListByNode", "_calculateListByFunctionRefNode"]) {
  strictEqual(typeof prototype[name], "function", `The engine has no ${name} any more.`);
}

let [pauses, sorted, parses] = [0, 0, 0];
const generator = {
  _getRangeListByNode: (node) => Promise.resolve([node]),
  _calculateListByFunctionRefNode: () => Promise.resolve((sorted += 1)),
};
easeFormulaTrees({
  generator,
  functions: new engine.FunctionService(),
  cache: engine.FORMULA_REF_TO_ARRAY_CACHE,
  memory: (most) => new LRUMap(most),
  pause: () => Promise.resolve((pauses += 1)),
});

// 12,000 formulas, gone through twice in the same order, are parsed once.
const lexer = { treeBuilder: (formula) => ({ formula }) };
const builder = { parse: ({ formula }) => ((parses += 1), { formula }) };
const nothingDirty = { getDirtyDefinedNameMap: () => ({}), getExecuteUnitId: () => "book" };
for (let round = 0; round < 2; round += 1) {
  for (let row = 1; row <= 12_000; row += 1) {
    const { formula } = engine.generateAstNode("book", `=A${row}*2`, lexer, builder, nothingDirty);
    strictEqual(formula, `=A${row}*2`);
  }
}
strictEqual(parses, 12_000);
// What a function's coming or going makes wrong is still dropped.
new engine.FunctionService().deleteFormulaAstCacheKey("A7*");
engine.generateAstNode("book", "=A7*2", lexer, builder, nothingDirty);
strictEqual(parses, 12_001);

deepStrictEqual(await generator._getRangeListByNode("node"), ["node"]);
strictEqual(pauses, 1);

const plain = { addressFunctionNodes: [] };
await generator._calculateListByFunctionRefNode([plain, plain]);
strictEqual(sorted, 0);
await generator._calculateListByFunctionRefNode([plain, { addressFunctionNodes: ["OFFSET"] }]);
strictEqual(sorted, 1);
