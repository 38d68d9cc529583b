/**
 * What a sheet costs at the very least: parse the answers of the fewest calls, keep each item in a Map, and per cell one
 * look-up and one promise.
 */
import { type Entry, quantityIn, type WireItem } from "./contenders";

export const floor: Entry = {
  id: "floor",
  title: "floor",
  create({ leastAnswers = () => [] }) {
    const answers = leastAnswers();
    let stores: ReadonlyMap<number, ReadonlyMap<string, WireItem>> | null = null;
    return {
      ask({ store, gtin }) {
        stores ??= readAll(answers);
        return Promise.resolve(stores.get(store)?.get(gtin));
      },
      quantity: (item) => quantityIn(item as WireItem | undefined),
      prepare: () => Promise.resolve(),
    };
  },
};

function readAll(answers: readonly string[]): ReadonlyMap<number, ReadonlyMap<string, WireItem>> {
  const stores = new Map<number, Map<string, WireItem>>();
  for (const text of answers) {
    const answer = JSON.parse(text) as { store_nbr: number; items: readonly WireItem[] };
    const items = stores.get(answer.store_nbr) ?? new Map<string, WireItem>();
    stores.set(answer.store_nbr, items);
    for (const item of answer.items) items.set(item.gtin, item);
  }
  return stores;
}
