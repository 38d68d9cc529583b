/**
 * The last step of a calculation: turns what the cells show into values for the host. No result leaves that could make a message too
 * large for Excel (see `result-throttle.ts`). Sizes were measured on Microsoft's runtime.
 */
import type { Returned, ReturnedValue } from "../cells/cell-record";
import type { PlainValue } from "../domain/bad-argument";
import { serialFromMs } from "../domain/dates";
import { InvError } from "../domain/errors";
import { count, grouped } from "../domain/number-words";
import { isRefusal, type Refusal } from "./argument-values";
import { shapeText } from "./grid";
import { mostResultBytes } from "./result-throttle";

/** A time in UTC: a date if the host can show it, otherwise Excel's serial number. */
export interface ExcelTime {
  readonly serial: number;
}

export type CellResult = PlainValue | ExcelTime | Refusal;

export function timeFromMs(ms: number): ExcelTime {
  return { serial: serialFromMs(ms) };
}

/** Excel doesn't translate the formats of values that functions return, so this is right in every language. */
const timeFormat = "yyyy-mm-dd hh:mm";
/** An error without its text. */
const errorBytes = 140;
const timeBytes = 95;
const rowBytes = 2;
/** Texts and formats in the results of `atOnceMs`. More would make a message too large. */
const textsAtOnce = 200;
const timesAtOnce = 20_000;
const timesPerFormula = 5_000;
/** Results wait while the previous message is sent, which takes seconds if Excel is busy. */
const atOnceMs = 10_000;

/** Returns why the result is too large for Excel; null if it isn't. */
export function tooLargeRefusal(shown: CellResult[][], bytes: number): Refusal | null {
  if (bytes <= mostResultBytes) return null;
  return reasonOfAll(shown) ?? tooLarge(shown, bytes);
}

/** The host that receives the results. */
export interface ResultHost {
  /** Whether it applies the format of a number with a format. */
  readonly formatsTimes: boolean;
  /** Whether results stay in this page, so that the texts of errors need no message. */
  readonly takesAllTexts?: boolean;
  /** Milliseconds of a steady clock. */
  steadyNow(): number;
}

/** Returns the matrix for the host. Throws a scalar error, so that its text reaches the cell. */
export function present(shown: CellResult[][], host: ResultHost): unknown[][] {
  const onlyCell = onlyCellOf(shown);
  if (onlyCell !== undefined && typeof onlyCell !== "object") return shown;
  const allowance = allowanceOf(host);
  if (onlyCell !== undefined && isRefusal(onlyCell)) throw asHostError(onlyCell, allowance);
  const isFormatted = host.formatsTimes && takeFormatAllowance(timesIn(shown), allowance);
  return shown.map((row) =>
    row.map((value) => {
      if (typeof value !== "object") return value;
      // A matrix contains errors as objects; the host recognizes them by their class.
      if (isRefusal(value)) return asHostError(value, allowance);
      return isFormatted ? formatted(value.serial) : value.serial;
    }),
  );
}

/** Returns what cells with this result contain then, for comparisons. Times are serials; an error has no text. */
export function contentOf(shown: CellResult[][]): Returned {
  const only = onlyCellOf(shown);
  if (only !== undefined) return plainContent(only);
  return shown.map((row) => row.map(plainContent));
}

function plainContent(value: CellResult): ReturnedValue {
  if (typeof value !== "object") return value;
  return isRefusal(value) ? { error: value.shows } : value.serial;
}

/** Returns the value of a result with one cell. */
function onlyCellOf(shown: CellResult[][]): CellResult | undefined {
  return shown.length === 1 && shown[0]?.length === 1 ? shown[0][0] : undefined;
}

/** Returns a number with a format (documented for CustomFunctionsRuntime 1.4). */
function formatted(serial: number): object {
  return { type: "Double", basicType: "Double", basicValue: serial, numberFormat: timeFormat };
}

/** Returns whether the times of a formula are formatted, all of them or none, and then uses up some of the allowance. */
function takeFormatAllowance(times: number, allowance: Allowance): boolean {
  if (times > timesPerFormula || times > allowance.times) return false;
  allowance.times -= times;
  return true;
}

function timesIn(shown: CellResult[][]): number {
  let times = 0;
  for (const row of shown) for (const value of row) if (isTime(value)) times += 1;
  return times;
}

/** An error without its text is much smaller, and the problem list has every reason. */
function asHostError({ error, shows }: Refusal, allowance: Allowance): Error {
  if (allowance.texts === 0) return hostError(shows, "");
  allowance.texts -= 1;
  return hostError(shows, error.message);
}

/**
 * Returns the host's own error, or a plain one of the same shape if the host has no `CustomFunctions.Error` (office.js outside Excel).
 */
function hostError(shows: Refusal["shows"], message: string): Error {
  const HostError = hostErrorClass();
  if (HostError !== null) return new HostError(shows, message);
  return Object.assign(new Error(message), { code: shows });
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

const allowances = new WeakMap<ResultHost, Allowance>();

function allowanceOf(host: ResultHost): Allowance {
  const nowMs = host.steadyNow();
  const known = allowances.get(host);
  if (known !== undefined && nowMs - known.sinceMs < atOnceMs) return known;
  const texts = host.takesAllTexts === true ? Infinity : textsAtOnce;
  const fresh = { texts, times: timesAtOnce, sinceMs: nowMs };
  allowances.set(host, fresh);
  return fresh;
}

function isTime(value: CellResult): value is ExcelTime {
  return typeof value === "object" && "serial" in value;
}

/** Returns the size in bytes. A result of one error counts as 0, because the message has room for the texts of errors. */
export function bytesOf(shown: CellResult[][]): number {
  const onlyCell = onlyCellOf(shown);
  if (onlyCell !== undefined) return isRefusal(onlyCell) ? 0 : bytesOfCell(onlyCell);
  let bytes = shown.length * rowBytes;
  for (const row of shown) for (const value of row) bytes += bytesOfCell(value);
  return bytes;
}

function bytesOfCell(value: CellResult): number {
  const comma = 1;
  if (typeof value !== "object") return jsonSize(value) + comma;
  return isTime(value) ? timeBytes : errorBytes;
}

/** Returns the reason of all cells if they have the same one. */
function reasonOfAll(shown: CellResult[][]): Refusal | null {
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

function tooLarge(shown: CellResult[][], bytes: number): Refusal {
  const rows = shown.length;
  const cols = shown[0]?.length ?? 0;
  const [unit, length] = rows >= cols ? ["rows", rows] : ["columns", cols];
  const fits = Math.max(1, Math.floor((length * mostResultBytes * 0.8) / bytes));
  const megabytes = (size: number) => grouped(Math.round(size / 100_000) / 10);
  const error = new InvError(
    "bad-argument",
    `The result of ${shapeText({ rows, cols })} cells is about ${megabytes(bytes)} MB, but INV can pass at most ${megabytes(mostResultBytes)} MB to Excel at once. ` +
      `Split the formula, at most about ${count(fits)} ${unit} each. Problems in the pane lists the reasons of failed cells.`,
  );
  return { error, shows: "#VALUE!" };
}

/** Returns the size as JSON in UTF-8, without writing it: a grid may have half a million values. */
function jsonSize(value: string | number | boolean): number {
  return typeof value === "string" ? sizeOfText(value) : String(value).length;
}

const quotes = 2;

function sizeOfText(text: string): number {
  let bytes = quotes;
  // By code points: a surrogate pair is one, and so is a single surrogate.
  for (const sign of text) bytes += sizeOfCode(sign.codePointAt(0) ?? 0);
  return bytes;
}

const quoteCode = 0x22;
const backslashCode = 0x5c;
/** The size of an escape such as \u001f. */
const escapeBytes = 6;

/** Quotes and backslashes get a backslash; control characters and single surrogates become escapes. */
function sizeOfCode(code: number): number {
  if (code < 0x20) return escapeBytes;
  if (code === quoteCode || code === backslashCode) return 2;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  if (code > 0xffff) return 4;
  return code >= 0xd800 && code <= 0xdfff ? escapeBytes : 3;
}
