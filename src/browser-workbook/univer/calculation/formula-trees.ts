/**
 * At each calculation the grid's engine makes a tree of every formula of the workbook, in one piece. Three things in
 * that are put right here; what is calculated, and in which order, stays the engine's.
 * It remembers 5,000 parsed formulas, and where there are more it finds none of them again, since it goes through
 * all in the same order each time: so it may remember more. It sorts all formulas by their places for those with OFFSET
 * and the like, even where there are none: then it does not. And between two formulas it takes a turn of the page
 * (measured together: the longest block of 40,000 formulas is a third of what it was, that of a planning sheet half).
 */
import type { FormulaDependencyGenerator, IFunctionService } from "@univerjs/preset-sheets-core";

export interface FormulaTreesOptions {
  readonly generator: object;
  readonly functions: Pick<IFunctionService, "deleteFormulaAstCacheKey">;
  /** One of the engine's caches, of the kind in which it keeps what it has parsed. */
  readonly cache: object;
  /** A memory that drops what was used longest ago, once it holds so many. */
  memory(most: number): object;
  /** Resolves in another turn of the page, where this one has lasted long enough. */
  pause(): Promise<void>;
}

/** A parsed formula takes some 2 KB. */
const mostParsed = 50_000;

/** What the engine keeps to itself: it has no other seam. */
interface Generator {
  _getRangeListByNode(node: unknown): Promise<unknown>;
  _calculateListByFunctionRefNode(trees: readonly Pick<Tree, "addressFunctionNodes">[]): Promise<void>;
}
type Tree = Awaited<ReturnType<FormulaDependencyGenerator["generate"]>>[number];

export function easeFormulaTrees({ functions, cache, memory, pause, ...given }: FormulaTreesOptions): void {
  const generator = given.generator as Generator;
  const rangesOf = generator._getRangeListByNode.bind(generator);
  const calculateFirst = generator._calculateListByFunctionRefNode.bind(generator);

  for (const parsed of parsedFormulas(functions, cache)) parsed._cache = memory(mostParsed);
  generator._getRangeListByNode = async (node) => {
    const ranges = await rangesOf(node);
    // Where the next formula stands is told to the engine after this.
    await pause();
    return ranges;
  };
  generator._calculateListByFunctionRefNode = async (trees) => {
    if (trees.some(({ addressFunctionNodes }) => addressFunctionNodes.length > 0)) {
      await calculateFirst(trees);
    }
  };
}

interface Parsed {
  _cache: object;
}

/** The engine gives them to nobody; but who is asked to drop some of them goes through them. */
function parsedFormulas(functions: FormulaTreesOptions["functions"], cache: object): readonly Parsed[] {
  const kind = Object.getPrototypeOf(cache) as { forEach: unknown };
  const { forEach } = kind;
  const seen: Parsed[] = [];
  kind.forEach = function (this: Parsed) {
    seen.push(this);
  };
  functions.deleteFormulaAstCacheKey();
  kind.forEach = forEach;
  return seen;
}
