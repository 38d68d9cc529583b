/**
 * A planning sheet in memory with INV formulas, one of which spilled, and a freezer over it. The workbook can stop before
 * or after any of its operations, as in a crash of the host.
 */
import { cellKey } from "../../../src/workbook/addresses";
import type { Freezer } from "../../../src/workbook/frozen-formulas/freezer-types";
import type { CellValue, Workbook } from "../../../src/workbook/port";
import { createVirtualClock } from "../../helpers/virtual-clock";
import { createMemoryWorkbook, type MemoryWorkbook } from "../memory-workbook";
import { freezerOf } from "./freezer-of";

export const sheet = "Plan";
export const spillAt = { sheet, row: 1, col: 6 };
export const spill = { rows: 3, cols: 2 };

export interface FreezeStage {
  readonly workbook: MemoryWorkbook;
  readonly freezer: Freezer;
  waiting: number;
}

/** Rows of store, item, quantity and backroom. Row 0 contains the headers. The quantity of row n is 10 n. */
export function planWorkbook(rows: number): MemoryWorkbook {
  const workbook = createMemoryWorkbook([sheet]);
  const put = (row: number, col: number, value: CellValue) => workbook.put({ sheet, row, col }, value);
  for (const [col, header] of ["Store", "GTIN", "Shelf", "Backroom"].entries()) put(0, col, header);
  for (let row = 1; row <= rows; row += 1) {
    put(row, 0, 1000 + row);
    put(row, 1, String(10_000_000_000_000 + row));
    put(row, 2, `=INV.QTY(A${row + 1},B${row + 1})`);
    put(row, 3, `=IFNA(INV.QTY(A${row + 1},B${row + 1},"BACKROOM"),0)`);
  }
  workbook.put(spillAt, "=INV.EVENTS(A2,B2)");
  workbook.spills.set(cellKey(spillAt), spill);
  for (let r = 0; r < spill.rows; r += 1) {
    for (let c = 0; c < spill.cols; c += 1) {
      if (r + c > 0) put(spillAt.row + r, spillAt.col + c, `event ${r}/${c}`);
    }
  }
  workbook.valueOf = (formula, ref) =>
    formula.startsWith("=INV.EVENTS") ? "Time" : ref.row * 10 + (ref.col === 3 ? 1 : 0);
  return workbook;
}

/** How often each workbook was opened. Each stage opens it five minutes later, when interrupted work has ended. */
const openings = new WeakMap<MemoryWorkbook, number>();
const betweenOpeningsMs = 5 * 60_000;

export const plannedStage = (rows: number): FreezeStage => freezeStage(planWorkbook(rows));

export function freezeStage(workbook: MemoryWorkbook, verbs: Workbook = workbook): FreezeStage {
  const opening = openings.get(workbook) ?? 0;
  openings.set(workbook, opening + 1);
  const clock = createVirtualClock();
  clock.setSystem(opening * betweenOpeningsMs);
  const stage: FreezeStage = {
    workbook,
    waiting: 0,
    freezer: freezerOf(verbs, { waiting: () => stage.waiting, clock: { ...clock, random: Math.random } }),
  };
  return stage;
}

export async function formulasOf(workbook: Workbook): Promise<ReadonlyMap<string, string>> {
  const found = await workbook.findFormulas(() => true);
  return new Map(found.map((cell) => [cellKey(cell), cell.formula]));
}

export class Crash extends Error {}

/** The same workbook, which stops at the given operation: before it, or after it was carried out. */
export function crashing(workbook: Workbook, at: { verb: number; when: "before" | "after" }) {
  let verbs = 0;
  let isDown = false;
  const counted = new Proxy(workbook, {
    get(target, name: keyof Workbook) {
      const verb = target[name] as (...parameters: unknown[]) => unknown;
      if (name === "step" || name === "onSelection" || typeof verb !== "function") return verb;
      return async (...parameters: unknown[]) => {
        verbs += 1;
        if (isDown || (verbs === at.verb && at.when === "before")) {
          isDown = true;
          throw new Crash();
        }
        const result = await verb(...parameters);
        if (verbs === at.verb) {
          isDown = true;
          throw new Crash();
        }
        return result;
      };
    },
  });
  return { workbook: counted, verbs: () => verbs };
}
