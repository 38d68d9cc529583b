/**
 * Where the cells of the ledger's entries are now: by the hidden name that has moved with the cell, else by the
 * sheet's id (in a copy of the file, where ids are new, its name) and the address of that time.
 */
import type { CellRef, DefinedName, SheetInfo } from "../port";
import { references } from "../references";
import type { LedgerEntry } from "./entry";

export interface EntryPosition {
  /** Null where the cell or its sheet is no longer there. */
  readonly at: CellRef | null;
  /** By its own name, so that nothing needs to be guessed. */
  readonly isAnchored: boolean;
}

export function createPositions(
  sheets: readonly SheetInfo[],
  names: readonly DefinedName[],
): (entry: LedgerEntry) => EntryPosition {
  const byId = new Map(sheets.map((sheet) => [sheet.id, sheet.name]));
  const standing = new Set(sheets.map(({ name }) => name));
  const anchors = new Map(names.map(({ name, formula }) => [name.toLowerCase(), formula]));
  return ({ anchor, ref, sheetId }) => {
    const formula = anchor === "" ? undefined : anchors.get(anchor.toLowerCase());
    if (formula !== undefined) {
      const cell = cellNamed(formula);
      return { at: cell !== null && standing.has(cell.sheet) ? cell : null, isAnchored: true };
    }
    const sheet = byId.get(sheetId) ?? (standing.has(ref.sheet) ? ref.sheet : null);
    return { at: sheet === null ? null : { ...ref, sheet }, isAnchored: false };
  };
}

/** Null for a cell that was deleted: `=Plan!#REF!`. */
function cellNamed(formula: string): CellRef | null {
  const [found] = references(formula).cells;
  if (found === undefined || found.sheet === null) return null;
  return { sheet: found.sheet, row: found.row, col: found.col };
}
