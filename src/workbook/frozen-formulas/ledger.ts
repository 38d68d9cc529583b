/**
 * The ledger: very hidden sheets with the formulas that INV took out of cells. It is saved in the file and contains no secret,
 * and people can read it. Each freeze writes to its own sheet (`_inv_` and a random word), so two people never write the same
 * row. The sheet also tells other INVs that work is under way, and they don't begin. INV never adds lines to an empty sheet again, so anyone who empties it may delete it. Other INVs don't touch a sheet
 * while its freeze is under way. Lines are appended and blanked, never moved: if the work is interrupted, each line is complete
 * or absent. A downloaded file has one sheet, `_inv`.
 */
import { InvError } from "../../domain/errors";
import type { Clock } from "../../engine/clock";
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

export interface LedgerLine {
  readonly entry: LedgerEntry;
  readonly places: Places;
  readonly row: LedgerRow;
  /** The freeze is under way: the cell may still contain the formula. */
  readonly isBeingFrozen: boolean;
}

export interface LedgerContent {
  readonly state: LedgerState;
  readonly lines: readonly LedgerLine[];
}

export interface LedgerWriter {
  /**
   * Adds a sheet, unless the last one is still empty. Other INVs don't delete names that begin with the sheet's name.
   * @throws InvError if another INV is freezing or thawing; then nothing has changed
   */
  start(): Promise<void>;
  newName(): string;
  /**
   * Writes the entries into the sheet, marked as being frozen. Resolves after it has read them back.
   * @throws InvError if they differ, or if the ledger is full; then no cell may be changed
   */
  append(entries: readonly LedgerEntry[]): Promise<void>;
  /** Writes entries again if their sheet was deleted: earlier INVs delete sheets that look empty to them. */
  keep(entries: readonly LedgerEntry[]): Promise<void>;
  /** Removes entries whose cells INV didn't change after all. */
  withdraw(entries: readonly LedgerEntry[]): Promise<void>;
  close(): Promise<void>;
  readonly sheets: readonly string[];
}

export interface WriterOptions {
  readonly clock: Pick<Clock, "now" | "random">;
  /** A person has decided to finish or undo work under way, so it refuses nothing. */
  readonly isResumed: boolean;
}

export interface Ledger {
  /** Returns null for a workbook without a ledger. */
  read(): Promise<LedgerContent | null>;
  open(options: WriterOptions): LedgerWriter;
  drop(lines: readonly LedgerLine[]): Promise<void>;
  /**
   * Deletes sheets without lines, and names that no line uses, with their twins in copied sheets. Skips everything that belongs
   * to a freeze under way.
   * @param finished sheets that nobody writes to any more, whatever their state
   */
  tidy(finished?: Iterable<string>): Promise<void>;
  /** Changes the state of the sheets that are in state `from`. */
  setState(from: LedgerState, to: LedgerState): Promise<void>;
}

const explanation =
  "Formulas that INV replaced by values, so that they can be put back. Please leave this sheet as it is.";
const linesPerWrite = 5_000;

export function headRows(lines: number, state: LedgerState = "none"): CellValue[][] {
  const title = [mark, version, state, explanation, firstLine + lines];
  return [title, headings].map((row) => [...row, ...Array<CellValue>(width - row.length).fill(null)]);
}

export function createLedger(workbook: Workbook): Ledger {
  const { sheets, readHead, readSheets, readLines, readUsedNames } = createLedgerReader(workbook);

  async function read(): Promise<LedgerContent | null> {
    const found: { readonly state: LedgerState; readonly lines: Omit<LedgerLine, "places">[] }[] = [];
    for (const { sheet, state, end } of await readSheets()) {
      const isBeingFrozen = state === "freezing";
      const lines = (await readLines({ sheet, end })).map((line) => ({ ...line, isBeingFrozen }));
      if (!isBeingFrozen || lines.length > 0) found.push({ state, lines });
    }
    if (found.length === 0) return null;
    const lines = found.flatMap((each) => each.lines);
    const hasNames = lines.some(({ entry }) => entry.anchor !== "");
    const placesOf = createPlaces(await workbook.sheets(), hasNames ? await workbook.names() : []);
    return {
      state: found.find(({ state }) => state !== "none")?.state ?? "none",
      lines: lines.map((line) => ({ ...line, places: placesOf(line.entry) })),
    };
  }

  async function blankRows(rows: readonly LedgerRow[]): Promise<void> {
    if (rows.length === 0) return;
    const existing = new Set(await sheets());
    for (const block of mergeCells(rows.map((row) => ({ ...row, col: 0 })))) {
      if (!existing.has(block.sheet)) continue;
      const blank = Array.from({ length: block.rows }, () => Array<CellValue>(width).fill(null));
      await workbook.writeText({ ...block, cols: width }, blank);
    }
  }

  async function setState(from: LedgerState, to: LedgerState): Promise<void> {
    for (const { sheet, state, end } of await readSheets()) {
      const isWritten = state !== "freezing" || end > firstLine;
      if (state === from && isWritten) {
        await workbook.writeText({ sheet, row: 0, col: 2, rows: 1, cols: 1 }, [[to]]);
      }
    }
  }

  function open({ clock, isResumed }: WriterOptions): LedgerWriter {
    const first = `${ledgerSheet}_${timeWord(clock.now())}${randomWord(() => clock.random())}`;
    const rows = new Map<LedgerEntry, LedgerRow>();
    const added: string[] = [];
    let names = 0;
    let emptySheet: string | null = null;

    async function addSheet(): Promise<string> {
      const wanted = added.length === 0 ? first : `${first}${added.length}`;
      const sheet = await workbook.addSheet(wanted, { veryHidden: true });
      added.push(sheet);
      return sheet;
    }

    /** Of two INVs that begin at once, the one whose sheet comes first continues. */
    async function refuseIfOthersWrite(own: string): Promise<void> {
      for (const sheet of await sheets()) {
        if (sheet === own) return;
        const isRecent = Math.abs(clock.now() - beganAtMs(sheet)) < longestWorkMs;
        if (!isRecent || (await readHead(sheet))?.state !== "freezing") continue;
        await workbook.deleteSheet(own);
        throw othersWrite();
      }
    }

    async function append(entries: readonly LedgerEntry[]): Promise<void> {
      const lines = (await readSheets()).reduce((sum, { end }) => sum + end - firstLine, 0);
      if (lines + entries.length > mostLines) throw ledgerFull();
      const sheet = emptySheet ?? (await addSheet());
      emptySheet = null;
      // Write the end first: rows below the end aren't read, and blank rows above it are harmless.
      const head = headRows(entries.length, "freezing");
      await workbook.writeText({ sheet, row: 0, col: 0, rows: firstLine, cols: width }, head);
      const written = entries.map(toRow);
      for (let from = 0; from < written.length; from += linesPerWrite) {
        const part = written.slice(from, from + linesPerWrite);
        const area = { sheet, row: firstLine + from, col: 0, rows: part.length, cols: width };
        await workbook.writeText(area, part);
      }
      const whole = { sheet, row: firstLine, col: 0, rows: written.length, cols: width };
      if (!isSame(await workbook.read(whole, "values"), written)) throw notKept();
      for (const [index, entry] of entries.entries()) rows.set(entry, { sheet, row: firstLine + index });
    }

    return {
      async start() {
        const isFirst = added.length === 0;
        emptySheet ??= await addSheet();
        if (isFirst && !isResumed) await refuseIfOthersWrite(emptySheet);
      },
      newName: () => `${added.at(-1) ?? first}_${(names += 1)}`,
      append,
      async keep(entries) {
        const existing = new Set(await sheets());
        const gone = entries.filter((entry) => !existing.has(rows.get(entry)?.sheet ?? ""));
        if (gone.length > 0) await append(gone);
      },
      withdraw: (entries) => blankRows(entries.flatMap((entry) => rows.get(entry) ?? [])),
      async close() {
        const existing = new Set(await sheets());
        for (const sheet of added.filter((each) => existing.has(each))) {
          await workbook.writeText({ sheet, row: 0, col: 0, rows: 1, cols: 3 }, [[mark, version, "none"]]);
        }
      },
      sheets: added,
    };
  }

  async function tidy(finished: Iterable<string> = []): Promise<void> {
    const done = new Set(finished);
    // Read names before sheets: a freeze adds its sheet before its names, so every new name then has its sheet.
    const names = await workbook.names();
    const used = new Set<string>();
    const busy: string[] = [];
    const empty: string[] = [];
    for (const { sheet, state, end } of await readSheets()) {
      const usedHere = await readUsedNames({ sheet, end });
      for (const name of usedHere) used.add(name);
      if (state === "freezing" && (usedHere.length > 0 || !done.has(sheet))) {
        busy.push(`${sheet}_`.toLowerCase());
      } else if (usedHere.length === 0) empty.push(sheet);
    }
    const orphans = names.filter(({ name }) => {
      const own = name.toLowerCase();
      return ownName.test(own) && !used.has(own) && !busy.some((start) => own.startsWith(start));
    });
    for (const scope of new Set(orphans.map(({ sheet }) => sheet))) {
      const own = orphans.filter(({ sheet }) => sheet === scope).map(({ name }) => name);
      await workbook.deleteNames(own, scope);
    }
    for (const sheet of empty) await workbook.deleteSheet(sheet);
  }

  return { read, open, drop: (lines) => blankRows(lines.map(({ row }) => row)), tidy, setState };
}

/** After this time, work that another INV has begun counts as interrupted. */
const longestWorkMs = 3 * 60_000;
const timeDigits = 8;

/** The time as the first characters of a sheet's random word, so that other INVs know when the work began. */
function timeWord(ms: number): string {
  return Math.round(ms).toString(36).padStart(timeDigits, "0").slice(-timeDigits);
}

function beganAtMs(sheet: string): number {
  return parseInt(sheet.slice(ledgerSheet.length + 1, ledgerSheet.length + 1 + timeDigits), 36) || 0;
}

/** Matches names that a freeze or a thaw adds. */
const ownName = new RegExp(`^${ledgerSheet}_[0-9a-z]+_\\d+$`);

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

function notKept(): InvError {
  return new InvError(
    "internal",
    "The workbook did not keep the formulas INV wrote down, so no cell was changed. Is the workbook read-only? Save a copy and try again.",
  );
}

function othersWrite(): InvError {
  return new InvError(
    "bad-argument",
    "INV is already freezing or thawing this workbook, in another window or for somebody else. Try again when that has finished. If it was interrupted, try again in three minutes.",
  );
}

function ledgerFull(): InvError {
  return new InvError(
    "internal",
    `This workbook's ledger is full (${mostLines} formulas). Thaw or delete frozen sheets first.`,
  );
}
