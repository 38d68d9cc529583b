/**
 * `FormulaDependencyGenerator.generate` and `Interpreter.execute`: formulas that the engine can't calculate show an error.
 * `DependencyManagerService.addOtherFormulaDependency`: formulas of conditional formats are no cells. The engine gives each of their
 * cells a place as if the range began at the sheet's corner, and calculates the formulas that refer to these cells. A saved workbook
 * would calculate them when it is opened, and lose their values in an outage.
 * - A formula that the grid can't follow as Excel does (formula/grid-check.ts) is never executed.
 * - If the engine fails at a formula, its calculation would neither continue nor end. Here the other formulas show their
 *   values. If it fails while it orders the formulas, the calculation ends without being applied. Both errors are reported as
 *   errors of the page.
 * - It calculates a formula that refers to its own cell, directly or through other cells, with the value the cell had before.
 *   A sum over its own cell would grow with each calculation, and an INV function would wait for itself forever. Here such
 *   formulas, and those that refer to them, are circular. The same is true of an array formula that refers to a cell that it fills,
 *   which shows only once it has filled it.
 */
import type { IRange, IUnitRange } from "@univerjs/core";
import { sheetCols, sheetRows } from "../../../formula/columns";
import {
  CELL_INVERTED_INDEX_CACHE,
  ErrorType,
  FormulaDataModel,
  IDependencyManagerService,
  IFormulaDependencyGenerator,
  IFormulaRuntimeService,
  Interpreter,
} from "@univerjs/preset-sheets-core";
import { type CellPlace, placeKey } from "../../functions/cell-values";
import { errorValue } from "../calculation/engine-values";
import { createFormulaProblems } from "../calculation/formula-problems";
import type { Grid } from "../grid";
import { replaceMember } from "./replace-member";

type Tree = Awaited<ReturnType<IFormulaDependencyGenerator["generate"]>>[number];

/** `=ROW(A1)` in A1 reads no value. For the engine it refers to its own cell all the same. */
const usesAddress = /\b(?:ROW|COLUMN)S?\([^)]/i;

/** Farther before the first row and column than any range is long. */
const nowhere = -2 * sheetRows;

export interface BrokenFormulas {
  /** Whether the cell's formula refers to its own cell, directly or through other cells, or to a formula that does. */
  isCircular(place: CellPlace): boolean;
  /** Cells whose formula the grid couldn't follow when it was last calculated. */
  refused(): readonly CellPlace[];
  /**
   * Call when a calculation starts. Those that follow from another one don't try array formulas again that filled what they refer to,
   * because they would fill and empty the cells in turn.
   */
  begin(isFollowUp: boolean): void;
  /** What the array formulas filled that were tried again. Formulas that refer to it may still show the circle's error. */
  tried(): readonly IUnitRange[];
}

/** @param failed called when a calculation ends early */
export function patchBrokenFormulas(
  grid: Pick<Grid, "injector" | "api">,
  failed: () => void,
): BrokenFormulas {
  const { injector } = grid;
  const problemOf = createFormulaProblems(grid);
  const dependencies = injector.get(IDependencyManagerService);
  const runtime = injector.get(IFormulaRuntimeService);
  const circular = new Set<string>();
  const model = injector.get(FormulaDataModel);
  /** What the array formulas of circles filled, before they became errors. */
  const filledBefore = new Map<string, IUnitRange>();
  let tried: IUnitRange[] = [];
  let isTrying = true;
  const refused = new Map<string, { readonly place: CellPlace; readonly error: string }>();
  /** While the engine orders the formulas, it executes only their references. */
  let isOrdering = false;

  replaceMember(
    dependencies,
    { of: "DependencyManagerService", member: "addOtherFormulaDependency" },
    (add) =>
      (...args) => {
        const [, , , tree] = args;
        // The places of the others follow from that of the first.
        if (!tree.isVirtual) Object.assign(tree, { row: nowhere, column: nowhere });
        add(...args);
      },
  );
  replaceMember(
    injector.get(IFormulaDependencyGenerator),
    { of: "FormulaDependencyGenerator", member: "generate" },
    (generate) =>
      async (...args) => {
        isOrdering = true;
        try {
          const trees = await generate(...args);
          for (const tree of trees) {
            circular.delete(treeKey(tree));
            const filled = filledBefore.get(treeKey(tree));
            if (filled !== undefined && isTrying) tried.push(filled);
            if (isTrying) filledBefore.delete(treeKey(tree));
            check(tree);
          }
          if (!runtime.isCycleDependency() && !trees.some((tree) => refersToFilled(tree, trees))) {
            return trees;
          }
          for (const tree of circularTrees(trees)) {
            circular.add(treeKey(tree));
            const filled = filledBy(tree);
            if (filled !== null) filledBefore.set(treeKey(tree), filled);
          }
          return trees;
        } catch (error) {
          reportError(error);
          failed();
          runtime.stopExecution();
          return [];
        } finally {
          isOrdering = false;
        }
      },
  );
  replaceMember(
    injector.get(Interpreter),
    { of: "Interpreter", member: "execute" },
    (calculate) => (formula) => {
      const { currentSubUnitId: sheetId, currentRow: row, currentColumn: col, currentUnitId } = runtime;
      // For functions that give #REF! where the sheet ends (see `boundedFunctions`).
      runtime.setCurrent(row, col, sheetRows, sheetCols, sheetId, currentUnitId);
      if (!isOrdering) CELL_INVERTED_INDEX_CACHE.clear();
      try {
        const key = placeKey({ sheetId, row, col });
        const error = refused.get(key)?.error ?? (circular.has(key) ? ErrorType.VALUE : null);
        return isOrdering || error === null ? calculate(formula) : errorValue(error);
      } catch (error) {
        reportError(error);
        return errorValue(ErrorType.VALUE);
      }
    },
  );

  function check(tree: Tree): void {
    const { subUnitId: sheetId, row, column: col } = tree;
    refused.delete(treeKey(tree));
    // Trees of conditional formats have no formula of a cell.
    if (tree.formula === "" || tree.row < 0) return;
    const problem = problemOf(tree.formula, sheetId);
    if (problem !== null) refused.set(treeKey(tree), { place: { sheetId, row, col }, error: problem.error });
  }

  /** The cells that the array formula fills; null for any other formula. */
  function filledBy(tree: Tree): IUnitRange | null {
    const { unitId, subUnitId: sheetId, row, column } = tree;
    const range: IRange | undefined = model.getArrayFormulaRange()[unitId]?.[sheetId]?.[row]?.[column];
    return range === undefined
      ? (filledBefore.get(treeKey(tree)) ?? null)
      : { unitId, sheetId, range: { ...range } };
  }

  /** The formulas among these that refer to the formula's cell, or to cells that it fills. */
  function dependentsOf(tree: Tree, among: ReadonlyMap<number, Tree>): Tree[] {
    const filled = filledBy(tree);
    return [...dependencies.searchDependency(filled === null ? tree.toRTreeItem() : [filled])]
      .flatMap((id) => among.get(id) ?? [])
      .filter(({ formula }) => !usesAddress.test(formula));
  }

  /** Whether the array formula refers to a cell that it fills, directly or through other cells. */
  function refersToFilled(tree: Tree, trees: readonly Tree[]): boolean {
    if (filledBy(tree) === null) return false;
    const unseen = new Map(trees.map((each) => [each.treeId, each]));
    const reached = [tree];
    dependencies.openKdTree();
    try {
      for (const one of reached) {
        for (const dependent of dependentsOf(one, unseen)) {
          if (dependent === tree) return true;
          unseen.delete(dependent.treeId);
          reached.push(dependent);
        }
      }
      return false;
    } finally {
      dependencies.closeKdTree();
    }
  }

  /** Removes formulas that refer to none of the others, until there are no more. Circular ones remain. */
  function circularTrees(trees: readonly Tree[]): Iterable<Tree> {
    dependencies.openKdTree();
    const remaining = new Map(trees.map((tree) => [tree.treeId, tree]));
    const references = new Map(trees.map((tree) => [tree, 0]));
    const count = (tree: Tree, step: 1 | -1): number => {
      references.set(tree, (references.get(tree) ?? 0) + step);
      return references.get(tree) ?? 0;
    };
    for (const tree of trees) for (const dependent of dependentsOf(tree, remaining)) count(dependent, 1);
    const removable = trees.filter((tree) => references.get(tree) === 0);
    for (const tree of removable) {
      remaining.delete(tree.treeId);
      for (const dependent of dependentsOf(tree, remaining)) {
        if (count(dependent, -1) === 0) removable.push(dependent);
      }
    }
    dependencies.closeKdTree();
    return remaining.values();
  }

  return {
    isCircular: (place) => circular.has(placeKey(place)),
    begin(isFollowUp) {
      isTrying = !isFollowUp;
      tried = [];
    },
    tried: () => tried,
    refused: () => [...refused.values()].map(({ place }) => place),
  };
}

function treeKey({ subUnitId: sheetId, row, column: col }: Tree): string {
  return placeKey({ sheetId, row, col });
}
