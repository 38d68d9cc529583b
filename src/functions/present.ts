/**
 * The last step of a calculation: what the cells show becomes what the host takes. Excel on the web takes
 * 5 MB of results in one message (documented), and a message that is refused is tried again as a whole until
 * its results are lost, other cells' with them; so nothing leaves here that could make one too large.
 * Sizes were measured on Microsoft's runtime.
 */
import type { Plain } from "../domain/bad-argument";
import { serialFromMs } from "../domain/dates";
import { InvError } from "../domain/errors";
import { cardBytes, cardValue, type ItemCard } from "./item-card";
import { type ExcelError, isRefusal, type Refusal } from "./values";

/** A time in UTC: shown as a date where the host can, else as Excel's serial number. */
export interface ExcelTime {
  readonly serial: number;
}

/** What one cell of the result shows. */
export type Shown = Plain | ExcelTime | ItemCard | Refusal;

export function timeFromMs(ms: number): ExcelTime {
  return { serial: serialFromMs(ms) };
}

/** The same in every language of Excel: formats of a data type are not translated. */
const timeFormat = "yyyy-mm-dd hh:mm";

const mostBytes = 4_000_000;
/** As objects; the few texts that go with errors have room beside the most bytes. */
const errorBytes = 140;
const timeBytes = 95;
const rowBytes = 2;
/** Of these many formulas and cells the texts and formats fit into a message beside everything else. */
const textsAtOnce = 200;
const timesAtOnce = 20_000;
const timesPerFormula = 5_000;
/** Results wait for one message for as long as the one before it takes: seconds, when Excel is busy. */
const atOnceMs = 10_000;

/** The result as it is, or why it is too large for Excel. */
export function fitting(shown: Shown[][], bytes = bytesOf(shown)): Shown[][] | Refusal {
  if (aloneIn(shown) !== undefined) return shown;
  return bytes <= mostBytes ? shown : (reasonOfAll(shown) ?? tooLarge(shown, bytes));
}

/** The host that takes the results: what is sent to one at once is bounded. */
export interface Taker {
  /** Whether it shows a number with the format that the number brings. */
  readonly formatsTimes: boolean;
  /** Whether results stay in this page, so that no message has to hold the texts of all errors. */
  readonly takesAllTexts?: boolean;
  /** Milliseconds from any start, that no setting of a clock moves. */
  steadyNow(): number;
}

/** The matrix for the host; a scalar error is thrown, so that its text reaches the cell. */
export function present(shown: Shown[][], taker: Taker): unknown[][] {
  const alone = aloneIn(shown);
  if (alone !== undefined && typeof alone !== "object") return shown;
  const allowance = allowanceOf(taker);
  if (alone !== undefined && isRefusal(alone)) throw asHostError(alone, allowance);
  const isFormatted = taker.formatsTimes && mayFormat(timesIn(shown), allowance);
  return shown.map((row) =>
    row.map((value) => {
      if (typeof value !== "object") return value;
      // Errors stand in a matrix as objects; the host knows them by their class.
      if (isRefusal(value)) return asHostError(value, allowance);
      if (isCard(value)) return cardValue(value);
      return isFormatted ? formatted(value.serial) : value.serial;
    }),
  );
}

/** The value of a result that is one. */
function aloneIn(shown: Shown[][]): Shown | undefined {
  return shown.length === 1 && shown[0]?.length === 1 ? shown[0][0] : undefined;
}

/** A number that brings its format with it (documented for CustomFunctionsRuntime 1.4). */
function formatted(serial: number): object {
  return { type: "Double", basicType: "Double", basicValue: serial, numberFormat: timeFormat };
}

/** A formula's times look alike: all of them are formatted, or none. */
function mayFormat(times: number, allowance: Allowance): boolean {
  if (times > timesPerFormula || times > allowance.times) return false;
  allowance.times -= times;
  return true;
}

function timesIn(shown: Shown[][]): number {
  let times = 0;
  for (const row of shown) for (const value of row) if (isTime(value)) times += 1;
  return times;
}

/** An error without a text is a fraction of one with; the activity list has every reason. */
function asHostError({ error, shows }: Refusal, allowance: Allowance): Error {
  if (allowance.texts === 0) return hostError(shows, "");
  allowance.texts -= 1;
  return hostError(shows, error.message);
}

/**
 * The error as the host wants it thrown or placed in a matrix; where a host offers no `CustomFunctions.Error` (office.js
 * alone, outside Excel) a plain error of that shape. Excel shows a text for #N/A and #VALUE! only.
 */
function hostError(shows: ExcelError, message: string): Error {
  const text = shows === "#N/A" || shows === "#VALUE!" ? message : undefined;
  const HostError = hostErrorClass();
  if (HostError !== null) return new HostError(shows, text);
  return Object.assign(new Error(text), { code: shows });
}

function hostErrorClass(): (new (code: string, message?: string) => Error) | null {
  const host: unknown = Reflect.get(globalThis, "CustomFunctions");
  if (host === null || (typeof host !== "object" && typeof host !== "function")) return null;
  const found: unknown = Reflect.get(host, "Error");
  return typeof found === "function" ? (found as new (code: string, message?: string) => Error) : null;
}

interface Allowance {
  texts: number;
  times: number;
  sinceMs: number;
}

const allowances = new WeakMap<Taker, Allowance>();

function allowanceOf(taker: Taker): Allowance {
  const nowMs = taker.steadyNow();
  const known = allowances.get(taker);
  if (known !== undefined && nowMs - known.sinceMs < atOnceMs) return known;
  const texts = taker.takesAllTexts === true ? Infinity : textsAtOnce;
  const fresh = { texts, times: timesAtOnce, sinceMs: nowMs };
  allowances.set(taker, fresh);
  return fresh;
}

function isCard(value: Shown): value is ItemCard {
  return typeof value === "object" && "record" in value;
}

function isTime(value: Shown): value is ExcelTime {
  return typeof value === "object" && "serial" in value;
}

/** An error on its own is a number, and the few texts have room beside. */
export function bytesOf(shown: Shown[][]): number {
  const alone = aloneIn(shown);
  if (alone !== undefined) return isRefusal(alone) ? 0 : bytesOfCell(alone);
  let bytes = shown.length * rowBytes;
  for (const row of shown) for (const value of row) bytes += bytesOfCell(value);
  return bytes;
}

function bytesOfCell(value: Shown): number {
  const comma = 1;
  if (typeof value !== "object") return jsonSize(value) + comma;
  if (isCard(value)) return cardBytes(value);
  return isTime(value) ? timeBytes : errorBytes;
}

/** Where every cell has the same reason, the formula has it. */
function reasonOfAll(shown: Shown[][]): Refusal | null {
  let common: Refusal | null = null;
  for (const row of shown) {
    for (const value of row) {
      if (value === "") continue;
      if (!isRefusal(value)) return null;
      common ??= value;
      if (value.error.message !== common.error.message) return null;
    }
  }
  return common;
}

function tooLarge(shown: Shown[][], bytes: number): Refusal {
  const rows = shown.length;
  const cols = shown[0]?.length ?? 0;
  const [of, length] = rows >= cols ? ["rows", rows] : ["columns", cols];
  const fits = Math.max(1, Math.floor((length * mostBytes * 0.8) / bytes));
  const megabytes = (bytes / 1_000_000).toFixed(1);
  const error = new InvError(
    "bad-argument",
    `The result of ${rows} x ${cols} cells is some ${megabytes} MB, expected at most 4, which Excel takes at once. ` +
      `Split the formula, at most about ${fits} ${of} each. The pane's Problems have the reasons of cells that failed.`,
  );
  return { error, shows: "#VALUE!" };
}

/** As JSON in UTF-8, counted without writing it: the results of a grid are half a million values. */
function jsonSize(value: string | number | boolean): number {
  return typeof value === "string" ? sizeOfText(value) : String(value).length;
}

const quotes = 2;

function sizeOfText(text: string): number {
  let bytes = quotes;
  // By code points: a pair of halves is one of them, a half alone is one too.
  for (const sign of text) bytes += sizeOfCode(sign.codePointAt(0) ?? 0);
  return bytes;
}

const quoteCode = 0x22;
const backslashCode = 0x5c;
/** As in \u001f. */
const spelt = 6;

/** Quotes and backslashes get one more before them; control characters and halves alone are spelt out. */
function sizeOfCode(code: number): number {
  if (code < 0x20) return spelt;
  if (code === quoteCode || code === backslashCode) return 2;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  if (code > 0xffff) return 4;
  return code >= 0xd800 && code <= 0xdfff ? spelt : 3;
}
