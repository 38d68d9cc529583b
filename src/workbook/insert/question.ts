/**
 * What a formula will ask the service for, from the values of its arguments: to price it, and to ask for one row
 * before it is written. Values are read by the rules of the functions, which live in `domain`.
 */
import { parseAreaChoice, parseItemType, parseLocationArea, parseState } from "../../domain/choices";
import { checkHistoryDates, parseDate } from "../../domain/dates";
import { type InvError, isInvError } from "../../domain/errors";
import { parseEventType } from "../../domain/event-types";
import { parseGtin, parseItemNumber, parseStoreNumber } from "../../domain/identifiers";
import type { HistoryQuery, ItemQuery } from "../../domain/records";
import { wholeQuery } from "../../domain/query-keys";
import type { Plain } from "../../domain/bad-argument";
import { cleanText } from "../../domain/clean-text";
import type { CellValue } from "../port";

export type Question = ItemQuery | HistoryQuery;

/** By argument name. */
export type Given = Readonly<Record<string, CellValue>>;

/** Null where nothing is asked: a blank store or item, or a function that asks for neither. */
export function questionOf(given: Given, nowMs: number): Question | InvError | null {
  const store = filled(given["store"]);
  const item = filled(given["gtin"] ?? given["item"]);
  if (store === null || item === null) return null;
  if (!("gtin" in given)) return itemOf(given, store, item);
  const history = historyOf(given, store, item);
  return isInvError(history) ? history : (checkHistoryDates(history, nowMs) ?? history);
}

/** The whole history, which answers a question for any of its types of event. */
export function wholeOf(question: Question): Question {
  return "gtin" in question ? wholeQuery(question) : question;
}

function itemOf(given: Given, store: Plain, item: Plain): ItemQuery | InvError {
  const storeNumber = parseStoreNumber(store);
  if (isInvError(storeNumber)) return storeNumber;
  const itemType = read(given["item_type"], parseItemType) ?? "gtin";
  if (isInvError(itemType)) return itemType;
  const value = itemType === "gtin" ? parseGtin(item) : parseItemNumber(item);
  const area = read(given["location_area"], parseAreaChoice);
  const state = read(given["state"], parseState);
  const refused = [value, area, state].find(isInvError);
  return refused ?? { storeNumber, itemType, value: String(value) };
}

function historyOf(given: Given, store: Plain, item: Plain): HistoryQuery | InvError {
  const storeNumber = parseStoreNumber(store);
  if (isInvError(storeNumber)) return storeNumber;
  const gtin = parseGtin(item, "gtin");
  if (isInvError(gtin)) return gtin;
  const optional = {
    eventType: read(given["event_type"], parseEventType),
    startDate: read(given["start_date"], (value) => parseDate(value, "start_date")),
    endDate: read(given["end_date"], (value) => parseDate(value, "end_date")),
    locationArea: read(given["location_area"], parseLocationArea),
  };
  const refused = Object.values(optional).find(isInvError);
  if (refused !== undefined) return refused;
  const there = Object.entries(optional).filter(([, value]) => value !== null);
  return { storeNumber, gtin, ...(Object.fromEntries(there) as Partial<HistoryQuery>) };
}

function read<T>(value: CellValue | undefined, parse: (value: Plain) => T | InvError): T | InvError | null {
  const plain = filled(value);
  return plain === null ? null : parse(plain);
}

/** As the functions see it: nothing, spaces, and the 0 of an empty cell are blank. */
function filled(value: CellValue | undefined): Plain | null {
  if (value === undefined || value === null || value === 0) return null;
  return typeof value === "string" && cleanText(value) === "" ? null : value;
}
