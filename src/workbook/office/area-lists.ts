/**
 * Naming many areas of a sheet at once for Excel (`getRanges`). The separator it takes is the one of the
 * person's settings, where documented is a comma (office-js issues 1167 and 1985): the decimal separator gives a
 * first guess, what was refused is tried the other way, and an Excel that takes neither is told of one area at
 * a time. What worked is remembered.
 */
import { areaAddress } from "../addresses";
import { bySheet, mergeCells } from "../cell-areas";
import { officeCode } from "./errors";
import type { CellRef } from "../port";

/** Areas of one sheet that are named together. */
export interface AreaList {
  readonly sheet: string;
  readonly addresses: readonly string[];
}

export interface AreaLists {
  /** Asks for what the guess needs; with the next sync. Returns what takes the answer. */
  guess(context: Excel.RequestContext): () => void;
  /** The cells as few lists, cut into portions of one round trip each. */
  portions(cells: readonly CellRef[]): AreaList[][];
  ranges(context: Excel.RequestContext, lists: readonly AreaList[]): Excel.RangeAreas[];
  /** Whether the next try would go another way. */
  learnFrom(error: unknown, lists: readonly AreaList[]): boolean;
}

/** Excel refuses lists of areas longer than some 8,190 characters (tried by users on Windows and the web). */
const addressLength = 2_000;
/** In one round trip: characters of addresses, and lists, which take some 500 bytes each. */
const charactersPerSync = 500_000;
const listsPerSync = 5_000;

export function createAreaLists(): AreaLists {
  /** Those that may still be tried, the best first. With none, areas go one by one. */
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
