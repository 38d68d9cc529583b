/** The conditions of `GET /events`. "Today" is 20 November 2026, UTC, so the window of dates is 14 to 20 November. */
import { fixedGtin } from "./caller";
import {
  badRequest,
  type Call,
  notFound,
  notSubscribed,
  query,
  type RefusedCall,
  type Row,
  unknownConsumer,
  unknownPath,
  wrongLength,
  wrongMethod,
  wrongValue,
} from "./condition";

const eventsOf = (store: string, gtin = fixedGtin): Call => ({ ask: `store_nbr=${store}&gtin=${gtin}` });
const eventsWith = (name: string, ...values: string[]): Call[] =>
  values.map((value) => ({ ask: `${query}&${name}=${value}` }));
const badParameter = (name: string, ...values: string[]): RefusedCall[] =>
  values.map((value) => ({ ask: `${query}&${name}=${value}`, property: `/${name}/${value}` }));
const badStores = (...stores: string[]): RefusedCall[] =>
  stores.map((store) => ({ ...eventsOf(store), property: `/store_nbr/${store}` }));
const badGtins = (reason: "length" | undefined, ...gtins: string[]): RefusedCall[] =>
  gtins.map((gtin) => ({
    ...eventsOf("1234", gtin),
    property: `/gtin/${gtin}`,
    ...(reason && { reason }),
  }));

export const eventsRows: readonly Row[] = [
  {
    ...unknownConsumer,
    condition: "`wm_consumer.id` not mapped to the supplier, header missing or incorrect",
    change: [{ as: "unmapped" }, { consumerId: null }, { consumerId: "nobody" }],
  },
  {
    ...notSubscribed,
    condition: "`wm_consumer.id` header null or not subscribed",
    change: [{ consumerId: "null" }, { consumerId: "" }, { as: "unsubscribed" }],
  },
  {
    ...wrongValue,
    condition: "gtin has special characters, is negative, is non-numeric, or is not 14 digits",
    refused: [
      ...badGtins(undefined, "0001234567890*", "-0012345678905", "ABCDEFGHIJKLMN"),
      ...badGtins("length", "0012345678905", "000012345678905"),
    ],
  },
  ...(["production", "sandbox"] as const).map((only) => ({
    ...(only === "production" ? wrongLength : wrongValue),
    condition: "store_nbr length above 6 or below 2",
    only,
    refused: badStores("1234567", "9"),
    answered: [eventsOf("100204"), eventsOf("12")],
  })),
  {
    ...wrongValue,
    condition: "store_nbr non-numeric, negative or with special characters",
    refused: badStores("abcd", "-1234", "12$4", "12.5", "0x10"),
  },
  {
    ...badRequest("missing", "missing-required-property"),
    condition: "gtin missing",
    refused: ["store_nbr=1234", "store_nbr=1234&gtin="].map((ask) => ({ ask, property: "/gtin/" })),
  },
  {
    ...badRequest("missing", "missing-required-property"),
    condition: "store_nbr missing",
    refused: [{ ask: `gtin=${fixedGtin}`, property: "/store_nbr/" }],
  },
  {
    ...wrongValue,
    condition: "event_type invalid",
    refused: badParameter("event_type", "SA-LES", "123", "S$", "", "1A", "NOSUCH", "sales"),
    answered: eventsWith(
      "event_type",
      ..."SALES RETURNS LR SI SILR BR SBC PI IL DS DA RA DO DR DV DP PR DX PCID CDV2 CDC NB LP POF".split(
        " ",
      ),
    ),
  },
  {
    ...wrongValue,
    condition: "start_date or end_date outside current date minus 6 days to current date",
    refused: [
      ...badParameter("start_date", "2026-11-13", "2026-11-21"),
      ...badParameter("end_date", "2026-11-13", "2026-11-21"),
    ],
    answered: [
      ...eventsWith("start_date", "2026-11-14", "2026-11-20"),
      ...eventsWith("end_date", "2026-11-14", "2026-11-20"),
    ],
  },
  {
    ...wrongValue,
    condition: "start_date after end_date",
    refused: [
      {
        ask: `${query}&start_date=2026-11-17&end_date=2026-11-16`,
        property: "/start_date/2026-11-17/end_date/2026-11-16",
      },
    ],
    answered: [{ ask: `${query}&start_date=2026-11-16&end_date=2026-11-16` }],
  },
  {
    ...wrongValue,
    condition: "date not in `yyyy-MM-dd` form",
    refused: ["start_date", "end_date"].flatMap((name) =>
      badParameter(name, "16-11-2026", "2026/11/16", "2026-11-31", "2026-11-16T00:00:00", "yesterday"),
    ),
    answered: [...eventsWith("start_date", "2026-11-16"), ...eventsWith("end_date", "2026-11-16")],
  },
  {
    ...wrongValue,
    condition: "location_area not `STORE` or `BACKROOM` (case sensitive)",
    refused: badParameter("location_area", "store", "SHELF", ""),
    answered: eventsWith("location_area", "STORE", "BACKROOM"),
  },
  {
    ...wrongValue,
    condition: "page_token not equal to a returned next_page_token",
    refused: badParameter("page_token", "abc", "", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
    // The test replaces this by the token of the first page.
    answered: eventsWith("page_token", "{next_page_token}"),
  },
  {
    ...unknownPath,
    condition: "Unknown path",
    change: ["/event", "/events/", "/", "/__proto__", "/constructor"].map((path) => ({ path })),
  },
  {
    ...notFound("Data not found. At least one of the given request parameters is invalid."),
    condition: "No data for the request",
    refused: [eventsOf("9999")],
    answered: [eventsOf("100")],
  },
  {
    ...notFound("The requested GTIN is not mapped to the Supplier."),
    condition: "GTIN not mapped to the supplier",
    refused: [eventsOf("1234", "00098765432105"), eventsOf("1234", "00000000000017")],
  },
  {
    ...notFound("Data not found for the given request parameters."),
    condition: "No data for the GTIN and store combination",
    refused: ({ pairWithoutData: { store, gtin } }) => [eventsOf(String(store), gtin)],
  },
  {
    ...notFound("No data found. Invalid GTIN"),
    condition: "GTIN invalid or without data",
    // The first has a wrong check digit; the second is the supplier's, without data at any store.
    refused: ({ isFile }) =>
      ["00000000000018", ...(isFile ? [] : ["00012345685293"])].map((gtin) => eventsOf("1234", gtin)),
  },
  { ...wrongMethod("GET"), condition: "Wrong HTTP method for the path", change: [{ method: "PUT" }] },
];
