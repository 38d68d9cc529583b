/**
 * Whether a frozen formula may go back into the cell in which it was frozen: by the value that was left there and by what
 * the formula refers to.
 */
import type { Area, Workbook } from "../port";
import { toR1C1 } from "../../formula/references";
import type { Block } from "./anchors";
import { digest } from "./digest";
import type { LedgerLine } from "./ledger";
import { movedFormulas, spelling } from "./moved-formula";
import type { Place } from "./positions";
import {
  digestsOf,
  referenceReader,
  type ReferenceReader,
  refersToItsRow,
  type Surroundings,
} from "./referred-cells";
import { add } from "./rows-by-reference";
import { partOf } from "./block-batches";

/** A line, for the original or for a copied sheet. */
export interface Target {
  readonly line: LedgerLine;
  readonly place: Place;
  readonly block: Block;
  /** Where the entry's area is now. */
  readonly area: Area;
  /** A later freeze found another formula in the cell: this one may have been moved to another row by a sort. */
  readonly isReplaced: boolean;
}

/** How a formula may read in its cell now. */
export interface Way {
  readonly formula: string;
  readonly reader: ReferenceReader;
}

export type Verdict =
  | { readonly kind: "standing" }
  | { readonly kind: "fits"; readonly way: Way }
  | { readonly kind: "refused"; readonly reason: string };

export interface Judged {
  readonly target: Target;
  readonly verdict: Verdict;
}

export const replaced = "Another formula was frozen in the cell since";
export const valueChanged = "The value was changed after freezing";

export async function judgeInPlace(
  workbook: Workbook,
  targets: readonly Target[],
  around: Surroundings,
): Promise<readonly Judged[]> {
  const ways = targets.flatMap((target) =>
    (target.isReplaced ? [] : formulasFor(target)).map((formula) => {
      return { target, formula, reader: referenceReader({ ...target.area, formula }, around) };
    }),
  );
  const found = await digestsOf(
    workbook,
    ways.map(({ reader }) => reader),
  );
  const fitting = new Map<Target, Way[]>();
  for (const [index, way] of ways.entries()) {
    if (way.target.line.entry.refersTo === found[index]) add(fitting, way.target, way);
  }
  return targets.map((target) => ({ target, verdict: verdictOn(target, fitting.get(target) ?? []) }));
}

/** What the cell contains, where that is the formula. */
function formulasFor({ line: { entry }, place, block: { block, cells }, area }: Target): readonly string[] {
  const held = cells[area.row - block.row]?.[area.col - block.col]?.formula ?? null;
  if (held !== null) {
    const isAlike =
      spelling(held) === spelling(entry.formula) || spelling(toR1C1(held, area)) === spelling(entry.r1c1);
    return isAlike ? [held] : [];
  }
  // By its address alone the cell has not been seen to move.
  return place.anchor === null ? [entry.formula] : movedFormulas(entry.formula, entry.ref, area);
}

function verdictOn(
  { line: { entry }, block: { block, cells }, area, isReplaced }: Target,
  fitting: readonly Way[],
): Verdict {
  const held = partOf(cells, block, area);
  const [first] = held[0] ?? [];
  const [way, another] = fitting;
  const refused = (reason: string): Verdict => ({ kind: "refused", reason });
  if (isReplaced) return refused(replaced);
  // An undo has put it back. Sorting may have brought a like formula of another row there.
  if (first !== undefined && first.formula !== null) {
    return way === undefined ? refused("The cell holds another formula now") : { kind: "standing" };
  }
  if (digest(held.map((row) => row.map(({ content }) => content))) !== entry.digest) {
    return refused(valueChanged);
  }
  if (way === undefined) return refused(anotherNow(entry));
  if (another !== undefined) return refused("It cannot be told which cells the formula referred to");
  if (first?.numberFormat === "@") return refused("The cell is formatted as text");
  return { kind: "fits", way };
}

export function anotherNow({ ref, formula }: LedgerLine["entry"]): string {
  return refersToItsRow({ ...ref, formula })
    ? "What the formula refers to is another now"
    : "What the formula refers to, or what stands beside it, is another now";
}
