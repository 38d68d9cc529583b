/**
 * What is known of each of INV's functions by its name alone, for whoever meets one in a formula that is not calculated:
 * what a template will cost, what kind of number a refresh has changed, which cells hold values of the service. What a
 * function does is its rule's (`src/functions`), what people read of it its doc comment's; a test holds this to both.
 */

export interface FunctionFacts {
  /** Whose answer it shows; null where INV tells it by itself. */
  readonly asks: "item" | "history" | null;
  /** Of a history: the arguments after store and GTIN that say which, in their order. */
  readonly narrowedBy?: readonly string[];
  /** Where its result has times: everywhere, or in this column of its table. */
  readonly times?: "everywhere" | number;
  /** The rows of its table are others each time. */
  readonly hasOtherRows?: true;
}

/** By name, in capitals and without `INV.`. */
export const functionFacts: Readonly<Record<string, FunctionFacts>> = {
  QTY: { asks: "item" },
  ITEM: { asks: "item" },
  STOCK: { asks: "item", times: 3 },
  CID: { asks: "item", hasOtherRows: true },
  UPDATED: { asks: "item", times: "everywhere" },
  ASOF: { asks: "item", times: "everywhere" },
  STATUS: { asks: "item" },
  EVENTS: {
    asks: "history",
    narrowedBy: ["event_type", "start_date", "end_date", "location_area"],
    times: 0,
    hasOtherRows: true,
  },
  EVENTQTY: { asks: "history", narrowedBy: ["event_type", "start_date", "end_date", "location_area"] },
  LASTEVENT: { asks: "history", narrowedBy: ["event_type", "location_area"], times: "everywhere" },
  EVENTTYPES: { asks: null },
  ENV: { asks: null },
};
