/**
 * Which sheet a cell is on, as one bit, so that a group of many cells remembers its sheets in one integer
 * and the preferred sheet is one comparison. Addresses come by the hundred thousand and mostly from one
 * sheet in a row, so an address is compared with the last one's prefix and parsed only when it differs.
 * Only the order of calls depends on it: beyond 29 sheets the others share a bit.
 */

export interface Sheets {
  /** The bit of the sheet that `Sheet1!A1` or `'My sheet'!A1` is on; 0 where no sheet is named. */
  bitOf(cell: string | undefined): number;
  prefer(sheet: string | null): void;
  /** The bit of the preferred sheet; 0 for none. */
  preferred(): number;
}

/** One in this many choices of what to send is made for the other sheets, so that the preferred one starves none. */
export const choicesPerTurnOfTheOthers = 8;

const lastOwnBit = 1 << 28;

export function createSheets(): Sheets {
  const bits = new Map<string, number>();
  let nextBit = 1;
  let lastPrefix = "";
  let lastBit = 0;
  let preferred = 0;

  function bitOfSheet(sheet: string): number {
    const known = bits.get(sheet);
    if (known !== undefined) return known;
    const bit = nextBit;
    if (nextBit <= lastOwnBit) nextBit *= 2;
    bits.set(sheet, bit);
    return bit;
  }

  return {
    bitOf(cell) {
      if (cell === undefined) return 0;
      if (lastPrefix !== "" && cell.startsWith(lastPrefix)) return lastBit;
      const end = cell.lastIndexOf("!");
      if (end <= 0) return 0;
      lastPrefix = cell.slice(0, end + 1);
      lastBit = bitOfSheet(sheetName(cell.slice(0, end)));
      return lastBit;
    },
    prefer(sheet) {
      preferred = sheet === null ? 0 : bitOfSheet(sheetName(sheet));
    },
    preferred: () => preferred,
  };
}

/** The tab's name: hosts put names with spaces in quotes and double the quotes inside. */
function sheetName(spelled: string): string {
  const quoted = spelled.length > 1 && spelled.startsWith("'") && spelled.endsWith("'");
  return quoted ? spelled.slice(1, -1).replaceAll("''", "'") : spelled;
}
