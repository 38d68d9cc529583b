/**
 * Addresses many areas of a sheet at once for Excel (`getRanges`). The documented separator is a comma, but Excel expects the
 * one of the person's settings (office-js 1167 and 1985). INV guesses it from the decimal separator, and tries the other if
 * Excel refuses. If Excel refuses both, INV uses one area at a time. It remembers what worked.
 */
import { areaAddress } from "../addresses";
import { bySheet, mergeCells } from "../cell-areas";
import { officeCode } from "./errors";
import type { CellRef } from "../port";

export interface AreaList {
  readonly sheet: string;
  readonly addresses: readonly string[];
}

export interface AreaLists {
  /** Loads the setting that the guess needs. Call the returned function after the next sync. */
  guess(context: Excel.RequestContext): () => void;
  /** Returns the cells as few lists, in portions of one round trip each. */
  portions(cells: readonly CellRef[]): AreaList[][];
  ranges(context: Excel.RequestContext, lists: readonly AreaList[]): Excel.RangeAreas[];
  /** Returns whether another attempt would use another separator. */
  learnFrom(error: unknown, lists: readonly AreaList[]): boolean;
}

/** Excel refuses lists of areas longer than about 8,190 characters (tried by users on Windows and the web). */
const addressLength = 2_000;
/** Limits of one round trip. A list needs about 500 bytes in addition to its addresses. */
const charactersPerSync = 500_000;
const listsPerSync = 5_000;

export function createAreaLists(): AreaLists {
  /** The separators still to try, the best first. If none is left, INV uses one area at a time. */
  let separators: readonly string[] = [",", ";"];

  function join(sheet: string, addresses: readonly string[]): AreaList[] {
    if (separators.length === 0) return addresses.map((address) => ({ sheet, addresses: [address] }));
    const lists: { sheet: string; addresses: string[] }[] = [];
    let length = Infinity;
    for (const address of addresses) {
      length += address.length + 1;
      if (length > addressLength) {
        lists.push({ sheet, addresses: [] });
        length = address.length;
      }
      lists.at(-1)?.addresses.push(address);
    }
    return lists;
  }

  return {
    guess({ workbook: { application } }) {
      application.load("decimalSeparator");
      return () => {
        if (separators.length === 2 && application.decimalSeparator === ",") separators = [";", ","];
      };
    },
    portions(cells) {
      const lists = [...bySheet(cells)].flatMap(([sheet, refs]) =>
        join(sheet, mergeCells(refs).map(areaAddress)),
      );
      return cut(lists);
    },
    ranges: ({ workbook }, lists) =>
      lists.map(({ sheet, addresses }) =>
        workbook.worksheets.getItem(sheet).getRanges(addresses.join(separators[0] ?? ",")),
      ),
    learnFrom(error, lists) {
      if (officeCode(error) !== "InvalidArgument" || separators.length === 0) return false;
      if (!lists.some(({ addresses }) => addresses.length > 1)) return false;
      separators = separators.slice(1);
      return true;
    },
  };
}

function cut(lists: readonly AreaList[]): AreaList[][] {
  const portions: AreaList[][] = [];
  let characters = Infinity;
  for (const list of lists) {
    const length = list.addresses.reduce((sum, address) => sum + address.length + 1, 0);
    if (characters + length > charactersPerSync || portions.at(-1)?.length === listsPerSync) {
      portions.push([]);
      characters = 0;
    }
    portions.at(-1)?.push(list);
    characters += length;
  }
  return portions;
}
