/** Every store with every item. Apart from the rows that are read, so that a list of what there is comes without their checks. */
import type { Pair } from "./fill";

export function crossed(stores: readonly number[], items: readonly string[]): Pair[] {
  return stores.flatMap((store) => items.map((item) => ({ store, item })));
}
