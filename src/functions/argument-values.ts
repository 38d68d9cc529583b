/**
 * Reads an argument's cell from the host: plain values as they are, data types by their `basicValue`, Excel's errors as refusals, and blanks
 * as null. Invariant: no parser gets an object, an error or a blank.
 */
import {
  badArgument,
  errorForArgument,
  isErrorText,
  quotedValue,
  type PlainValue,
} from "../domain/bad-argument";
import { cleanText } from "../domain/clean-text";
import { cellErrorOf, InvError, isInvError } from "../domain/errors";

/** Why a cell has no value, and which Excel error it shows. */
export interface Refusal {
  readonly error: InvError;
  readonly shows: ReturnType<typeof cellErrorOf>;
}

/** A value, the reason why there is none, or null for a blank. */
export type ReadResult<T> = T | Refusal | null;

export function refusalOf(error: InvError): Refusal {
  return { error, shows: cellErrorOf(error.code) };
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && "shows" in value && "error" in value;
}

/** Reads an argument cell; null if it is left out or empty. Error texts contain the argument's `name`. */
export function readPlain(raw: unknown, name: string): ReadResult<PlainValue> {
  const error = errorIn(raw);
  if (error !== null) return refusalOf(errorForArgument(name, error));
  switch (typeof raw) {
    case "string":
      // A text that begins with a letter or a digit isn't blank. Nearly all do, and needn't be cleaned.
      return /^\w/.test(raw) || cleanText(raw) !== "" ? raw : null;
    case "number":
    case "boolean":
      return raw;
    case "object":
      return raw === null ? null : readObject(raw, name);
    case "undefined":
      return null;
    default:
      return unreadable(name);
  }
}

/** Reads a store or an item. The 0 that Excel passes for an empty cell is a blank, too. */
export function readNonBlank(raw: unknown, name: string): ReadResult<PlainValue> {
  const value = readPlain(raw, name);
  return value === 0 ? null : value;
}

/** Creates a reader for the cells of one argument: a blank stays null, everything else goes to the parser. */
export function createArgumentReader<T extends string | number>(
  name: string,
  parse: (value: PlainValue) => T | InvError,
): (raw: unknown) => ReadResult<T> {
  return (raw) => {
    const value = readNonBlank(raw, name);
    if (value === null || isRefusal(value)) return value;
    const parsed = parse(value);
    return isInvError(parsed) ? refusalOf(parsed) : parsed;
  };
}

/** Reads an optional yes or no: FALSE, 0 and the text FALSE mean no, a blank means yes. */
export function readYesNo(raw: unknown, name: string): boolean | Refusal {
  const value = readPlain(raw, name);
  if (value === null) return true;
  if (isRefusal(value)) return value;
  if (typeof value !== "string") return Boolean(value);
  const word = cleanText(value).toUpperCase();
  if (word === "TRUE" || word === "FALSE") return word === "TRUE";
  const received = quotedValue(value);
  return refusalOf(
    badArgument(name, { expected: "TRUE or FALSE", received, todo: "Write one of these, or leave it out." }),
  );
}

/** Returns the cell as a person sees it, for the problem list; "" if blank. */
export function argumentText(raw: unknown): string {
  const value = readNonBlank(raw, "");
  if (value === null) return "";
  const text = errorIn(raw) ?? (isRefusal(value) ? value.shows : String(value));
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** Returns the error that the cell contains, or null. */
function errorIn(raw: unknown): string | null {
  if (typeof raw === "number") return Number.isFinite(raw) ? null : "#NUM!";
  const isObject = typeof raw === "object" && raw !== null;
  const text: unknown = isObject ? errorOfObject(raw) : raw;
  return typeof text === "string" && isErrorText(text) ? text : null;
}

function errorOfObject(raw: object): unknown {
  const code: unknown = Reflect.get(raw, "code");
  return code === undefined && Reflect.get(raw, "type") === "Error" ? Reflect.get(raw, "basicValue") : code;
}

function readObject(raw: object, name: string): ReadResult<PlainValue> {
  const basic: unknown = Reflect.get(raw, "basicValue");
  // An entity has #VALUE! as its basic value. That is no error of the sheet, but there is no value to read.
  if (Reflect.get(raw, "basicType") === "Error") return unreadable(name);
  if (typeof basic === "string" || typeof basic === "number" || typeof basic === "boolean") {
    return readPlain(basic, name);
  }
  return Reflect.get(raw, "type") === "Empty" ? null : unreadable(name);
}

function unreadable(name: string): Refusal {
  return refusalOf(
    new InvError("bad-argument", `${name} is a data type without a text or a number. Use one of its fields.`),
  );
}
