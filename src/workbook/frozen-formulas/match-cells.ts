/**
 * Decides whether a frozen formula may return to its cell, by the value that the freeze left there and by the cells that the
 * formula refers to.
 */
import type { Area, Workbook } from "../port";
import { toR1C1 } from "../../formula/references";
import type { Block } from "./anchors";
import { partOf } from "./block-batches";
import { digest } from "./digest";
import { grouped } from "./grouped";
import type { LedgerLine } from "./ledger";
import { movedFormulas, spelling } from "./moved-formula";
import type { Place } from "./positions";
import {
  digestsOf,
  referenceReader,
  type ReferenceReader,
  refersToItsRow,
  type Surroundings,
} from "./reference-reader";

/** A ledger line for one place: the original sheet or a copied one. */
export interface Target {
  readonly line: LedgerLine;
  readonly place: Place;
  readonly block: Block;
  readonly area: Area;
  /** A later freeze found another formula in the cell: a sort may have moved this formula to another row. */
  readonly isReplaced: boolean;
}

export interface PossibleFormula {
  readonly formula: string;
  readonly reader: ReferenceReader;
}

/** `present`: the cell already contains the formula. */
export type Verdict =
  | { readonly kind: "present" }
  | { readonly kind: "fits"; readonly found: PossibleFormula }
  | { readonly kind: "refused"; readonly reason: string };

export interface JudgedTarget {
  readonly target: Target;
  readonly verdict: Verdict;
}

export const replacedReason = "Another formula was frozen in the cell later";
export const valueChangedReason = "The value was changed after freezing";

export async function judgeInPlace(
  workbook: Workbook,
  targets: readonly Target[],
  around: Surroundings,
): Promise<readonly JudgedTarget[]> {
  const possible = targets.flatMap((target) =>
    (target.isReplaced ? [] : formulasFor(target)).map((formula) => {
      return { target, formula, reader: referenceReader({ ...target.area, formula }, around) };
    }),
  );
  const digests = await digestsOf(
    workbook,
    possible.map(({ reader }) => reader),
  );
  const matching = possible.filter(({ target }, index) => target.line.entry.refersTo === digests[index]);
  const byTarget = grouped(matching, ({ target }) => target);
  return targets.map((target) => ({ target, verdict: verdictOn(target, byTarget.get(target) ?? []) }));
}

/**
 * Returns the cell's own formula if it is the frozen one. Otherwise returns the possible current spellings of the frozen
 * formula.
 */
function formulasFor({ line: { entry }, place, block: { block, cells }, area }: Target): readonly string[] {
  const present = cells[area.row - block.row]?.[area.col - block.col]?.formula ?? null;
  if (present !== null) {
    const isAlike =
      spelling(present) === spelling(entry.formula) ||
      spelling(toR1C1(present, area)) === spelling(entry.r1c1);
    return isAlike ? [present] : [];
  }
  // The address alone doesn't show whether the cell has moved.
  return place.anchor === null ? [entry.formula] : movedFormulas(entry.formula, entry.ref, area);
}

function verdictOn(
  { line: { entry }, block: { block, cells }, area, isReplaced }: Target,
  matching: readonly PossibleFormula[],
): Verdict {
  const now = partOf(cells, block, area);
  const first = now[0]?.[0];
  const [found, another] = matching;
  const refused = (reason: string): Verdict => ({ kind: "refused", reason });
  if (isReplaced) return refused(replacedReason);
  // Somebody has undone the freeze, or a sort has moved a similar formula of another row here.
  if (first !== undefined && first.formula !== null) {
    return found === undefined ? refused("The cell contains another formula now") : { kind: "present" };
  }
  if (digest(now.map((row) => row.map(({ content }) => content))) !== entry.digest) {
    return refused(valueChangedReason);
  }
  if (found === undefined) return refused(otherReferencesReason(entry));
  if (another !== undefined) return refused("INV can't tell which cells the formula referred to");
  if (first?.numberFormat === "@") return refused("The cell is formatted as text");
  return { kind: "fits", found };
}

export function otherReferencesReason({ ref, formula }: LedgerLine["entry"]): string {
  return refersToItsRow({ ...ref, formula })
    ? "The cells that the formula refers to have changed"
    : "The cells that the formula refers to, or those beside it, have changed";
}
