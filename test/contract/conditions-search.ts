/** The conditions of `POST /search-items`. */
import { fixedGtin, fixedItemNumber } from "./caller";
import {
  badRequest,
  body,
  type Call,
  good,
  notFound,
  notSubscribed,
  type Row,
  unknownConsumer,
  unknownPath,
  wrongLength,
  wrongMethod,
  wrongValue,
} from "./condition";

const searchFor = (change: object): Call => ({ ask: { ...body, ...change } });
const searchItems = (...item_type_values: string[]): Call => searchFor({ item_type_values });
const searchNumbers = (...item_type_values: string[]): Call =>
  searchFor({ item_type: "wm_item_number", item_type_values });

export const searchRows: readonly Row[] = [
  {
    ...unknownConsumer,
    condition: "`wm_consumer.id` not mapped to the supplier",
    change: [{ as: "unmapped" }],
  },
  {
    ...notSubscribed,
    condition: "`wm_consumer.id` header absent, null or not subscribed",
    change: [{ consumerId: null }, { consumerId: "null" }, { consumerId: "" }, { as: "unsubscribed" }],
  },
  {
    ...wrongValue,
    condition: "gtin has special characters, is negative, is non-numeric, or is not 14 digits",
    // The wrong value is between good ones, so that the index in the property shows.
    refused: [
      ...["0001234567890$", "-0012345678905", "ABCDEFGHIJKLMN", "0012345678905", "000012345678905", ""],
    ].map((gtin) => ({
      ...searchItems(fixedGtin, gtin, fixedGtin),
      property: `/item_type_values[1]/${gtin}`,
    })),
  },
  {
    ...wrongValue,
    condition: "wm_item_number has special characters, is negative, or is non-numeric",
    refused: ["12345678#", "-12345678", "ABC"].map((value) => ({
      ...searchNumbers(fixedItemNumber, value),
      property: `/item_type_values[1]/${value}`,
    })),
    // Its length isn't checked: the document says two things about it.
    answered: [searchNumbers(fixedItemNumber), searchNumbers(fixedItemNumber, "1", "12345678901234")],
  },
  {
    ...wrongLength,
    condition: "store_nbr length above 6 or below 2",
    refused: [1_234_567, 9].map((store) => ({
      ...searchFor({ store_nbr: store }),
      property: `/store_nbr/${store}`,
    })),
    answered: [12, 100, 1234, 10_025, 100_204].map((store) => searchFor({ store_nbr: store })),
  },
  {
    ...wrongValue,
    condition: "item_type not `gtin` or `wm_item_number`",
    refused: ["upc", "GTIN", ""].map((type) => ({
      ...searchFor({ item_type: type }),
      property: `/item_type/${type}`,
    })),
    answered: [good.search, searchNumbers(fixedItemNumber)],
  },
  {
    ...badRequest("missing"),
    condition: "store_nbr, item_type or item_type_values missing",
    refused: Object.keys(body).map((name) => ({
      ...searchFor({ [name]: undefined }),
      property: `/${name}/`,
    })),
  },
  {
    ...wrongLength,
    table: "Limits",
    condition: "Items per request: at most 100 in `item_type_values`",
    refused: [101, 0, 10_000].map((count) => ({
      ...searchItems(...Array.from({ length: count }, () => fixedGtin)),
      property: `/item_type_values/${count}`,
    })),
    answered: [100, 99, 1].map((count) => searchItems(...Array.from({ length: count }, () => fixedGtin))),
  },
  { ...unknownPath, condition: "Unknown path", change: [{ path: "/search-items/1" }] },
  {
    ...notFound("No data found"),
    condition: "No data for the request",
    only: "sandbox",
    refused: ({ pairWithoutData: { store, gtin } }) => [
      searchFor({ store_nbr: store, item_type_values: [gtin] }),
      searchFor({ store_nbr: 9999 }),
      // Neither this supplier's nor designated.
      searchItems("00000000000017"),
    ],
    answered: ({ pairWithoutData: { store, gtin } }) => [
      searchFor({ store_nbr: store, item_type_values: [gtin, fixedGtin, "00000000000017"] }),
    ],
  },
  { ...wrongMethod("POST"), condition: "Wrong HTTP method for the path", change: [{ method: "PUT" }] },
];
