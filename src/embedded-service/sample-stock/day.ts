/**
 * The planned events of one item at one store on one day (UTC): sales with the rhythm of a store's day and week, returns, announced
 * deliveries, corrections, and the rare codes. A plan says when and how much; `timeline` decides what happens. A pure function.
 */
import { mix, share } from "./chance";
import type { SamplePair } from "./pair";

/** The effect of a plan on the stock. */
type Effect =
  /** Takes up to `amount` from the STORE area. */
  | "take"
  /** Adds `amount` to the STORE area. */
  | "add"
  /** A signed correction of the STORE area, never below zero. */
  | "correct"
  /** Moves stock from the BACKROOM to the STORE area, up to its level. */
  | "refill"
  /** Announces what the next delivery brings. The stock doesn't change between the two. */
  | "announce"
  /** Fills both areas up to their levels. */
  | "deliver"
  /** Changes no stock: DC-level, system and snapshot events. */
  | "note";

export interface PlannedEvent {
  readonly atMs: number;
  readonly eventType: string;
  readonly effect: Effect;
  readonly amount: number;
}

export const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** Share of a day's sales by local hour. None from 1 to 5, when deliveries are announced and arrive. */
const hourShares = [
  0.01, 0, 0, 0, 0, 0, 0.02, 0.03, 0.045, 0.055, 0.065, 0.075, 0.08, 0.075, 0.07, 0.07, 0.08, 0.09, 0.085,
  0.065, 0.045, 0.03, 0.015, 0.005,
];
/** Sunday to Saturday. */
const weekdayFactors = [1.2, 0.85, 0.8, 0.85, 0.95, 1.15, 1.35];
const announceLocalHour = 2;
const deliveryLocalHour = 4;

/** Returns the plans of a day, sorted by time. @param day days since 1970 */
export function plansOfDay(pair: SamplePair, day: number): PlannedEvent[] {
  const dayKey = mix(pair.key, day + 1000);
  const plans: PlannedEvent[] = [];
  addSales(plans, pair, day);
  addStoreWork(plans, pair, day);
  if (isDeliveryDay(pair, day)) {
    const startMs = day * dayMs - pair.utcOffsetHours * hourMs;
    const announcedMs = startMs + announceLocalHour * hourMs + (mix(dayKey, 30) % 3600) * 1000;
    plans.push({ atMs: announcedMs, eventType: "SI", effect: "announce", amount: 0 });
    plans.push({ atMs: deliveryMs(pair, day), eventType: "LR", effect: "deliver", amount: 0 });
    // One delivery in ten is smaller than announced.
    if (mix(dayKey, 32) % 10 === 0) {
      plans.push({ atMs: deliveryMs(pair, day) + 60_000, eventType: "SILR", effect: "note", amount: -1 });
    }
  }
  if (isDeliveryDay(pair, day + 1)) addWarehouse(plans, pair, day);
  return plans.sort((one, other) => one.atMs - other.atMs);
}

/** Returns the last delivery until this time. Right after it, both areas are full. */
export function lastDeliveryMs(pair: SamplePair, atMs: number): number {
  let day = Math.floor(atMs / dayMs);
  while (!isDeliveryDay(pair, day) || deliveryMs(pair, day) > atMs) day -= 1;
  return deliveryMs(pair, day);
}

function isDeliveryDay(pair: SamplePair, day: number): boolean {
  return (day + pair.deliveryPhase) % pair.deliveryEveryDays === 0;
}

function deliveryMs(pair: SamplePair, day: number): number {
  const jitterMs = (mix(mix(pair.key, day + 1000), 31) % 1800) * 1000;
  return day * dayMs + (deliveryLocalHour - pair.utcOffsetHours) * hourMs + jitterMs;
}

function addSales(plans: PlannedEvent[], pair: SamplePair, day: number): void {
  const dayKey = mix(pair.key, day + 1000);
  for (let hour = 0; hour < 24; hour += 1) {
    const localHour = hour + pair.utcOffsetHours;
    // Before the store's midnight it is still the day before there. 1 January 1970 was a Thursday.
    const weekday = (day + 4 + (localHour < 0 ? 6 : 0)) % 7;
    const expectedSales =
      pair.salesPerDay * (hourShares[(localHour + 24) % 24] ?? 0) * (weekdayFactors[weekday] ?? 1);
    if (expectedSales === 0) continue;
    const bits = mix(dayKey, hour);
    if ((bits & 0xffff) / 0x10000 >= Math.min(expectedSales, 0.97)) continue;
    const detail = mix(bits, 40);
    const atMs = day * dayMs + hour * hourMs + ((bits >>> 16) % 3600) * 1000;
    plans.push({
      atMs,
      eventType: saleType(detail & 0xff),
      effect: "take",
      amount: saleUnits((detail >>> 8) & 0xff),
    });
    if (detail >>> 24 < 8) {
      const returnedMs = Math.min(atMs + 240_000, (day + 1) * dayMs - 1000);
      plans.push({ atMs: returnedMs, eventType: "RETURNS", effect: "add", amount: 1 });
    }
  }
}

function saleType(bits: number): string {
  if (bits < 226) return "SALES";
  return bits < 252 ? "POF" : "LP";
}

function saleUnits(bits: number): number {
  if (bits < 176) return 1;
  if (bits < 230) return 2;
  return bits < 248 ? 3 : 4;
}

/** Adds the work of staff and systems: refilling the shelf, counting, corrections, snapshots. */
function addStoreWork(plans: PlannedEvent[], pair: SamplePair, day: number): void {
  const dayKey = mix(mix(pair.key, day + 1000), 50);
  const at = (utcHour: number): number =>
    day * dayMs + utcHour * hourMs + (mix(dayKey, utcHour) % 3600) * 1000;
  const happens = (number: number, chance: number): boolean => share(mix(dayKey, 100 + number)) < chance;
  const signed = 1 - 2 * (mix(dayKey, 60) % 2);
  if (pair.backroomLevel > 0) {
    plans.push({ atMs: at(19), eventType: "BR", effect: "refill", amount: pair.storeLevel });
  }
  if (happens(1, pair.correctionChance)) {
    const amount = signed * (1 + (mix(dayKey, 61) % 3));
    plans.push({ atMs: at(22), eventType: "PI", effect: "correct", amount });
  }
  if (happens(2, 0.02)) plans.push({ atMs: at(16), eventType: "SBC", effect: "correct", amount: -1 });
  if ((day + (pair.key % 3)) % 3 === 0) {
    plans.push({ atMs: at(5), eventType: "DS", effect: "note", amount: 0 });
  }
  if (happens(3, 0.004)) plans.push({ atMs: at(6), eventType: "IL", effect: "note", amount: 0 });
  if (happens(4, 0.02)) plans.push({ atMs: at(7), eventType: "PCID", effect: "note", amount: 0 });
  if (happens(5, 0.02)) plans.push({ atMs: at(8), eventType: "CDV2", effect: "note", amount: 0 });
  if (happens(6, 0.01)) plans.push({ atMs: at(8), eventType: "CDC", effect: "note", amount: 0 });
  if (happens(7, 0.01)) plans.push({ atMs: at(9), eventType: "NB", effect: "note", amount: 1 });
}

/** Adds the day before a delivery: the distribution centre gets the order, picks it and sends it. */
function addWarehouse(plans: PlannedEvent[], pair: SamplePair, day: number): void {
  const dayKey = mix(mix(pair.key, day + 1000), 51);
  const forecast = Math.max(1, Math.round(pair.unitsPerDay * pair.deliveryEveryDays));
  const note = (utcHour: number, eventType: string, amount: number): void => {
    const atMs = day * dayMs + utcHour * hourMs + (mix(dayKey, utcHour) % 1800) * 1000;
    plans.push({ atMs, eventType, effect: "note", amount });
  };
  const happens = (number: number, chance: number): boolean => share(mix(dayKey, 100 + number)) < chance;
  note(15, "RA", forecast);
  if (happens(1, 0.1)) note(16, "DR", forecast * 4);
  if (happens(2, 0.05)) note(17, "DA", -1);
  if (happens(3, 0.5)) note(18, "DP", forecast);
  if (happens(4, 0.04)) note(19, "PR", 1);
  if (happens(5, 0.03)) note(20, "DX", 1);
  if (happens(6, 0.03)) note(21, "DV", 1);
  if (happens(7, 0.5)) note(22, "DO", forecast);
}
