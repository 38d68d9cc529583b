/**
 * For each documented condition the calls that prove it: on its own side of the bound, each with the property it
 * names, and the nearest ones on the other side, which are answered. Plain data; `conditions.test` sends it.
 * "Today" is 20 November 2026, UTC, so the window of dates is 14 to 20 November.
 */
import type { ConditionName } from "./documented";
import { fixedGtin, fixedItemNumber } from "./caller";
import type { ContractService } from "./worlds";

export interface Call {
  /** The body of `POST /search-items`, or the query of `GET /events`. */
  readonly ask: object | string;
  readonly as?: keyof ContractService["accounts"];
  readonly token?: "missing" | "malformed" | "changed" | "without Bearer" | "of another consumer";
  /** The `wm_consumer.id` header where it isn't the account's; null leaves it out. */
  readonly consumerId?: string | null;
  readonly method?: "PUT";
  readonly path?: string;
  /** Milliseconds between the token and the call. */
  readonly afterMs?: number;
  /** Calls of the same kind that come before, within the same minute. */
  readonly before?: number;
  /** A switch of the embedded service: what nobody can cause from outside. */
  readonly fault?: "500=100%";
}

export interface RefusedCall extends Call {
  /** What `errors[].property` says; only for a 400. */
  readonly property?: string;
  /** What `errors[].reason` says, where it is not the row's. */
  readonly reason?: "length";
}

export interface Cases {
  readonly refused: readonly RefusedCall[];
  readonly answered: readonly Call[];
}

const good = { item_type: "gtin", store_nbr: 1234, item_type_values: [fixedGtin] };
const query = `store_nbr=1234&gtin=${fixedGtin}`;
const searchFor = (change: object): Call => ({ ask: { ...good, ...change } });
const search: Call = { ask: good };
const events: Call = { ask: query };

/** In the middle of good ones, so that the index in the property shows. */
const badGtin = (gtin: string): RefusedCall => ({
  ...searchFor({ item_type_values: [fixedGtin, gtin, fixedGtin] }),
  property: `/item_type_values[1]/${gtin}`,
});
const badItemNumber = (value: string): RefusedCall => ({
  ...searchFor({ item_type: "wm_item_number", item_type_values: [fixedItemNumber, value] }),
  property: `/item_type_values[1]/${value}`,
});
const badParameter = (name: string, value: string): RefusedCall => ({
  ask: `${query}&${name}=${value}`,
  property: `/${name}/${value}`,
});
const badStore = (store: string): RefusedCall => ({
  ask: `store_nbr=${store}&gtin=${fixedGtin}`,
  property: `/store_nbr/${store}`,
});
const without = (name: keyof typeof good): RefusedCall => ({
  ...searchFor({ [name]: undefined }),
  property: `/${name}/`,
});
const withParameter = (name: string, value: string): Call => ({ ask: `${query}&${name}=${value}` });

const badTokens = ["malformed", "changed", "without Bearer"] as const;
const lifetimeMs = 900_000;

export const conditions: Readonly<Record<ConditionName, (service: ContractService) => Cases>> = {
  searchTokenMissing: () => ({ refused: [{ ...search, token: "missing" }], answered: [search] }),
  eventsTokenMissing: () => ({ refused: [{ ...events, token: "missing" }], answered: [events] }),
  searchTokenInvalid: () => ({
    refused: badTokens.map((token) => ({ ...search, token })),
    answered: [search],
  }),
  eventsTokenInvalid: () => ({
    refused: badTokens.map((token) => ({ ...events, token })),
    answered: [events],
  }),
  searchTokenExpired: () => ({
    refused: [{ ...search, afterMs: lifetimeMs }],
    answered: [{ ...search, afterMs: lifetimeMs - 1 }],
  }),
  eventsTokenExpired: () => ({
    refused: [{ ...events, afterMs: lifetimeMs }],
    answered: [{ ...events, afterMs: lifetimeMs - 1 }],
  }),
  searchOtherHolder: () => ({ refused: [{ ...search, token: "of another consumer" }], answered: [search] }),
  eventsOtherHolder: () => ({ refused: [{ ...events, token: "of another consumer" }], answered: [events] }),
  searchUnmapped: () => ({ refused: [{ ...search, as: "unmapped" }], answered: [search] }),
  eventsUnmapped: () => ({
    refused: [
      { ...events, as: "unmapped" },
      { ...events, consumerId: null },
      { ...events, consumerId: "nobody" },
    ],
    answered: [events],
  }),
  searchNotSubscribed: () => ({
    refused: [
      { ...search, consumerId: null },
      { ...search, consumerId: "null" },
      { ...search, consumerId: "" },
      { ...search, as: "unsubscribed" },
    ],
    answered: [search],
  }),
  eventsNotSubscribed: () => ({
    refused: [
      { ...events, consumerId: "null" },
      { ...events, consumerId: "" },
      { ...events, as: "unsubscribed" },
    ],
    answered: [events],
  }),

  searchGtin: () => ({
    refused: [
      badGtin("0001234567890$"),
      badGtin("-0012345678905"),
      badGtin("ABCDEFGHIJKLMN"),
      badGtin("0012345678905"),
      badGtin("000012345678905"),
      badGtin(""),
    ],
    answered: [search],
  }),
  eventsGtin: () => ({
    refused: [
      { ask: "store_nbr=1234&gtin=0001234567890*", property: "/gtin/0001234567890*" },
      { ask: "store_nbr=1234&gtin=-0012345678905", property: "/gtin/-0012345678905" },
      { ask: "store_nbr=1234&gtin=ABCDEFGHIJKLMN", property: "/gtin/ABCDEFGHIJKLMN" },
      { ask: "store_nbr=1234&gtin=0012345678905", property: "/gtin/0012345678905", reason: "length" },
      { ask: "store_nbr=1234&gtin=000012345678905", property: "/gtin/000012345678905", reason: "length" },
    ],
    answered: [events],
  }),
  searchItemNumber: () => ({
    refused: [badItemNumber("12345678#"), badItemNumber("-12345678"), badItemNumber("ABC")],
    answered: [
      searchFor({ item_type: "wm_item_number", item_type_values: [fixedItemNumber] }),
      // Its length is not checked: the document says two things of it.
      searchFor({ item_type: "wm_item_number", item_type_values: [fixedItemNumber, "1", "12345678901234"] }),
    ],
  }),
  searchStoreLength: () => ({
    refused: [1_234_567, 9].map((store) => ({
      ...searchFor({ store_nbr: store }),
      property: `/store_nbr/${store}`,
    })),
    answered: [100_204, 12].map((store) => searchFor({ store_nbr: store })),
  }),
  eventsStoreLength: () => ({
    refused: ["1234567", "9"].map(badStore),
    answered: ["100204", "12"].map((store) => ({ ask: badStore(store).ask })),
  }),
  eventsStoreLengthInSandbox: () => ({
    refused: ["1234567", "9"].map(badStore),
    answered: ["100204", "12"].map((store) => ({ ask: badStore(store).ask })),
  }),
  eventsStore: () => ({
    refused: ["abcd", "-1234", "12$4", "12.5", "0x10"].map(badStore),
    answered: [events],
  }),
  searchItemType: () => ({
    refused: ["upc", "GTIN", ""].map((type) => ({
      ...searchFor({ item_type: type }),
      property: `/item_type/${type}`,
    })),
    answered: [search, searchFor({ item_type: "wm_item_number", item_type_values: [fixedItemNumber] })],
  }),
  searchMissing: () => ({
    refused: [without("store_nbr"), without("item_type"), without("item_type_values")],
    answered: [search],
  }),
  eventsGtinMissing: () => ({
    refused: [
      { ask: "store_nbr=1234", property: "/gtin/" },
      { ask: "store_nbr=1234&gtin=", property: "/gtin/" },
    ],
    answered: [events],
  }),
  eventsType: () => ({
    refused: ["SA-LES", "123", "S$", "", "1A", "NOSUCH", "sales"].map((type) =>
      badParameter("event_type", type),
    ),
    answered: ["SALES", "CDV2", "LP", "POF"].map((type) => withParameter("event_type", type)),
  }),
  eventsWindow: () => ({
    refused: [
      badParameter("start_date", "2026-11-13"),
      badParameter("end_date", "2026-11-13"),
      badParameter("end_date", "2026-11-21"),
    ],
    answered: [
      withParameter("start_date", "2026-11-14"),
      withParameter("end_date", "2026-11-14"),
      withParameter("end_date", "2026-11-20"),
    ],
  }),
  eventsDateOrder: () => ({
    refused: [
      {
        ask: `${query}&start_date=2026-11-17&end_date=2026-11-16`,
        property: "/start_date/2026-11-17/end_date/2026-11-16",
      },
    ],
    answered: [{ ask: `${query}&start_date=2026-11-16&end_date=2026-11-16` }],
  }),
  eventsDateForm: () => ({
    refused: ["16-11-2026", "2026/11/16", "2026-11-31", "2026-11-16T00:00:00", "yesterday"].flatMap(
      (date) => [badParameter("start_date", date), badParameter("end_date", date)],
    ),
    answered: [withParameter("start_date", "2026-11-16"), withParameter("end_date", "2026-11-16")],
  }),
  eventsFuture: () => ({
    refused: [badParameter("start_date", "2026-11-21")],
    answered: [withParameter("start_date", "2026-11-20")],
  }),
  eventsArea: () => ({
    refused: ["store", "SHELF", ""].map((area) => badParameter("location_area", area)),
    answered: ["STORE", "BACKROOM"].map((area) => withParameter("location_area", area)),
  }),
  eventsPageToken: () => ({
    refused: ["abc", "", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"].map((token) =>
      badParameter("page_token", token),
    ),
    // The runner puts in the token that the first page gave.
    answered: [withParameter("page_token", "{next_page_token}")],
  }),
  searchLimit: () => ({
    refused: [101, 0].map((count) => ({
      ...searchFor({ item_type_values: Array.from({ length: count }, () => fixedGtin) }),
      property: `/item_type_values/${count}`,
    })),
    answered: [100, 1].map((count) =>
      searchFor({ item_type_values: Array.from({ length: count }, () => fixedGtin) }),
    ),
  }),

  searchUnknownPath: () => ({ refused: [{ ...search, path: "/search-items/1" }], answered: [search] }),
  eventsUnknownPath: () => ({ refused: [{ ...events, path: "/event" }], answered: [events] }),
  searchNoData: ({ pairWithoutData: { store, gtin } }) => ({
    refused: [
      searchFor({ store_nbr: store, item_type_values: [gtin] }),
      searchFor({ store_nbr: 9999 }),
      // Neither this supplier's nor designated.
      searchFor({ item_type_values: ["00000000000017"] }),
    ],
    answered: [searchFor({ store_nbr: store, item_type_values: [gtin, fixedGtin, "00000000000017"] })],
  }),
  eventsNoData: () => ({
    refused: [{ ask: `store_nbr=9999&gtin=${fixedGtin}` }],
    answered: [{ ask: `store_nbr=100&gtin=${fixedGtin}` }],
  }),
  eventsNotMapped: () => ({
    refused: [{ ask: "store_nbr=1234&gtin=00098765432105" }, { ask: "store_nbr=1234&gtin=00000000000017" }],
    answered: [events],
  }),
  eventsNoPair: ({ pairWithoutData: { store, gtin } }) => ({
    refused: [{ ask: `store_nbr=${store}&gtin=${gtin}` }],
    answered: [events],
  }),
  eventsNoGtin: ({ knowsItemsWithoutData }) => ({
    // The first has a wrong check digit; the second is the supplier's, and in no store.
    refused: ["00000000000018", ...(knowsItemsWithoutData ? ["00012345685293"] : [])].map((gtin) => ({
      ask: `store_nbr=1234&gtin=${gtin}`,
    })),
    answered: [events],
  }),

  searchMethod: () => ({ refused: [{ ...search, method: "PUT" }], answered: [search] }),
  eventsMethod: () => ({ refused: [{ ...events, method: "PUT" }], answered: [events] }),
  searchQuota: () => ({
    refused: [{ ...search, before: 600 }],
    answered: [{ ...search, before: 599 }],
  }),
  eventsQuota: () => ({
    refused: [{ ...events, before: 600 }],
    answered: [{ ...events, before: 599 }],
  }),
  searchDown: () => ({ refused: [{ ...search, fault: "500=100%" }], answered: [search] }),
  eventsDown: () => ({ refused: [{ ...events, fault: "500=100%" }], answered: [events] }),
};
