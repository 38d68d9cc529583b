/** Returns every store with every item. A separate file, so that the list of templates loads without the row checks. */
import type { Pair } from "./fill";

export function crossed(stores: readonly number[], items: readonly string[]): Pair[] {
  return stores.flatMap((store) => items.map((item) => ({ store, item })));
}
