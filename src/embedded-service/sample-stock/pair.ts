/**
 * The characteristics of one item at one store: how fast it sells, how often it is delivered, how much shelf and backroom can contain.
 * A pure function of store, item and seed.
 */
import { type SampleItem, type SampleStore, fixedItemIndex, fixedStoreNumber } from "./catalogue";
import { mix, share } from "./chance";

export interface SamplePair {
  readonly key: number;
  readonly utcOffsetHours: number;
  /** Sales on an ordinary day, in transactions and in units. */
  readonly salesPerDay: number;
  readonly unitsPerDay: number;
  readonly deliveryEveryDays: number;
  readonly deliveryPhase: number;
  /** A delivery fills each area up to its level; without a backroom its level is 0. */
  readonly storeLevel: number;
  readonly backroomLevel: number;
  /** Chance of a stock correction on a day. */
  readonly correctionChance: number;
}

/** Whether the pair has no data: one pair in 25, and every pair of the discontinued item. */
export function isGap(store: SampleStore, item: SampleItem, seed: number): boolean {
  if (item.withoutData) return true;
  return !isFixed(store, item) && mix(pairSeed(store, item, seed), 1) % 25 === 0;
}

export function createPair(store: SampleStore, item: SampleItem, seed: number): SamplePair {
  const key = pairSeed(store, item, seed);
  const fixed = isFixed(store, item);
  const salesPerDay = fixed ? 26 : itemSpeed(item, seed) * (0.5 + share(mix(key, 2)));
  const unitsPerSale = fixed ? 1.1 : 1.35;
  const unitsPerDay = salesPerDay * unitsPerSale;
  const deliveryEveryDays = fixed || salesPerDay > 9 ? 1 : salesPerDay > 3 ? 2 : 4;
  // Most shelves last until the next delivery; one in six runs out.
  const cover = mix(key, 3) % 6 === 0 && !fixed ? 0.45 : 1.3 + share(mix(key, 4));
  const perDelivery = unitsPerDay * deliveryEveryDays * cover;
  // Nearly every item is in the backroom too.
  const withBackroom = fixed || mix(key, 5) % 10 !== 0;
  return {
    key,
    utcOffsetHours: store.utcOffsetHours,
    salesPerDay,
    unitsPerDay,
    deliveryEveryDays,
    deliveryPhase: mix(key, 6) % deliveryEveryDays,
    storeLevel: Math.max(2, Math.ceil(perDelivery)),
    backroomLevel: withBackroom ? Math.max(2, Math.ceil(perDelivery * 0.4)) : 0,
    correctionChance: fixed ? 0.8 : 0.08,
  };
}

function itemSpeed(item: SampleItem, seed: number): number {
  const kind = share(mix(mix(seed, 71), item.index));
  const within = share(mix(mix(seed, 72), item.index));
  if (kind < 0.1) return 11 + within * 5;
  if (kind < 0.7) return 2.5 + within * 6;
  return 0.3 + within * 1.7;
}

function pairSeed(store: SampleStore, item: SampleItem, seed: number): number {
  return mix(mix(mix(seed, 11), store.storeNumber), item.index);
}

function isFixed(store: SampleStore, item: SampleItem): boolean {
  return store.storeNumber === fixedStoreNumber && item.index === fixedItemIndex;
}
