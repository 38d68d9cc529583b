/**
 * Reads a record of an export as a row of the stock file, or returns its first fault. Stores, items and words
 * follow the rules of formulas, so an export may contain whatever a planner may type.
 */
import { parseLocationArea, parseState } from "../../domain/choices";
import { type InvError, isInvError } from "../../domain/errors";
import { parseEventType } from "../../domain/event-types";
import { parseGtin, parseItemNumber, parseStoreNumber } from "../../domain/identifiers";
import { quotedValue } from "../../domain/bad-argument";
import { readTime, timeExamples, type TimeStyle } from "../stock-file/times";

export interface InventoryRow {
  readonly store: number;
  readonly gtin: string | null;
  readonly itemNumber: string | null;
  readonly cid: number | null;
  readonly locationArea: string;
  readonly state: string;
  readonly quantity: number;
  readonly updatedMs: number;
}

export interface EventRow {
  readonly store: number;
  readonly gtin: string;
  readonly locationArea: string;
  readonly eventType: string;
  readonly atMs: number;
  readonly quantity: number;
  readonly quantityAfter: number;
}

export interface RowFault {
  /** Equal for all rows with this fault, so it contains no values. */
  readonly reason: string;
  readonly detail: string;
}

export interface ReadingRules {
  readonly times: TimeStyle;
  /** If null, the mark is a point, and ambiguous numbers such as 1.234 are faults. */
  readonly decimal: "point" | "comma" | null;
  /** Time of counts without their own time in the file. Null if each count must have one. */
  readonly asOfMs: number | null;
}

/** Returns the text of a column, or undefined if the file has no such column. */
export type FieldReader = (column: string) => string | undefined;

export function readInventoryRow(field: FieldReader, rules: ReadingRules): InventoryRow | RowFault {
  return readFields((parseField) => {
    const store = parseField("store", parseStoreNumber);
    const gtin = parseField.optional("gtin", (text) => parseGtin(text, "gtin"));
    const itemNumber = parseField.optional("item_number", (text) => parseItemNumber(text, "item_number"));
    if (gtin === null && itemNumber === null) {
      throw new RowRefusal({ reason: "neither gtin nor item_number", detail: "the row names no item" });
    }
    return {
      store,
      gtin,
      itemNumber,
      cid: parseField.optional("cid", readCid),
      locationArea: parseField.optional("location_area", parseLocationArea) ?? "STORE",
      state: parseField.optional("state", parseState) ?? "AVAILABLE",
      quantity: parseField("quantity", (text) => readQuantity(text, "quantity", rules)),
      updatedMs:
        parseField.optional("last_updated", (text) => readTimeOf(text, "last_updated", rules)) ?? asOf(rules),
    };
  }, field);
}

export function readEventRow(field: FieldReader, rules: ReadingRules): EventRow | RowFault {
  return readFields(
    (parseField) => ({
      store: parseField("store", parseStoreNumber),
      gtin: parseField("gtin", (text) => parseGtin(text, "gtin")),
      locationArea: parseField.optional("location_area", parseLocationArea) ?? "STORE",
      eventType: parseField("event_type", parseEventType),
      atMs: parseField("time", (text) => readTimeOf(text, "time", rules)),
      quantity: parseField("quantity", (text) => readQuantity(text, "quantity", rules)),
      quantityAfter: parseField("quantity_after", (text) => readQuantity(text, "quantity_after", rules)),
    }),
    field,
  );
}

export function isRowFault(row: InventoryRow | EventRow | RowFault): row is RowFault {
  return "reason" in row;
}

type Parse<T> = (text: string) => T | InvError | RowFault;

interface ParseField {
  <T>(column: string, parse: Parse<T>): T;
  /** Returns null if the file has no such column, or if the field is blank. */
  optional<T>(column: string, parse: Parse<T>): T | null;
}

class RowRefusal extends Error {
  constructor(readonly fault: RowFault) {
    super(fault.reason);
  }
}

function readFields<Row>(read: (parseField: ParseField) => Row, field: FieldReader): Row | RowFault {
  const optional = <T>(column: string, parse: Parse<T>): T | null => {
    const text = field(column)?.trim() ?? "";
    return text === "" ? null : parsed(parse(text));
  };
  const needed = <T>(column: string, parse: Parse<T>): T => {
    const value = optional(column, parse);
    if (value === null) {
      throw new RowRefusal({ reason: `${column} is blank`, detail: `${column} is blank` });
    }
    return value;
  };
  try {
    return read(Object.assign(needed, { optional }));
  } catch (error) {
    if (error instanceof RowRefusal) return error.fault;
    throw error;
  }
}

function parsed<T>(outcome: T | InvError | RowFault): T {
  if (isInvError(outcome)) {
    const [reason = ""] = outcome.message.split(", received ");
    throw new RowRefusal({ reason, detail: outcome.message });
  }
  if (typeof outcome === "object" && outcome !== null && "reason" in outcome) throw new RowRefusal(outcome);
  return outcome;
}

/**
 * Allows at most 12 digits before the decimal mark and 6 after it. More digits would lose precision as a
 * number.
 */
function readQuantity(text: string, column: string, { decimal }: ReadingRules): number | RowFault {
  const pattern = decimal === "comma" ? /^-?\d{1,12}(,\d{1,6})?$/ : /^-?\d{1,12}(\.\d{1,6})?$/;
  if (decimal === null && /^-?[1-9]\d{0,2}\.\d{3}$/.test(text)) {
    return faultOf(
      `${column}: a point before three digits may separate thousands; say --decimal point or comma`,
      text,
    );
  }
  if (pattern.test(text)) return Number(text.replace(",", ".")) + 0;
  const mark = decimal === "comma" ? "a comma" : "a point";
  return faultOf(
    `${column}: expected a number with ${mark} before its decimals and nothing between its digits`,
    text,
  );
}

function readCid(text: string): number | RowFault {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  return faultOf("cid: expected a whole number of at most 15 digits", text);
}

function readTimeOf(text: string, column: string, { times }: ReadingRules): number | RowFault {
  const ms = readTime(text, times);
  if (ms !== null) return ms;
  return faultOf(`${column}: expected ${timeExamples[times]} (--dates ${times})`, text);
}

function faultOf(reason: string, text: string): RowFault {
  return { reason, detail: `${reason}, received ${quotedValue(text)}` };
}

function asOf({ asOfMs }: ReadingRules): number {
  if (asOfMs !== null) return asOfMs;
  throw new RowRefusal({
    reason: "last_updated is blank",
    detail: "name one time for all rows with --as-of",
  });
}
