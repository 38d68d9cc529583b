/**
 * Numbers, times and prices in words, the same wherever the pane shows them. Times are the planner's
 * own (local, 24 hours), counts are grouped as in English. Pure.
 */
import type { Price } from "../../engine/types";
import type { Quote } from "../../workbook/refresh/refresh";

/** A whole number, 12345 as `12,345`. Not by Intl, whose first use costs as much as drawing half the pane. */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 cell`, `2 cells`. */
export function counted(value: number, singular: string, plural = `${singular}s`): string {
  return `${count(value)} ${value === 1 ? singular : plural}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/** Local time of day, `14:03`; with the date before it when that is not today's. */
export function timeOfDay(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  const time = `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
  if (new Date(nowMs).toDateString() === at.toDateString()) return time;
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())} ${time}`;
}

/** A length of time as people say it: `under 1 s`, `12 s`, `3 min`, `2 h 5 min`, `4 days`. */
export function duration(lengthMs: number): string {
  const seconds = Math.round(lengthMs / 1000);
  if (seconds < 1) return "under 1 s";
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return counted(Math.floor(hours / 24), "day");
}

/** A length of time that is an estimate: `about 12 s`, `under 1 s`. */
export function estimate(lengthMs: number): string {
  const words = duration(lengthMs);
  return words.startsWith("under") ? words : `about ${words}`;
}

/** A share of a minute's quota: `0.7 of a minute's quota`, `3.2 minutes' quota`. */
export function quotaWords(share: number): string {
  if (share === 0) return "no quota";
  if (share < 0.01) return "under 0.01 of a minute's quota";
  const rounded = share < 0.1 ? share.toFixed(2) : share.toFixed(1);
  return share <= 1 ? `${rounded} of a minute's quota` : `${rounded} minutes' quota`;
}

/** `3 calls`, `at least 1 call for histories`, or both. */
export function callWords({ searchCalls, eventCallsAtLeast }: Price): string {
  if (eventCallsAtLeast === 0) return counted(searchCalls, "call");
  if (searchCalls === 0) return `at least ${counted(eventCallsAtLeast, "call")} for histories`;
  return `${counted(searchCalls, "call")} and at least ${count(eventCallsAtLeast)} for histories`;
}

export interface PriceWords {
  /** The price itself, one line. */
  readonly price: string;
  /** What the price leaves out, one sentence each. */
  readonly notes: readonly string[];
}

/** What a refresh costs, as it is read before the click. */
export function priceWords(quote: Quote, nowMs: number): PriceWords {
  const { searchCalls, eventCallsAtLeast, durationMs } = quote.price;
  const notes: string[] = [];
  if (quote.unseen > 0) {
    notes.push(
      `${counted(quote.unseen, "formula")} not calculated in this session: refreshed too, but not in the price.`,
    );
  }
  if (quote.silent > 0) {
    notes.push(
      `${counted(quote.silent, "formula")} asked for nothing when last calculated: a blank row, or refused by the sheet itself.`,
    );
  }
  if (quote.cells === 0) {
    const price =
      quote.scope === "older" ? "Nothing to refresh: no value is that old." : "No INV formulas here.";
    return { price, notes };
  }
  if (searchCalls + eventCallsAtLeast === 0) {
    return {
      price: `${counted(quote.cells, "cell")}: no calls that can be told beforehand.`,
      notes,
    };
  }
  if (quote.unseen > 0) {
    const known = `the ${count(quote.cells - quote.unseen - quote.silent)} calculated in this session`;
    return { price: `${counted(quote.cells, "cell")}: ${callWords(quote.price)} for ${known}.`, notes };
  }
  const done =
    durationMs < 60_000
      ? `done in ${estimate(durationMs)}`
      : `done about ${timeOfDay(nowMs + durationMs, nowMs)}`;
  return {
    price: `${counted(quote.cells, "cell")}: ${callWords(quote.price)}, ${quotaWords(quote.price.quotaShare)}, ${done}.`,
    notes,
  };
}
