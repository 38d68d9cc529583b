/**
 * The ledger: very hidden sheets that remember formulas INV has taken out of cells. It travels in the file,
 * holds nothing secret, and can be read by a person. Each freeze writes into a sheet of its own (`_inv_` and a random
 * word), so nobody shares a place, and a sheet that has been emptied never gets lines again: whoever empties it may
 * delete it. A sheet whose freeze is under way is left to that freeze. Entries are only ever appended and blanked in
 * place, never moved, so that work which ends half-way leaves every entry either whole or not there. A downloaded
 * file has one sheet, `_inv`.
 */
import { mergeCells } from "../cell-areas";
import type { CellValue, Workbook } from "../port";
import { randomWord } from "./anchors";
import { headings, type LedgerEntry, toRow } from "./entry";
import {
  createLedgerReader,
  firstLine,
  type LedgerRow,
  type LedgerState,
  mark,
  mostLines,
  version,
  width,
} from "./ledger-reader";
import { ledgerSheet } from "./ledger-sheets";
import { createPlaces, type Places } from "./positions";
import { full, notKept } from "./refusals";

export interface LedgerLine {
  readonly entry: LedgerEntry;
  readonly places: Places;
  readonly row: LedgerRow;
  /** The freeze that wrote it is under way: its cell may still have the formula. */
  readonly isBeingFrozen: boolean;
}

export interface LedgerContent {
  readonly state: LedgerState;
  readonly lines: readonly LedgerLine[];
}

/** The sheets of one freeze: one for each round. */
export interface LedgerWriter {
  /** Adds a sheet, unless the last one is still empty. Other INVs leave names alone that begin like a sheet under way. */
  start(): Promise<void>;
  /** A name that nobody else gives. */
  newName(): string;
  /**
   * Writes the entries into the sheet, marked as being frozen, and resolves when they were read back equal.
   * @throws InvError when they were not, or when there is no room; no cell may be touched then
   */
  append(entries: readonly LedgerEntry[]): Promise<void>;
  /** Writes entries again whose sheet is gone: an earlier INV removes sheets that look empty to it. */
  keep(entries: readonly LedgerEntry[]): Promise<void>;
  /** Takes entries back whose cells were left alone after all. */
  withdraw(entries: readonly LedgerEntry[]): Promise<void>;
  /** The freeze is complete. */
  close(): Promise<void>;
  /** Its sheets. */
  readonly sheets: readonly string[];
}

export interface Ledger {
  /** Null where the workbook has no ledger. */
  read(): Promise<LedgerContent | null>;
  open(): LedgerWriter;
  drop(lines: readonly LedgerLine[]): Promise<void>;
  /**
   * Removes sheets without lines, and names that no line uses, with their twins in copied sheets. What a freeze under
   * way has is left alone.
   * @param finished sheets into which nobody writes any more, whatever they say
   */
  tidy(finished?: Iterable<string>): Promise<void>;
  /** Of the sheets in the first state. */
  setState(from: LedgerState, to: LedgerState): Promise<void>;
}

const explanation =
  "Formulas that INV replaced by values, so that they can be put back. Please leave this sheet as it is.";
const linesAtOnce = 5_000;

/** The first rows of a ledger's sheet, above so many lines. */
export function headRows(lines: number, state: LedgerState = "none"): CellValue[][] {
  const title = [mark, version, state, explanation, firstLine + lines];
  return [title, [...headings]].map((row) => [...row, ...Array<CellValue>(width - row.length).fill(null)]);
}

/** @param random as Math.random */
export function createLedger(workbook: Workbook, random: () => number): Ledger {
  const { sheets, readHead, readUse, readSheets } = createLedgerReader(workbook);

  async function read(): Promise<LedgerContent | null> {
    const all = (await readSheets()).filter(({ state, lines }) => state !== "freezing" || lines.length > 0);
    if (all.length === 0) return null;
    const hasAnchors = all.some(({ lines }) => lines.some(({ entry }) => entry.anchor !== ""));
    const placesOf = createPlaces(await workbook.sheets(), hasAnchors ? await workbook.names() : []);
    const lines = all.flatMap((one) =>
      one.lines.map(({ entry, row }): LedgerLine => {
        return { entry, row, places: placesOf(entry), isBeingFrozen: one.state === "freezing" };
      }),
    );
    return { state: all.find((one) => one.state !== "none")?.state ?? "none", lines };
  }

  async function blankRows(found: readonly LedgerRow[]): Promise<void> {
    if (found.length === 0) return;
    const there = new Set(await sheets());
    for (const block of mergeCells(found.map((row) => ({ ...row, col: 0 })))) {
      if (!there.has(block.sheet)) continue;
      const blank = Array.from({ length: block.rows }, () => Array<CellValue>(width).fill(null));
      await workbook.writeText({ ...block, cols: width }, blank);
    }
  }

  async function setState(from: LedgerState, to: LedgerState): Promise<void> {
    for (const sheet of await sheets()) {
      if ((await readHead(sheet))?.state !== from) continue;
      await workbook.writeText({ sheet, row: 0, col: 2, rows: 1, cols: 1 }, [[to]]);
    }
  }

  function open(): LedgerWriter {
    const own = `${ledgerSheet}_${randomWord(random)}`;
    const rows = new Map<LedgerEntry, LedgerRow>();
    const written: string[] = [];
    let names = 0;
    let empty: string | null = null;

    async function addSheet(): Promise<string> {
      const wanted = written.length === 0 ? own : `${own}${written.length}`;
      const sheet = await workbook.addSheet(wanted, { veryHidden: true });
      written.push(sheet);
      return sheet;
    }

    async function append(entries: readonly LedgerEntry[]): Promise<void> {
      const lines = (await readUse()).reduce((sum, sheet) => sum + sheet.lines, 0);
      if (lines + entries.length > mostLines) throw full(mostLines);
      const sheet = empty ?? (await addSheet());
      empty = null;
      // The end goes first: a line behind it would not be read, a blank one before it costs nothing.
      const head = headRows(entries.length, "freezing");
      await workbook.writeText({ sheet, row: 0, col: 0, rows: firstLine, cols: width }, head);
      for (let from = 0; from < entries.length; from += linesAtOnce) {
        const part = entries.slice(from, from + linesAtOnce).map(toRow);
        const area = { sheet, row: firstLine + from, col: 0, rows: part.length, cols: width };
        await workbook.writeText(area, part);
      }
      const whole = { sheet, row: firstLine, col: 0, rows: entries.length, cols: width };
      if (!isSame(await workbook.read(whole, "values"), entries.map(toRow))) throw notKept();
      for (const [index, entry] of entries.entries()) rows.set(entry, { sheet, row: firstLine + index });
    }

    return {
      async start() {
        empty ??= await addSheet();
      },
      newName: () => `${written.at(-1) ?? own}_${(names += 1)}`,
      append,
      async keep(entries) {
        const there = new Set(await sheets());
        const gone = entries.filter((entry) => !there.has(rows.get(entry)?.sheet ?? ""));
        if (gone.length > 0) await append(gone);
      },
      withdraw: (entries) => blankRows(entries.flatMap((entry) => rows.get(entry) ?? [])),
      async close() {
        const there = new Set(await sheets());
        for (const sheet of written.filter((each) => there.has(each))) {
          await workbook.writeText({ sheet, row: 0, col: 0, rows: 1, cols: 3 }, [[mark, version, "none"]]);
        }
      },
      sheets: written,
    };
  }

  async function tidy(finished: Iterable<string> = []): Promise<void> {
    const done = new Set(finished);
    // Names come before sheets: a freeze that gave one of these had its sheet by then.
    const names = await workbook.names();
    const all = (await readUse()).map((one) => ({
      ...one,
      isBusy: one.state === "freezing" && !(one.lines === 0 && done.has(one.sheet)),
    }));
    const used = new Set(all.flatMap((one) => one.names));
    const busy = all.filter(({ isBusy }) => isBusy).map(({ sheet }) => `${sheet}_`.toLowerCase());
    const orphans = names.filter(({ name }) => {
      const own = name.toLowerCase();
      return ownName.test(own) && !used.has(own) && !busy.some((start) => own.startsWith(start));
    });
    for (const scope of new Set(orphans.map(({ sheet }) => sheet))) {
      const own = orphans.filter(({ sheet }) => sheet === scope).map(({ name }) => name);
      await workbook.deleteNames(own, scope);
    }
    for (const { sheet, isBusy, lines } of all) {
      if (lines === 0 && !isBusy) await workbook.deleteSheet(sheet);
    }
  }

  return {
    read,
    open,
    drop: (lines) => blankRows(lines.map(({ row }) => row)),
    tidy,
    setState,
  };
}

/** Names that a freeze gives. */
const ownName = new RegExp(`^${ledgerSheet}_[0-9a-z]+_\\d+$`);

/** The sheets in which these lines were. */
export function sheetsOf(lines: readonly LedgerLine[]): readonly string[] {
  return lines.map(({ row }) => row.sheet);
}

function isSame(
  found: readonly (readonly CellValue[])[],
  wanted: readonly (readonly CellValue[])[],
): boolean {
  return wanted.every((row, r) =>
    row.every((value, c) => String(found[r]?.[c] ?? "") === String(value ?? "")),
  );
}
