/**
 * Reads an argument's cell from the host: plain values as they are, data types by their `basicValue`, Excel's errors as refusals, and blanks
 * as null. Invariant: no parser gets an object, an error or a blank.
 */
import { badArgument, shown, type Plain } from "../domain/bad-argument";
import { cleanText } from "../domain/clean-text";
import { errorTable, InvError, isInvError } from "../domain/errors";

/** Every error a function may return; `#NAME?` and `#REF!` can only come in, Excel shows #VALUE! for them. */
export type ExcelError = "#N/A" | "#VALUE!" | "#DIV/0!" | "#NUM!" | "#NULL!";

/** Why a cell has no value, and which Excel error it shows. */
export interface Refusal {
  readonly error: InvError;
  readonly shows: ExcelError;
}

/** A value, why there is none, or null where nothing was given. */
export type Read<T> = T | Refusal | null;

export function refusalOf(error: InvError): Refusal {
  return { error, shows: errorTable[error.code].cell };
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && "shows" in value && "error" in value;
}

/** Reads an argument cell. Null: left out or empty. The name is the argument's, for error texts. */
export function readPlain(raw: unknown, name: string): Read<Plain> {
  switch (typeof raw) {
    case "string":
      if (isErrorText(raw)) return passedError(raw, name);
      // Nearly all begin with a letter or a digit, and need no cleaning to be told from blanks.
      return /^\w/.test(raw) || cleanText(raw) !== "" ? raw : null;
    case "number":
      return Number.isFinite(raw) ? raw : passedError("#NUM!", name);
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

/** Reads a store or an item: the 0 that Excel passes for an empty cell is blank too. */
export function readFilled(raw: unknown, name: string): Read<Plain> {
  const value = readPlain(raw, name);
  return value === 0 ? null : value;
}

/** A reader for the cells of one argument: blank stays null, the rest goes to the parser. */
export function reader<T extends string | number>(
  name: string,
  parse: (value: Plain) => T | InvError,
): (raw: unknown) => Read<T> {
  return (raw) => {
    const value = readFilled(raw, name);
    if (value === null || isRefusal(value)) return value;
    const parsed = parse(value);
    return isInvError(parsed) ? refusalOf(parsed) : parsed;
  };
}

/** An optional yes or no: only FALSE, 0 and the text FALSE are no. Blank means yes. */
export function readSwitch(raw: unknown, name: string): boolean | Refusal {
  const value = readPlain(raw, name);
  if (value === null) return true;
  if (isRefusal(value)) return value;
  if (typeof value !== "string") return Boolean(value);
  const word = cleanText(value).toUpperCase();
  if (word === "TRUE" || word === "FALSE") return word === "TRUE";
  const received = shown(value);
  return refusalOf(
    badArgument(name, { expected: "TRUE or FALSE", received, todo: "Write one of these, or leave it out." }),
  );
}

/** The cell as its owner sees it, for the activity list; "" when blank. */
export function givenText(raw: unknown): string {
  const value = readFilled(raw, "");
  if (value === null) return "";
  const text = isRefusal(value) ? value.shows : String(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

const returnable: readonly string[] = ["#N/A", "#DIV/0!", "#NUM!", "#NULL!"] satisfies ExcelError[];
const errorTexts = new Set([...returnable, "#VALUE!", "#NAME?", "#REF!", "#SPILL!", "#CALC!", "#BUSY!"]);

function isErrorText(text: string): boolean {
  return text.startsWith("#") && errorTexts.has(text);
}

function readObject(raw: object, name: string): Read<Plain> {
  const code: unknown = Reflect.get(raw, "code");
  if (typeof code === "string" && isErrorText(code)) return passedError(code, name);
  const basic: unknown = Reflect.get(raw, "basicValue");
  if (Reflect.get(raw, "type") === "Error" && typeof basic === "string") return passedError(basic, name);
  // Entities have #VALUE! as their basic value: no error of the sheet's, but nothing to read either.
  if (Reflect.get(raw, "basicType") === "Error") return unreadable(name);
  if (typeof basic === "string" || typeof basic === "number" || typeof basic === "boolean") {
    return readPlain(basic, name);
  }
  return Reflect.get(raw, "type") === "Empty" ? null : unreadable(name);
}

/** An error of the sheet comes back as itself where Excel lets a function return it. */
function passedError(text: string, name: string): Refusal {
  const error = new InvError(
    "bad-argument",
    `${name}: expected a value, received the error "${text}". Correct the cell it comes from.`,
  );
  return { error, shows: returnable.includes(text) ? (text as ExcelError) : "#VALUE!" };
}

function unreadable(name: string): Refusal {
  return refusalOf(
    new InvError(
      "bad-argument",
      `${name}: expected text or a number, received a data type without one. Point at one of its fields.`,
    ),
  );
}
