/**
 * The sheets that are calculated: the cells, their order and bursts, and the least number of calls and the least time that
 * any client could need for them.
 */

export interface Cell {
  readonly store: number;
  /** The text in the sheet: usually a 14-digit GTIN. */
  readonly gtin: string;
}

export interface Workload {
  readonly id: string;
  readonly title: string;
  readonly cells: readonly Cell[];
  /** Null means all at once. Excel makes calls in synchronous bursts. */
  readonly bursts: { readonly cells: number; readonly everyMs: number } | null;
  /** Recalculations of the whole sheet after the first, within the freshness time. */
  readonly recalculations: number;
  /** Calls that the service answers in any 60 s. The others get a 429. */
  readonly quota: number | null;
  /** GTINs that only the service knows to be bad. */
  readonly refused: ReadonlySet<string>;
  readonly least: { readonly calls: number; readonly timeMs: number };
}

export const latencyMs = 80;
export const connections = 6;
const itemsPerCall = 100;

type Options = Partial<Pick<Workload, "bursts" | "recalculations" | "quota" | "refused">>;

const bursts = { cells: 500, everyMs: 5 };

export function makeWorkloads(): readonly Workload[] {
  const ten = sheet(1, 10_000);
  const fifty = sheet(50, 1000, itemWithRepeats);
  const wide = sheet(4000, 25);
  const typos = withEvery1000th(sheet(50, 1000), (gtin) => `${gtin.slice(0, -1)}O`);
  const unknowns = withEvery1000th(sheet(50, 1000), (gtin) => `9${gtin.slice(1)}`);
  const refused = new Set(unknowns.map((cell) => cell.gtin).filter((gtin) => gtin.startsWith("9")));
  return [
    workload("a", "10,000 cells, 1 store", ten),
    workload("b", "50,000 cells, 50 stores, 30 % repeats", fifty),
    workload("c", "100,000 cells, 4,000 stores x 25 items", wide),
    workload("d", "b, 500 cells every 5 ms", fifty, { bursts }),
    workload("d2", "c, 500 cells every 5 ms", wide, { bursts }),
    workload("g", "b, then 3 recalculations while fresh", fifty, { recalculations: 3 }),
    workload("typo", "50,000 cells, 1 in 1,000 visibly bad", typos),
    workload("unknown", "50,000 cells, 1 in 1,000 bad, only the service knows", unknowns, { refused }),
    workload("quota", "c, 600 calls in any 60 s", wide, { quota: 600 }),
  ];
}

/** What a cell must show. The service and the check compute it independently of any client. */
export function quantityOf(store: number, gtin: string): number {
  return (Number(gtin.slice(-7)) * 31 + store * 17) % 997;
}

/** One item in 200, a different one in each store, has no data according to the service. */
export function hasNoData(store: number, gtin: string): boolean {
  return (Number(gtin.slice(-7)) + store * 37) % 200 === 0;
}

export function isTypo(gtin: string): boolean {
  return !/^\d{14}$/.test(gtin);
}

function workload(id: string, title: string, cells: readonly Cell[], options: Options = {}): Workload {
  const { quota = null, refused = new Set<string>() } = options;
  const calls = leastCalls(cells, refused);
  return {
    id,
    title,
    cells,
    bursts: options.bursts ?? null,
    recalculations: options.recalculations ?? 0,
    quota,
    refused,
    least: { calls, timeMs: leastTimeMs(calls, quota) },
  };
}

/** A store needs enough calls for its different good items. An invisibly bad item costs one more call. */
function leastCalls(cells: readonly Cell[], refused: ReadonlySet<string>): number {
  const refusals = [...itemsByStore(cells).values()].flatMap((items) =>
    [...items].filter((gtin) => refused.has(gtin)),
  );
  return leastQueries(cells).length + refusals.length;
}

/** The fewest queries: every item that isn't visibly bad once, with as many items of a store as a call takes. */
export function leastQueries(cells: readonly Cell[]): { readonly store: number; readonly gtins: string[] }[] {
  return [...itemsByStore(cells)].flatMap(([store, items]) => {
    const gtins = [...items];
    const calls = Math.ceil(gtins.length / itemsPerCall);
    return Array.from({ length: calls }, (_, call) => ({
      store,
      gtins: gtins.slice(call * itemsPerCall, (call + 1) * itemsPerCall),
    }));
  });
}

function itemsByStore(cells: readonly Cell[]): ReadonlyMap<number, ReadonlySet<string>> {
  const stores = new Map<number, Set<string>>();
  for (const { store, gtin } of cells) {
    if (isTypo(gtin)) continue;
    const items = stores.get(store) ?? new Set();
    stores.set(store, items.add(gtin));
  }
  return stores;
}

function leastTimeMs(calls: number, quota: number | null): number {
  const fullMinutes = quota === null ? 0 : Math.ceil(calls / quota) - 1;
  const rest = quota === null ? calls : calls - fullMinutes * quota;
  return fullMinutes * 60_000 + Math.ceil(rest / connections) * latencyMs;
}

/** Row by row, as in a planner's grid: a row is an item, a column a store. */
export function sheet(stores: number, rows: number, itemOfRow = (row: number): number => row): Cell[] {
  const cells: Cell[] = [];
  for (let row = 0; row < rows; row++) {
    for (let store = 0; store < stores; store++) {
      // Each cell has its own text, as a host passes it.
      const gtin = String(10_000_000 + itemOfRow(row) * 7).padStart(14, "0");
      cells.push({ store: 1000 + store, gtin });
    }
  }
  return cells;
}

/** Of ten rows, seven are new items and three repeat an item from further up. */
function itemWithRepeats(row: number): number {
  const known = Math.floor(row / 10) * 7;
  const inTen = row % 10;
  return inTen < 7 ? known + inTen : (row * 17) % (known + 7);
}

function withEvery1000th(cells: readonly Cell[], spoil: (gtin: string) => string): Cell[] {
  // A store has 1,000 cells here, and each store has its bad one in a different row.
  return cells.map((cell, index) => {
    const row = Math.floor(index / 50);
    return row === (cell.store * 37) % 1000 ? { ...cell, gtin: spoil(cell.gtin) } : cell;
  });
}
