/**
 * A check of what INV assumes about Excel, as data: the fact, the formula or the action that tries it, what is
 * expected, and where the fact is from. Formulas judge themselves in a cell; actions are run from the pane and
 * write what they saw beside what was expected. The page `docs/excel-check.md` lists the steps for a person.
 */
import { parseCellAddress } from "../../src/workbook/addresses";
import type { Freezer } from "../../src/workbook/frozen-formulas/freezer-types";
import type { Area, CellContent, Workbook } from "../../src/workbook/port";
import { isError } from "../../src/workbook/cell-content";
import { isPending } from "../../src/workbook/still-waiting";
import type { ExcelProbes } from "./probes";

/** `documented` by Microsoft, `code` read in Microsoft's runtime, `reported` in an issue thread, `assumed` by us. */
export type Certainty = "documented" | "code" | "reported" | "assumed";

interface Assumption {
  readonly id: string;
  /** What INV takes for granted, in one sentence. */
  readonly fact: string;
  readonly sure: Certainty;
  /** Where it is from, as far as that can be named: `office-js 1167`. */
  readonly source?: string;
  /** The file that holds the assumption, below `src`. */
  readonly heldIn: string;
}

export interface FormulaCheck extends Assumption {
  readonly formula: string;
  readonly expected: string | number | boolean;
  /** The browser workbook doesn't have what the formula uses. */
  readonly needsExcel?: true;
}

export interface ActionCheck extends Assumption {
  /** What is done, in words. */
  readonly action: string;
  /** Null: what is seen is noted, since INV does with all of it. */
  readonly expected: string | null;
  /** Does it, and tells what was seen. */
  run(bed: CheckBed): Promise<string>;
}

/** What an action works with: an empty sheet that is thrown away after it. */
export interface CheckBed {
  readonly workbook: Workbook;
  readonly freezer: Freezer;
  /** Null outside Excel. */
  readonly probes: ExcelProbes | null;
  readonly sheet: string;
  /** Calls to the service since the action began. */
  callsSent(): number;
  pause(ms: number): Promise<void>;
}

/** What an action says that only Excel can answer, in the browser workbook. */
export const needsExcel = "needs Excel";

const pollMs = 250;
const mostPolls = 120;

/** A part of the bed's sheet: `B2`, `A1:C3`. */
export function areaOnBed({ sheet }: Pick<CheckBed, "sheet">, address: string): Area {
  const [first = "", last = first] = address.split(":");
  const [from, to] = [first, last].map((cell) => parseCellAddress(`Sheet!${cell}`));
  if (!from || !to) throw new Error(`Expected the address of cells, received "${address}".`);
  const { row, col } = from;
  return { sheet, row, col, rows: to.row - row + 1, cols: to.col - col + 1 };
}

/** What the cells show once none of them waits any more; half a minute at most. */
export async function settled(bed: CheckBed, area: Area): Promise<CellContent[][]> {
  for (let poll = 1; ; poll += 1) {
    const cells = await bed.workbook.contents(area);
    const waits = cells.flat().some((content) => content === null || isPending(content));
    if (!waits || poll === mostPolls) return cells;
    await bed.pause(pollMs);
  }
}

/** A content in a word or two: the kind of a number, the text, the error's name. */
export function seenIn(content: CellContent | undefined): string {
  if (content === undefined || content === null) return "nothing";
  if (isError(content)) return content.error;
  return typeof content === "number" ? "a number" : String(content);
}

/** The action for which the probes are needed. */
export function inExcel(
  run: (bed: CheckBed & { readonly probes: ExcelProbes }) => Promise<string>,
): ActionCheck["run"] {
  return ({ probes, ...bed }) => (probes === null ? Promise.resolve(needsExcel) : run({ ...bed, probes }));
}
