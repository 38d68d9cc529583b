/**
 * The checks of INV's assumptions about Excel, as data: the fact, the formula or action that tests it, the expected
 * result, and the source of the fact. Formulas judge themselves in a cell. The pane runs actions, which write what they saw
 * next to what was expected. The page `docs/excel-check.md` lists the steps for a person.
 */
import { parseCellAddress } from "../../src/workbook/addresses";
import type { Area, CellContent, Workbook } from "../../src/workbook/port";
import { isError } from "../../src/workbook/cell-content";
import { isPending } from "../../src/workbook/still-waiting";
import type { ExcelProbes } from "./probes";

/** `documented` by Microsoft, `code` read in Microsoft's runtime, `reported` in an issue thread, `assumed` by us. */
export type Certainty = "documented" | "code" | "reported" | "assumed";

interface Assumption {
  readonly id: string;
  /** INV's assumption, in one sentence. */
  readonly fact: string;
  readonly sure: Certainty;
  /** The source, if it has a name: `office-js 1167`. */
  readonly source?: string;
  /** The file below `src` that relies on the assumption. */
  readonly reliedOnIn: string;
}

export interface FormulaCheck extends Assumption {
  readonly formula: string;
  readonly expected: string | number | boolean;
  /** True if the browser workbook lacks what the formula uses. */
  readonly needsExcel?: true;
}

export interface ActionCheck extends Assumption {
  /** What the action does, in words. */
  readonly action: string;
  /** Null if INV works with any result: the check only records what it sees. */
  readonly expected: string | null;
  /** Runs the action and returns what was seen. */
  run(bed: CheckBed): Promise<string>;
}

/** What an action works with, including an empty sheet that is deleted after the action. */
export interface CheckBed {
  readonly workbook: Workbook;
  /** Null outside Excel. */
  readonly probes: ExcelProbes | null;
  readonly sheet: string;
  /** Requests to the service since the action began. */
  callsSent(): number;
  pause(ms: number): Promise<void>;
}

/** Result of an action in the browser workbook if only Excel can answer. */
export const needsExcel = "needs Excel";

const pollMs = 250;
const maxPolls = 120;

/** Adds a sheet, and returns its id and the name that it got. */
export async function addNamed(workbook: Workbook, wanted: string): Promise<{ id: string; name: string }> {
  const added = await workbook.addSheet(wanted);
  return (await workbook.sheets()).find(({ id }) => id === added) ?? { id: added, name: wanted };
}

/** Converts an address on the bed's sheet: `B2`, `A1:C3`. */
export function areaOnBed({ sheet }: Pick<CheckBed, "sheet">, address: string): Area {
  const [first = "", last = first] = address.split(":");
  const [from, to] = [first, last].map((cell) => parseCellAddress(`Sheet!${cell}`));
  if (!from || !to) throw new Error(`Expected the address of cells, received "${address}".`);
  const { row, col } = from;
  return { sheet, row, col, rows: to.row - row + 1, cols: to.col - col + 1 };
}

/** What the cells show once no cell waits any more, or after half a minute. */
export async function settled(bed: CheckBed, area: Area): Promise<CellContent[][]> {
  for (let poll = 1; ; poll += 1) {
    const [cells = []] = await bed.workbook.contentsOf([area]);
    const waits = cells.flat().some((content) => content === null || isPending(content));
    if (!waits || poll === maxPolls) return cells;
    await bed.pause(pollMs);
  }
}

/** A short description of a content: "a number", the text, or the error's name. */
export function seenIn(content: CellContent | undefined): string {
  if (content === undefined || content === null) return "nothing";
  if (isError(content)) return content.error;
  return typeof content === "number" ? "a number" : String(content);
}

/** Wraps an action that needs the probes. */
export function inExcel(
  run: (bed: CheckBed & { readonly probes: ExcelProbes }) => Promise<string>,
): ActionCheck["run"] {
  return ({ probes, ...bed }) => (probes === null ? Promise.resolve(needsExcel) : run({ ...bed, probes }));
}
