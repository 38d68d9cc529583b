/**
 * Finds the cells of the ledger's entries. A copied sheet has twins of the workbook's names, scoped to the sheet: INV finds the
 * original by the workbook's name, and each copy by its twin. It finds an entry without a name by its original address and the
 * sheet's id, or by the sheet's name in a copy of the file, where ids are new.
 */
import { parseCellAddress } from "../addresses";
import type { Anchor, Area, CellRef, DefinedName, SheetInfo } from "../port";
import { references } from "../../formula/references";
import type { LedgerEntry } from "./entry";

export interface Place {
  /** Null if the cell or its sheet was deleted. */
  readonly at: CellRef | null;
  /** The name by which INV found the cell; null if it used the address. */
  readonly anchor: Anchor | null;
  /** Offset from the first cell of the name's block; 0 and 0 for the name of a single cell. */
  readonly offset: Omit<CellRef, "sheet">;
}

/** The original's place comes first, then those of copies. */
export type Places = readonly [Place, ...Place[]];

export function createPlaces(
  sheets: readonly SheetInfo[],
  names: readonly DefinedName[],
): (entry: LedgerEntry) => Places {
  const byId = new Map(sheets.map((sheet) => [sheet.id, sheet.name]));
  const sheetNames = new Set(sheets.map(({ name }) => name));
  const anchors = new Map<string, { readonly anchor: Anchor; readonly first: CellRef | null }[]>();
  for (const { name, sheet, formula } of names) {
    const first = cellNamed(formula);
    // Ignore a twin whose cells were deleted.
    if (sheet !== null && (first === null || !sheetNames.has(sheet))) continue;
    const same = anchors.get(name.toLowerCase()) ?? [];
    const place = {
      anchor: { name, sheet },
      first: first !== null && sheetNames.has(first.sheet) ? first : null,
    };
    anchors.set(name.toLowerCase(), sheet === null ? [place, ...same] : [...same, place]);
  }
  return ({ anchor, ref, sheetId, block }) => {
    const found = anchor === "" ? [] : (anchors.get(anchor.toLowerCase()) ?? []);
    const origin = block === "" ? ref : blockFrom(block);
    const offset = { row: ref.row - origin.row, col: ref.col - origin.col };
    const [first, ...copies] = found.map(({ anchor: own, first: cell }): Place => {
      const at = cell === null ? null : { ...cell, row: cell.row + offset.row, col: cell.col + offset.col };
      return { at, anchor: own, offset };
    });
    if (first?.anchor?.sheet === null) return [first, ...copies];
    const sheet = byId.get(sheetId) ?? (sheetNames.has(ref.sheet) ? ref.sheet : null);
    const byAddress = { at: sheet === null ? null : { ...ref, sheet }, anchor: null, offset };
    return first === undefined ? [byAddress] : [byAddress, first, ...copies];
  };
}

/** Returns the cell that the name refers to; null for a deleted cell (`=Plan!#REF!`). */
function cellNamed(formula: string): CellRef | null {
  const [found] = references(formula).cells;
  if (found === undefined || found.sheet === null) return null;
  return { sheet: found.sheet, row: found.row, col: found.col };
}

export function blockFrom(address: string): Omit<Area, "sheet"> {
  const [first = "", last = first] = address.split(":");
  const [from, to] = [first, last].map((cell) => parseCellAddress(`block!${cell}`) ?? { row: 0, col: 0 });
  const { row = 0, col = 0 } = from ?? {};
  return { row, col, rows: (to?.row ?? 0) - row + 1, cols: (to?.col ?? 0) - col + 1 };
}
