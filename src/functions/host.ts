/**
 * What INV's functions need of the program that calculates them: its error values and the Invocation it
 * appends to the arguments. Excel, the browser workbook and tests differ here and nowhere else; where a
 * host offers no `CustomFunctions.Error` (office.js alone, outside Excel) a plain error of that shape is used.
 */

/** Every error a function may return; `#NAME?` and `#REF!` can only come in, Excel shows #VALUE! for them. */
export type ExcelError = "#N/A" | "#VALUE!" | "#DIV/0!" | "#NUM!" | "#NULL!";

/** The error as the host wants it thrown or placed in a matrix. Excel shows a text for #N/A and #VALUE! only. */
export function hostError(shows: ExcelError, message: string): Error {
  const text = shows === "#N/A" || shows === "#VALUE!" ? message : undefined;
  const HostError = hostErrorClass();
  if (HostError !== null) return new HostError(shows, text);
  return Object.assign(new Error(text), { code: shows });
}

/** Which cell asks, and whether it is only a preview of a part of a formula. */
export interface Invocation {
  readonly address: string | null;
  readonly isPreview: boolean;
}

/** Arguments by the names of the signature; what was left out is null or undefined. */
export type Arguments<Name extends string> = Readonly<Record<Name, unknown>>;

/**
 * What the host tells of the formula. Read before the first await, since the address was seen to change
 * after one (reported for Excel on the web).
 */
export function readInvocation(found: unknown): Invocation {
  return {
    address: textOf(found, "address"),
    // Declared as text by the type definitions, a boolean in the documentation.
    isPreview: isInvocation(found) && Boolean(Reflect.get(found, "isInValuePreview")),
  };
}

/**
 * The argument in whose place the Invocation stands, or null: Excel appends it to the arguments its metadata
 * knows, and metadata may be up to a day older than this code.
 */
export function misplacedInvocation<Name extends string>(given: Arguments<Name>): Name | null {
  for (const name in given) if (isInvocation(given[name])) return name;
  return null;
}

const invocationMembers = [
  "functionName",
  "isInValuePreview",
  "parameterAddresses",
  "onCanceled",
  "setResult",
];

/** Whether the host passed this value as the Invocation. */
export function isInvocation(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  // Data types are objects too, and a picture's has an address of its own.
  if ("basicType" in value || "basicValue" in value) return false;
  return "address" in value || invocationMembers.some((member) => member in value);
}

function textOf(value: unknown, member: string): string | null {
  if (typeof value !== "object" || value === null) return null;
  const text: unknown = Reflect.get(value, member);
  return typeof text === "string" && text !== "" ? text : null;
}

function hostErrorClass(): (new (code: string, message?: string) => Error) | null {
  const host: unknown = Reflect.get(globalThis, "CustomFunctions");
  if (host === null || (typeof host !== "object" && typeof host !== "function")) return null;
  const found: unknown = Reflect.get(host, "Error");
  return typeof found === "function" ? (found as new (code: string, message?: string) => Error) : null;
}
