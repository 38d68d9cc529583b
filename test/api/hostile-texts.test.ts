/** Texts of the service are cleaned, bounded, and contain neither secret nor token. */
import { readEventsResponse } from "../../src/api/events";
import { readSearchResponse } from "../../src/api/search-items";
import { InvError } from "../../src/domain/errors";
import { answer, errorItem, gtin, json, limit, successItem } from "./bodies";

const token = "eyJhbGciOi/JIUzI1NiJ9.c2VjcmV0-token_value=";
const secret = 's3cret+"of the\\company';
const item = gtin(1);
const search = { storeNumber: 1234, itemType: "gtin", values: [item] } as const;
const events = { storeNumber: 1234, gtin: item };

/** Spellings of the same text that JSON allows. */
const spellings: [string, (text: string) => string][] = [
  ["as it is", (text) => JSON.stringify(text)],
  ["with escaped slashes", (text) => JSON.stringify(text).replaceAll("/", "\\/")],
  [
    "with every character as a number",
    (text) =>
      `"${Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`).join("")}"`,
  ],
];

/** Of a call that carried secret and token. */
const options = { ...limit, secrets: [secret, token] };

function answered(body: string, status = 200): Response {
  return new Response(body, { status, headers: { "content-type": "application/json" } });
}

describe.each(spellings)("a secret or token, %s,", (_name, spell) => {
  /** Fields of a response whose text people may see, each with a body that contains it. */
  const places: [string, number, (text: string) => string][] = [
    [
      "an item's reason",
      200,
      (text) => `{"items":[{"gtin":"${item}","data_retrieval_status":"ERROR","reason":${text}}]}`,
    ],
    [
      "a location area",
      200,
      (text) =>
        `{"items":[{"gtin":"${item}","data_retrieval_status":"SUCCESS","inventory_locations":[{"location_area":${text},"state":${text},"quantity":1}],"cid_level_inventories":[{"cid":1,"cross_references":[${text},{"a":${text}}]}]}]}`,
    ],
    ["an unreadable record", 200, (text) => `{"items":[{"gtin":"${item}","data_retrieval_status":${text}}]}`],
    ["another store", 200, (text) => `{"store_nbr":${text},"items":[]}`],
    [
      "a problem's detail and trace id",
      400,
      (text) =>
        `{"title":"Bad","detail":${text},"trace_id":${text},"errors":[{"property":${text},"reason":${text}}]}`,
    ],
    ["a 404's detail", 404, (text) => `{"title":"None","detail":${text},"trace_id":${text}}`],
  ];

  it.each(places)("is removed from %s", async (_place, status, bodyOf) => {
    for (const echoed of [token, secret]) {
      const body = bodyOf(spell(echoed));
      const outcome = await readSearchResponse(answered(body, status), search, options);
      const history = await readEventsResponse(answered(body, status), events, options);
      const told = JSON.stringify([outcome, history], (_key, value: unknown) =>
        value instanceof InvError ? { message: value.message, details: value.details } : value,
      );
      expect(told).not.toContain(JSON.stringify(echoed).slice(1, -1));
      expect(told).not.toContain(echoed);
    }
  });

  it("is removed from an event type", async () => {
    const body = `{"items":[{"event_type":${spell(token)},"event_qty":1,"event_creation_time":"2026-11-18T04:05:06"}]}`;
    const outcome = await readEventsResponse(answered(body), events, options);
    expect(outcome).toMatchObject({ kind: "page", events: [{ eventType: "[redacted]" }] });
  });
});

describe("texts of the service", () => {
  const hostile = [
    "left\u202Eright\u2066",
    "nul\u0000byte",
    "bell\u0007 and escape\u001b[31m",
    "zero\u200Bwidth",
    "two\r\nlines\u2028and\u2029more",
    "\u00ADsoft",
    "x".repeat(150_000),
    "Bearer abcdefgh.ijklmnop.qrstuvwx",
  ];

  it.each(hostile)("are one clean, bounded line in every field (%#)", async (text) => {
    const record = {
      ...successItem(item),
      inventory_locations: [{ location_area: text, state: text, quantity: "1" }],
      cid_level_inventories: [{ cid: 1, cross_references: [text, { [text]: text }, 7] }],
      wm_item_number: text,
    };
    const outcomes = [
      await readSearchResponse(json(answer([record])), search, limit),
      await readSearchResponse(json(answer([errorItem(item, text)])), search, limit),
      await readSearchResponse(json(answer([], text)), search, limit),
      await readEventsResponse(
        json({ items: [{ event_type: text, event_qty: 1, event_creation_time: "2026-11-18T04:05:06" }] }),
        events,
        limit,
      ),
      await readEventsResponse(json({ items: [{ event_type: "SALES" }], [text]: 1 }), events, limit),
    ];
    const texts: string[] = [];
    JSON.stringify(outcomes, (_key, value: unknown) => {
      if (value instanceof Error) texts.push(value.message);
      if (typeof value === "string") texts.push(value);
      // A record reads its consumer items only when somebody needs them.
      const isRecord = typeof value === "object" && value !== null && "cids" in value;
      return isRecord ? { ...value, cids: value.cids } : value;
    });
    expect(texts.length).toBeGreaterThan(8);
    for (const shown of texts) {
      expect(shown).not.toMatch(/\p{C}|\p{Zl}|\p{Zp}|abcdefgh/u);
      expect(shown.length).toBeLessThanOrEqual(500);
    }
  });

  it.each([30, 60_000])("nested %i levels deep make only their own item unreadable", async (levels) => {
    const deep = "[".repeat(levels) + "]".repeat(levels);
    const values = Array.from({ length: 100 }, (_, index) => gtin(index));
    const items = values.map((value) => JSON.stringify(successItem(value)));
    items[7] = `{"gtin":"${gtin(7)}","data_retrieval_status":"SUCCESS","cid_level_inventories":[{"cid":1,"cross_references":[${deep}]}]}`;
    const body = `{"items":[${items.join(",")}]}`;
    const outcome = await readSearchResponse(new Response(body), { ...search, values }, limit);
    const read = outcome.kind === "items" ? outcome.items : [];
    expect(read.map(({ kind }) => kind)).toEqual(values.map((_, at) => (at === 7 ? "unreadable" : "record")));
    const error = read[7]?.kind === "unreadable" ? read[7].error : null;
    expect(error?.message).toContain("it has more than 20 levels");
  });

  it("nested too deeply appear as an ellipsis where INV quotes them", async () => {
    const deep = "[".repeat(60_000) + "]".repeat(60_000);
    const body = `{"items":[{"event_type":"SALES","event_qty":${deep}}]}`;
    const outcome = await readEventsResponse(new Response(body), events, limit);
    expect(JSON.stringify(outcome)).not.toContain("[[[");
    expect(outcome).toMatchObject({ kind: "unreadable" });
  });
});
