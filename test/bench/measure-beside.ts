/**
 * The pane beside a workbook of 200,000 INV formulas, all calculated: what it lists as it opens, the price of each
 * scope, and a refresh until its cells are marked and while they settle. Beside them one plain pass over the formulas.
 */
import { createCellRegister, type CellRegister } from "../../src/cells/cell-register";
import { InvError } from "../../src/domain/errors";
import { addressIn, cellAddresses } from "../../src/workbook/addresses";
import { isInvFormula } from "../../src/workbook/inv-formulas";
import type { FormulaCell, SelectedAreas, Workbook } from "../../src/workbook/port";
import { createRefresher, type RefreshScope } from "../../src/workbook/refresh/refresh";
import { connectedEngine, type Setting } from "./contenders";
import { createBench, find } from "./measure";
import type { VirtualLoop } from "./virtual-loop";

export interface BesideResult {
  readonly passMs: number;
  readonly rows: readonly BesideRow[];
}

interface BesideRow {
  readonly title: string;
  readonly ms: number;
  readonly blockMs: number;
  /** What the same takes without the pane, to be taken off. */
  readonly withoutMs: number;
}

/** The pane's own part. */
export function ownMs({ ms, withoutMs }: BesideRow): number {
  return Math.max(0, ms - withoutMs);
}

const stores = 2000;
const items = 100;
/** The workbook is read in parts, each a round trip. */
const cellsPerPart = 20_000;
/** Cells that settle in one turn, as the engine does it. */
const cellsPerTurn = 2000;
const outage = new InvError("service-down", "The service is not available.");

export async function measureBeside(): Promise<BesideResult> {
  const { bench, setting } = createBench(find("qty", "grid").workload);
  const stage = createStage(setting);
  const rows: BesideRow[] = [];
  const measure = async (title: string, work: () => unknown, isOver?: () => boolean): Promise<void> => {
    rows.push({ title, withoutMs: 0, ...(await timed(bench.loop, work, isOver)) });
  };

  // A refresh proves the service by its first call; what it sends after that is the engine's, and left out here.
  let searches = 0;
  const engine = connectedEngine({
    ...setting,
    transport: (request) => {
      if (request.url.endsWith("/search-items") && ++searches > 2) return new Promise(() => undefined);
      return setting.transport(request);
    },
  });
  await timed(bench.loop, () => engine.testConnection());
  const { cells, workbook, clock } = { ...stage, clock: setting.clock };
  const refresher = createRefresher({ workbook, engine, cells, clock });
  const passes = [await timed(bench.loop, stage.pass), await timed(bench.loop, stage.pass)];

  await measure("opening: sums, lists of old and of other values", () => listed(cells));
  for (const scope of ["selection", "sheet", "workbook", "older", "unanswered"] as const) {
    await measure(`price of ${scopeWords[scope]}`, () => refresher.quote(scope));
  }
  void refresher.start("workbook");
  await measure(
    "refresh: until its cells are marked",
    () => undefined,
    () => stage.marked() > 0,
  );
  const settle = () => stage.settleAll();
  const isDone = () => refresher.state.phase === "done";
  const followed = await timed(bench.loop, settle, isDone);
  // The same again with nobody following: the cells' own part.
  const alone = await timed(bench.loop, settle, () => cells.summary().waiting === 0);
  rows.push({ title: "refresh: its progress, until all have settled", withoutMs: alone.ms, ...followed });
  return { passMs: Math.min(...passes.map(({ ms: passMs }) => passMs)), rows };
}

const scopeWords: Record<RefreshScope, string> = {
  selection: "the selection, which holds all",
  sheet: "the sheet",
  workbook: "the workbook",
  older: "older values",
  unanswered: "the unanswered",
};

/** What the tabs read when they are drawn. */
function listed(cells: CellRegister): number {
  let found = cells.summary().cells + cells.activity.groups().length;
  for (const { state } of cells.all()) if (state === "stale") found++;
  return found + cells.ofOtherEnvironments("bench").length;
}

function createStage(setting: Setting) {
  const { clock } = setting;
  const cells = createCellRegister({ clock });
  const formulas: FormulaCell[] = [];
  for (let row = 0; row < stores; row++) {
    for (let col = 0; col < items; col++) {
      formulas.push({ sheet: "Plan", row, col: col + 2, formula: `=INV.QTY($A${row + 1},${col + 2}$1)` });
    }
  }
  formulas.forEach((formula, index) => calculate(cells, { formula, index, nowMs: clock.now() })());
  let marked = 0;

  const part = (): Promise<void> => new Promise((resolve) => clock.nextTurn(resolve));
  const port: Partial<Workbook> = {
    names: () => Promise.resolve([]),
    onEdit: () => undefined,
    async findFormulas(matches) {
      const found: FormulaCell[] = [];
      for (let start = 0; start < formulas.length; start += cellsPerPart) {
        await part();
        for (const cell of formulas.slice(start, start + cellsPerPart)) {
          if (matches(cell.formula)) found.push(cell);
        }
      }
      return found;
    },
    onSelection(listener) {
      const all: SelectedAreas = [{ sheet: "Plan", row: 0, col: 0, rows: stores, cols: items + 2 }];
      listener(all);
      return () => undefined;
    },
    async recalculate(refs) {
      marked = refs.length;
      await part();
    },
    async read(area) {
      return Array.from({ length: area.rows }, () => new Array<number>(area.cols).fill(1));
    },
  };

  return {
    cells,
    workbook: port as Workbook,
    marked: () => marked,
    /** The least there is to do: whose formula it is, where it stands, what the register knows. */
    pass(): void {
      let waiting = 0;
      const isKnown = (address: string): boolean => cells.get(address) !== undefined;
      for (const cell of formulas) {
        if (!isInvFormula(cell.formula)) continue;
        if (cells.get(addressIn(isKnown, cell))?.state === "waiting") waiting++;
      }
      if (waiting > 0) throw new Error("Nothing should wait.");
    },
    /** All cells are calculated at once, some thousands in a turn, and settle as answers come. */
    settleAll(): void {
      const ends: (() => void)[] = [];
      const settle = (from: number): void => {
        for (const end of ends.slice(from, from + cellsPerTurn)) end();
        if (from + cellsPerTurn < ends.length) clock.setTimeout(() => settle(from + cellsPerTurn), 20);
      };
      const begin = (from: number): void => {
        for (const formula of formulas.slice(from, from + cellsPerTurn)) {
          ends.push(calculate(cells, { formula, index: ends.length, nowMs: clock.now() }));
        }
        if (ends.length < formulas.length) clock.nextTurn(() => begin(ends.length));
        else settle(0);
      };
      begin(0);
    },
  };
}

/** Begins the cell's calculation; returns its end. Every tenth has its last known value only. */
function calculate(
  cells: CellRegister,
  {
    formula,
    index,
    nowMs,
  }: { readonly formula: FormulaCell; readonly index: number; readonly nowMs: number },
): () => void {
  const call = cells.begin(cellAddresses(formula)[0], "bench");
  call.asks({ storeNumber: 1000 + formula.row, itemType: "gtin", value: gtins[formula.col] ?? "" });
  return () => {
    call.answered(nowMs, index % 10 === 0 ? outage : undefined);
    call.settled();
  };
}

const gtins = Array.from({ length: items + 2 }, (_, col) => String(10_000_000 + col * 7).padStart(14, "0"));

/** Real time from its beginning until it is over, and the longest turn of the loop in between. */
async function timed(
  loop: VirtualLoop,
  work: () => unknown,
  isOver?: () => boolean,
): Promise<{ ms: number; blockMs: number }> {
  let isEnded = false;
  loop.takeLongestTurnMs();
  const startMs = performance.now();
  loop.clock.nextTurn(() => {
    void Promise.resolve(work()).then(() => (isEnded = true));
  });
  await loop.run(() => isEnded && (isOver?.() ?? true));
  return { ms: performance.now() - startMs, blockMs: loop.takeLongestTurnMs() };
}
