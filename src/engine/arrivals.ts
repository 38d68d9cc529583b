/**
 * What the engine learns from the way in which cells arrive: whether more will come, whether a person is editing, and which
 * sheet they are on.
 */

export type Arrivals = ReturnType<typeof createArrivals>;

const quietMs = 12;
export const requestsOfAnEdit = 10;

/**
 * Hosts pass a recalculation in synchronous bursts, a few milliseconds apart. So cells are arriving if the last one came less
 * than 12 ms ago. A person who edits a cell causes few requests after a pause. So at most ten requests in one turn, with none
 * in the 12 ms before, are an edit. If a host passes one cell at a time, only its first cell counts as an edit.
 */
export function createArrivals() {
  let lastMs = -Infinity;
  let inTurn = 0;
  let wasQuiet = false;

  return {
    /** Records a request for an entry that is in the queue. */
    note(nowMs: number): void {
      if (inTurn === 0) wasQuiet = nowMs >= lastMs + quietMs;
      inTurn += 1;
      lastMs = nowMs;
    },
    /** Ends the turn. Returns whether its requests were an edit. */
    endTurn(): boolean {
      const isEdit = inTurn > 0 && inTurn <= requestsOfAnEdit && wasQuiet;
      inTurn = 0;
      return isEdit;
    },
    /** When cells have stopped arriving, if no more come. */
    quietAtMs: () => lastMs + quietMs,
  };
}

export type Sheets = ReturnType<typeof createSheets>;

const lastOwnBit = 1 << 28;

/**
 * Gives each sheet one bit, so that a group stores the sheets of its cells in one integer. Neighbouring cells are mostly on the
 * same sheet, so an address is parsed only if its prefix differs from the last one's. From the 29th sheet on, sheets share a
 * bit: only the order of calls depends on it.
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
    /** Returns the bit of the sheet of an address such as `Sheet1!A1` or `'My sheet'!A1`; 0 if it names no sheet. */
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
    /** Returns the bit of the preferred sheet; 0 if there is none. */
    preferred: () => preferred,
  };
}

/** Returns the name on the tab. Hosts put names with spaces in quotes, and double the quotes inside. */
function sheetName(spelled: string): string {
  const quoted = spelled.length > 1 && spelled.startsWith("'") && spelled.endsWith("'");
  return quoted ? spelled.slice(1, -1).replaceAll("''", "'") : spelled;
}
