/**
 * The cells of a refresh beside what the register knows of them: what they ask for, whether they were
 * calculated again since they were marked, and whether their answer is still owed.
 * A cell without a register entry is one that the host has not calculated in this session.
 */
import type { CellRegister, CellUse } from "../../cells/cell-register";
import { cellAddresses } from "../addresses";
import type { Located } from "../formula-search";

export type Target = Located;

/** How a cell stood when it was marked: its calculation, negative while that waited. Null: none in this session. */
export type Mark = number | null;

/** Looked up once: a record changes with its cell, until it is forgotten. */
export function useOf(cells: CellRegister, target: Target): CellUse | undefined {
  if (target.use !== undefined && target.use.calculation > 0) return target.use;
  // One that was not known when it was found may have come in the other spelling.
  return (target.use = cells.get(target.address) ?? cells.get(cellAddresses(target.ref)[1]));
}

export function markOf(use: CellUse | undefined): Mark {
  if (use === undefined) return null;
  return use.state === "waiting" ? -use.calculation : use.calculation;
}

/** Whether the cell was calculated since, or has ended what it was marked in. */
export function hasChanged(mark: Mark, use: CellUse): boolean {
  return markOf(use) !== mark;
}

export function asksNothing(use: CellUse): boolean {
  return use.asked === null;
}
