/**
 * `FormulaDependencyGenerator.generate` and `Interpreter.execute`: circular references. The engine calculates a formula that
 * refers to its own cell, directly or through other cells, with the value the cell had before. So a sum over its own cell
 * grows with each calculation, and an INV function waits for itself forever. Here such formulas, and those that refer to
 * them, show #VALUE!.
 */
import {
  ErrorType,
  ErrorValueObject,
  IDependencyManagerService,
  IFormulaDependencyGenerator,
  IFormulaRuntimeService,
  Interpreter,
} from "@univerjs/preset-sheets-core";
import { type CellPlace, placeKey } from "../../functions/cell-values";
import type { Grid } from "../create-grid";
import { replaceMember } from "./replace-member";

type Tree = Awaited<ReturnType<IFormulaDependencyGenerator["generate"]>>[number];

/** `=ROW(A1)` in A1 reads no value. For the engine it refers to its own cell all the same. */
const usesAddress = /\b(?:ROW|COLUMN)S?\([^)]/i;

/** Returns a function that tells whether a cell's formula is circular, or refers to one that is. */
export function patchCircles({ injector }: Pick<Grid, "injector">): (place: CellPlace) => boolean {
  const dependencies = injector.get(IDependencyManagerService);
  const runtime = injector.get(IFormulaRuntimeService);
  const circular = new Set<string>();
  /** While the engine orders the formulas, it executes only their references. */
  let isOrdering = false;

  replaceMember(
    injector.get(IFormulaDependencyGenerator),
    { of: "FormulaDependencyGenerator", member: "generate" },
    (generate) =>
      async (...given) => {
        isOrdering = true;
        const trees = await generate(...given);
        isOrdering = false;
        for (const tree of trees) circular.delete(keyOf(tree));
        if (runtime.isCycleDependency()) for (const tree of circularTrees(trees)) circular.add(keyOf(tree));
        return trees;
      },
  );
  replaceMember(
    injector.get(Interpreter),
    { of: "Interpreter", member: "execute" },
    (calculate) => (formula) => {
      const { currentSubUnitId: sheetId, currentRow: row, currentColumn: col } = runtime;
      return !isOrdering && circular.has(placeKey({ sheetId, row, col }))
        ? ErrorValueObject.create(ErrorType.VALUE)
        : calculate(formula);
    },
  );

  /** Removes formulas that refer to none of the others, until there are no more. Those of a circle remain. */
  function circularTrees(trees: readonly Tree[]): Iterable<Tree> {
    dependencies.openKdTree();
    const remaining = new Map(trees.map((tree) => [tree.treeId, tree]));
    const dependentsOf = (tree: Tree) =>
      [...dependencies.searchDependency(tree.toRTreeItem())]
        .flatMap((id) => remaining.get(id) ?? [])
        .filter(({ formula }) => !usesAddress.test(formula));
    const precedents = new Map(trees.map((tree) => [tree, 0]));
    const change = (tree: Tree, step: 1 | -1): number => {
      const count = (precedents.get(tree) ?? 0) + step;
      precedents.set(tree, count);
      return count;
    };
    for (const tree of trees) for (const dependent of dependentsOf(tree)) change(dependent, 1);
    const removable = trees.filter((tree) => precedents.get(tree) === 0);
    for (const tree of removable) {
      remaining.delete(tree.treeId);
      for (const dependent of dependentsOf(tree)) if (change(dependent, -1) === 0) removable.push(dependent);
    }
    dependencies.closeKdTree();
    return remaining.values();
  }

  return (place) => circular.has(placeKey(place));
}

function keyOf({ subUnitId: sheetId, row, column: col }: Tree): string {
  return placeKey({ sheetId, row, col });
}
