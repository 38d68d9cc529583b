/**
 * The ledger: very hidden sheets that remember formulas INV has taken out of cells. It travels in the file,
 * holds nothing secret, and can be read by a person. Whoever freezes writes into a sheet of their own
 * (`_inv_` and a random word), so that two people who freeze at once never share a place; all of them are read. Entries
 * are only ever appended and blanked in place, never moved, so that work which ends half-way leaves every
 * entry either whole or not there. Of two entries for one cell the later one holds. A downloaded file has one sheet,
 * `_inv`, which is read too.
 */
import { cellKey } from "../addresses";
import { bySheet, mergeCells } from "../cell-areas";
import type { CellValue, Workbook } from "../port";
import { fromRow, headings, type LedgerEntry, toRow } from "./entry";
import { isLedgerSheet, ledgerSheet } from "./ledger-sheets";
import { createPositions, type EntryPosition } from "./positions";
import { full, newer, notKept, notOurs } from "./refusals";

/** What was under way when the workbook was left; `none` when all is done. */
export type LedgerState = "none" | "freezing" | "thawing";

export interface LedgerLine extends EntryPosition {
  readonly entry: LedgerEntry;
  /** Rows of the ledger's sheets that say the same. */
  readonly rows: readonly LedgerRow[];
}

interface LedgerRow {
  readonly sheet: string;
  readonly row: number;
}

export interface LedgerContent {
  readonly state: LedgerState;
  readonly lines: readonly LedgerLine[];
}

export interface Ledger {
  /** A name that nobody else gives, for the entries of one freeze. */
  newName(): string;
  /** Null where the workbook has no ledger. */
  read(): Promise<LedgerContent | null>;
  /** Writes the entries, and resolves when they were read back equal. @throws InvError when they were not */
  append(entries: readonly LedgerEntry[], state: LedgerState): Promise<void>;
  /**
   * Makes sure that the entries of the last `append` still stand, and writes them anew where they do not: somebody
   * else may have removed the sheet while it looked empty to them. Once their cells hold values.
   */
  keep(entries: readonly LedgerEntry[]): Promise<void>;
  /** With the names of their cells, and the sheets that hold nothing any more. */
  drop(lines: readonly LedgerLine[]): Promise<void>;
  setState(state: LedgerState): Promise<void>;
}

const mark = "INV ledger";
const version = 2;
const explanation =
  "Formulas that INV replaced by values, so that they can be put back. Please leave this sheet as it is.";
const firstLine = 2;
const width = headings.length;
/** About 40 MB of workbook; what is more is refused. */
const mostLines = 200_000;
const linesAtOnce = 2_000;
const states: readonly LedgerState[] = ["none", "freezing", "thawing"];

/** The first rows of a ledger's sheet, above so many lines. */
export function headRows(lines: number): CellValue[][] {
  const title = [mark, version, "none", explanation, firstLine + lines];
  return [title, [...headings]].map((row) => [...row, ...Array<CellValue>(width - row.length).fill(null)]);
}

/** @param random as Math.random */
export function createLedger(workbook: Workbook, random: () => number): Ledger {
  const own = `${ledgerSheet}_${word(random)}`;
  let names = 0;

  async function sheets(): Promise<readonly string[]> {
    return (await workbook.sheets()).map(({ name }) => name).filter(isLedgerSheet);
  }

  /** Null for a sheet that was added and not written to: what added it ended there. */
  async function readState(sheet: string): Promise<LedgerState | null> {
    const [top] = await workbook.read({ sheet, row: 0, col: 0, rows: 1, cols: 3 }, "values");
    const [name = null, found = null, state = null] = top ?? [];
    if (name === null && found === null) return null;
    if (name !== mark || typeof found !== "number") throw notOurs(sheet);
    if (found > version) throw newer();
    return states.find((each) => each === state) ?? "none";
  }

  /** The fifth cell of the first row says where the entries end. */
  async function readSheet(sheet: string): Promise<{ lines: Found[]; end: number }> {
    const [counter] = await workbook.read({ sheet, row: 0, col: 4, rows: 1, cols: 1 }, "values");
    const end = Math.min(firstLine + mostLines, Math.max(firstLine, Number(counter?.[0] ?? 0)));
    const lines: Found[] = [];
    for (let row = firstLine; row < end; row += linesAtOnce) {
      const rows = Math.min(linesAtOnce, end - row);
      const block = await workbook.read({ sheet, row, col: 0, rows, cols: width }, "values");
      for (const [index, cells] of block.entries()) {
        const entry = fromRow(cells);
        if (entry !== null) lines.push({ entry, rows: [{ sheet, row: row + index }] });
      }
    }
    return { lines, end };
  }

  async function readAll(): Promise<LedgerContent | null> {
    let state: LedgerState | null = null;
    const found: Found[] = [];
    for (const sheet of await sheets()) {
      const own = await readState(sheet);
      if (own === null) continue;
      if (state === null || own !== "none") state = own;
      found.push(...(await readSheet(sheet)).lines);
    }
    if (state === null) return null;
    const hasAnchors = found.some(({ entry }) => entry.anchor !== "");
    const positionOf = createPositions(await workbook.sheets(), hasAnchors ? await workbook.names() : []);
    return { state, lines: laterOfEach(found.map((each) => ({ ...each, ...positionOf(each.entry) }))) };
  }

  async function setState(state: LedgerState): Promise<void> {
    for (const sheet of await sheets()) {
      const now = await readState(sheet);
      if (now === null || now === state) continue;
      await workbook.writeText({ sheet, row: 0, col: 2, rows: 1, cols: 1 }, [[state]]);
    }
  }

  async function drop(lines: readonly LedgerLine[]): Promise<void> {
    const there = new Set(await sheets());
    const rowsOf = bySheet(
      lines
        .flatMap(({ rows }) => rows)
        .filter(({ sheet }) => there.has(sheet))
        .map(({ sheet, row }) => ({ sheet, row, col: 0 })),
    );
    for (const [sheet, found] of rowsOf) {
      for (const { row, rows } of mergeCells(found)) {
        const blank = Array.from({ length: rows }, () => Array<CellValue>(width).fill(null));
        await workbook.writeText({ sheet, row, col: 0, rows, cols: width }, blank);
      }
    }
    for (const sheet of rowsOf.keys()) {
      if ((await readSheet(sheet)).lines.length === 0) await workbook.deleteSheet(sheet);
    }
    const anchors = lines.map(({ entry }) => entry.anchor).filter((anchor) => anchor !== "");
    if (anchors.length > 0) await workbook.deleteNames(anchors);
  }

  async function append(entries: readonly LedgerEntry[], state: LedgerState): Promise<void> {
    const before = (await readAll())?.lines ?? [];
    if (!(await sheets()).includes(own)) await workbook.addSheet(own, { veryHidden: true });
    const head = { sheet: own, row: 0, col: 0, rows: firstLine, cols: width };
    if ((await readState(own)) === null) await workbook.writeText(head, headRows(0));
    const { lines, end: last } = await readSheet(own);
    const from = lines.length === 0 ? firstLine : last;
    if (from + entries.length > firstLine + mostLines) throw full(mostLines);
    const rows = entries.map(toRow);
    // The end goes first: a line behind it would not be read, a blank one before it costs nothing.
    const title = [[state, explanation, from + rows.length]];
    await workbook.writeText({ ...head, col: 2, rows: 1, cols: 3 }, title);
    const blocks = parts(rows).map((block, index) => ({
      area: { ...head, row: from + index * linesAtOnce, rows: block.length },
      block,
    }));
    for (const { area, block } of blocks) await workbook.writeText(area, block);
    for (const { area, block } of blocks) {
      if (!isSame(await workbook.read(area, "values"), block)) throw notKept();
    }
    const renewed = new Map(entries.map((entry) => [cellKey(entry.ref), entry]));
    await drop(before.filter((line) => isRenewed(line, renewed)));
  }

  return {
    newName: () => `${own}_${(names += 1)}`,
    read: readAll,

    append,
    async keep(entries) {
      if (!(await sheets()).includes(own)) await append(entries, "freezing");
    },
    drop,
    setState,
  };
}

interface Found {
  readonly entry: LedgerEntry;
  readonly rows: readonly LedgerRow[];
}

/**
 * Only the same formula of the same cells counts: another one that a person put in its place, or a sort, is no
 * reason to lose it. By an address
 * alone the cell may be another one than before, so there it must read the same.
 */
function isRenewed(
  { at, isAnchored, entry }: LedgerLine,
  renewed: ReadonlyMap<string, LedgerEntry>,
): boolean {
  const next = at === null ? undefined : renewed.get(cellKey(at));
  if (next?.refersTo !== entry.refersTo) return false;
  return next.formula === entry.formula || (isAnchored && next.r1c1 === entry.r1c1);
}

/** Entries that say the same of one cell are one line, of which the latest holds. */
function laterOfEach(found: readonly LedgerLine[]): LedgerLine[] {
  const lines = new Map<string, LedgerLine>();
  for (const [index, line] of found.entries()) {
    const key =
      line.at === null
        ? String(index)
        : [cellKey(line.at), line.entry.formula, line.entry.refersTo].join("\n");
    const before = lines.get(key);
    if (before === undefined) lines.set(key, line);
    else {
      const later = line.entry.writtenAt >= before.entry.writtenAt ? line : before;
      lines.set(key, { ...later, rows: [...before.rows, ...line.rows] });
    }
  }
  return [...lines.values()];
}

/** Eight letters and digits. */
function word(random: () => number): string {
  return Array.from({ length: 8 }, () => Math.floor(random() * 36).toString(36)).join("");
}

function parts<T>(rows: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / linesAtOnce) }, (_, index) =>
    rows.slice(index * linesAtOnce, (index + 1) * linesAtOnce),
  );
}

function isSame(
  found: readonly (readonly CellValue[])[],
  wanted: readonly (readonly CellValue[])[],
): boolean {
  return wanted.every((row, r) =>
    row.every((value, c) => String(found[r]?.[c] ?? "") === String(value ?? "")),
  );
}
