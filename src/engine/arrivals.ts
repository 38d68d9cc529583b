/**
 * What the way in which cells ask tells of them: whether more are to be expected, whether somebody is editing, and which
 * sheet they are on.
 */

export type Arrivals = ReturnType<typeof createArrivals>;

const quietMs = 12;
export const requestsOfAnEdit = 10;

/**
 * Hosts hand a recalculation over in synchronous bursts, a few milliseconds apart; so cells are arriving while the last
 * came less than 12 ms ago. A person at a cell causes few requests, after a time of quiet: so at most ten requests in one
 * turn, none in the 12 ms before, are an edit. A host that hands over one cell at a time is taken for an editor once, and
 * then arrives.
 */
export function createArrivals() {
  let lastMs = -Infinity;
  let inTurn = 0;
  let wasQuiet = false;

  return {
    /** A request has joined a queue, or asked again for what stands in one. */
    note(nowMs: number): void {
      if (inTurn === 0) wasQuiet = nowMs >= lastMs + quietMs;
      inTurn += 1;
      lastMs = nowMs;
    },
    /** Ends the turn's count; true when its requests were an edit. */
    endTurn(): boolean {
      const isEdit = inTurn > 0 && inTurn <= requestsOfAnEdit && wasQuiet;
      inTurn = 0;
      return isEdit;
    },
    /** When they will have stopped, if no more come. */
    quietAtMs: () => lastMs + quietMs,
  };
}

export type Sheets = ReturnType<typeof createSheets>;

const lastOwnBit = 1 << 28;

/**
 * Which sheet a cell is on, as one bit, so that a group of many cells remembers its sheets in one integer and the
 * preferred sheet is one comparison. Addresses come by the hundred thousand and mostly from one sheet in a row, so an
 * address is compared with the last one's prefix and parsed only when it differs. Only the order of calls depends on it:
 * beyond 29 sheets the others share a bit.
 */
export function createSheets() {
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
    /** The bit of the sheet that `Sheet1!A1` or `'My sheet'!A1` is on; 0 where no sheet is named. */
    bitOf(cell: string | undefined): number {
      if (cell === undefined) return 0;
      if (lastPrefix !== "" && cell.startsWith(lastPrefix)) return lastBit;
      const end = cell.lastIndexOf("!");
      if (end <= 0) return 0;
      lastPrefix = cell.slice(0, end + 1);
      lastBit = bitOfSheet(sheetName(cell.slice(0, end)));
      return lastBit;
    },
    prefer(sheet: string | null): void {
      preferred = sheet === null ? 0 : bitOfSheet(sheetName(sheet));
    },
    /** The bit of the preferred sheet; 0 for none. */
    preferred: () => preferred,
  };
}

/** The tab's name: hosts put names with spaces in quotes and double the quotes inside. */
function sheetName(spelled: string): string {
  const quoted = spelled.length > 1 && spelled.startsWith("'") && spelled.endsWith("'");
  return quoted ? spelled.slice(1, -1).replaceAll("''", "'") : spelled;
}
