/** One outcome for each requested item, whatever the response contains. */
import type { ItemOutcome, SearchOutcome } from "../../src/api/outcomes";
import { readSearchResponse, type SearchQuery } from "../../src/api/search-items";
import { answer, errorItem, gtin, json, limit, streamed, successItem } from "./bodies";
import { fc } from "../helpers/properties";

const query: SearchQuery = { storeNumber: 1234, itemType: "gtin", values: [gtin(11), gtin(22), gtin(33)] };

async function read(body: unknown, asked: SearchQuery = query): Promise<SearchOutcome> {
  return readSearchResponse(json(body), asked, limit);
}

/** The first quantity, or the code of the error. */
function brief(outcome: ItemOutcome): number | string | null {
  return outcome.kind === "record" ? (outcome.record.locations[0]?.quantity ?? null) : outcome.error.code;
}

async function briefs(body: unknown, asked: SearchQuery = query): Promise<unknown> {
  const outcome = await read(body, asked);
  return outcome.kind === "items" ? outcome.items.map(brief) : outcome;
}

/** The consumer items of each record. */
function cidsIn(outcome: SearchOutcome): unknown[] {
  if (outcome.kind !== "items") return [];
  return outcome.items.map((item) => (item.kind === "record" ? item.record.cids : null));
}

const three = [successItem(gtin(11), "1"), successItem(gtin(22), "2"), successItem(gtin(33), "3")] as const;

describe("a documented response", () => {
  it("is converted to INV's records", async () => {
    const outcome = await read(answer([successItem(gtin(11))]), { ...query, values: [gtin(11)] });
    expect(outcome).toMatchObject({
      kind: "items",
      agesMs: [],
      items: [
        {
          kind: "record",
          record: {
            gtin: gtin(11),
            itemNumber: "567890123",
            locations: [
              { locationArea: "STORE", state: "AVAILABLE", quantity: 12 },
              { locationArea: "BACKROOM", state: "AVAILABLE", quantity: 3 },
            ],
            cids: [{ cid: 123456789, crossReferences: [] }],
            lastUpdatedMs: Date.UTC(2026, 10, 18, 4, 5, 6),
          },
        },
      ],
    });
  });

  it.each([
    ["GTIN not mapped to the supplier", "not-mapped"],
    ["WM_ITEM_NUMBER not mapped to the supplier", "not-mapped"],
    ["No data found", "no-data"],
    ["Something new", "item-error"],
  ])("reads the reason of an item: %s", async (reason, code) => {
    const outcome = await read(answer([errorItem(gtin(11), reason), three[1], three[2]]));
    expect(outcome).toMatchObject({
      items: [{ kind: "none", error: { code, message: reason } }, { kind: "record" }, { kind: "record" }],
    });
  });

  it("is read by item number, too", async () => {
    const items = [{ wm_item_number: 567890123, data_retrieval_status: "SUCCESS" }];
    const outcome = await read(answer(items), {
      ...query,
      itemType: "wm_item_number",
      values: ["567890123"],
    });
    expect(outcome).toMatchObject({
      items: [{ kind: "record", record: { itemNumber: "567890123", gtin: null } }],
    });
  });
});

describe("a response with unknown or absent fields", () => {
  it("keeps unknown areas and states, and ignores unknown fields", async () => {
    const item = {
      ...successItem(gtin(11)),
      colour: "red",
      inventory_locations: [{ location_area: "MEZZANINE", state: "RESERVED", quantity: 4, unit: "EA" }],
    };
    const outcome = await read({ ...answer([item, three[1], three[2]]), page: 1 });
    expect(outcome).toMatchObject({
      items: [
        { record: { locations: [{ locationArea: "MEZZANINE", state: "RESERVED", quantity: 4 }] } },
        { kind: "record" },
        { kind: "record" },
      ],
    });
  });

  it("reads absent and null lists as empty", async () => {
    const bare = { gtin: gtin(11), data_retrieval_status: "SUCCESS" };
    const nulls = { ...bare, gtin: gtin(22), inventory_locations: null, cid_level_inventories: null };
    const outcome = await read(answer([bare, nulls, three[2]]));
    const empty = { kind: "record", record: { locations: [], lastUpdatedMs: null } };
    expect(cidsIn(outcome).slice(0, 2)).toEqual([[], []]);
    expect(outcome).toMatchObject({ items: [empty, empty, { kind: "record" }] });
  });
});

describe("consumer items", () => {
  it("keep numbers and texts, and become JSON otherwise", async () => {
    const cids = [
      { cid: "77", cross_references: ["a", 2, { gtin: "1", n: [3] }, null, true] },
      { cid: 78 },
      { cid: 79, cross_references: null },
    ];
    const item = { ...successItem(gtin(11)), cid_level_inventories: cids };
    const outcome = await read(answer([item]), { ...query, values: [gtin(11)] });
    const expected = [
      { cid: 77, crossReferences: ["a", 2, '{"gtin":"1","n":[3]}', "null", "true"] },
      { cid: 78, crossReferences: [] },
      { cid: 79, crossReferences: [] },
    ];
    expect(cidsIn(outcome)).toEqual([expected]);
  });

  it("make a repeated item unreadable only if they differ", async () => {
    const item = (reference: string) => ({
      ...successItem(gtin(11)),
      cid_level_inventories: [{ cid: 1, cross_references: [{ gtin: reference }] }],
    });
    const one = { ...query, values: [gtin(11)] };
    expect(await read(answer([item("1"), item("1")]), one)).toMatchObject({ items: [{ kind: "record" }] });
    expect(await read(answer([item("1"), item("2")]), one)).toMatchObject({
      items: [{ kind: "unreadable", error: { code: "bad-answer" } }],
    });
  });
});

describe("a wrong response", () => {
  it.each([
    ["long, with other items", [successItem(gtin(99), "9"), ...three, successItem(gtin(98), "8")], [1, 2, 3]],
    ["repeated equally", [...three, ...three], [1, 2, 3]],
    ["repeated with differences", [...three, successItem(gtin(22), "7")], [1, "bad-answer", 3]],
    ["both record and error", [...three, errorItem(gtin(22), "No data found")], [1, "bad-answer", 3]],
    ["without objects", [null, 5, "text", [], three[1]], ["missing-answer", 2, "missing-answer"]],
    ["without ids", [{ data_retrieval_status: "SUCCESS" }, three[1], three[2]], ["missing-answer", 2, 3]],
  ])("%s, still gives each item its own outcome", async (_title, items, expected) => {
    expect(await briefs(answer(items))).toEqual(expected);
  });

  it.each(["", null, undefined, "n/a", {}, "1e3", NaN])(
    "with %j for a quantity affects only that place, and never becomes 0",
    async (quantity) => {
      const broken = {
        ...three[1],
        inventory_locations: [{ location_area: "STORE", state: "AVAILABLE", quantity }],
      };
      expect(await briefs(answer([three[0], broken, three[2]]))).toEqual([1, null, 3]);
    },
  );

  it("reports where an item is unreadable, and the value there", async () => {
    const broken = { ...three[0], data_retrieval_status: "" };
    const outcome = await read(answer([broken]), { ...query, values: [gtin(11)] });
    const message = `data_retrieval_status is ""`;
    expect(outcome).toMatchObject({
      items: [{ error: { message: expect.stringContaining(message) as string } }],
    });
  });

  it("has no quantity if two records of one area and state differ, and counts equal ones once", async () => {
    const location = { location_area: "STORE", state: "AVAILABLE", quantity: "5" };
    const differing = { ...three[0], inventory_locations: [location, { ...location, quantity: 6 }] };
    const equal = { ...three[1], inventory_locations: [location, { ...location, quantity: 5.0 }] };
    const outcome = await read(answer([differing, equal, three[2]]));
    expect(outcome).toMatchObject({
      items: [
        { record: { locations: [{ quantity: null }] } },
        { record: { locations: [{ quantity: 5 }] } },
        { kind: "record" },
      ],
    });
    expect(
      outcome.kind === "items" &&
        outcome.items.slice(0, 2).map((item) => "record" in item && item.record.locations.length),
    ).toEqual([1, 1]);
  });

  it("has no quantity if a third record repeats one of two different ones", async () => {
    const location = { location_area: "STORE", state: "AVAILABLE", quantity: "5" };
    const item = { ...three[0], inventory_locations: [location, { ...location, quantity: 6 }, location] };
    expect(await briefs(answer([item]), { ...query, values: [gtin(11)] })).toEqual([null]);
  });

  it.each([["4321"], [4321], ["x"], [""], [{}]])("for store %j is unreadable", async (store) => {
    const outcome = await read(answer(three, store));
    expect(outcome).toMatchObject({ kind: "unreadable", error: { code: "bad-answer" } });
  });

  it.each([[1234], ["1234"], ["001234"], [null], [undefined]])("for store %j is accepted", async (store) => {
    expect(await briefs(answer(three, store))).toEqual([1, 2, 3]);
  });

  it.each([
    [[]],
    [null],
    [{ items: {} }],
    [{ store_nbr: 1234 }],
    [{ store_nbr: {}, items: [] }],
    [{ store_nbr: 12.5, items: [] }],
    ["items"],
    [5],
  ])("of another shape (%j) is unreadable", async (body) => {
    expect(await read(body)).toMatchObject({ kind: "unreadable", error: { code: "bad-answer" } });
  });

  it.each([
    ["truncated", JSON.stringify(answer(three)).slice(0, -20)],
    ["empty", ""],
  ])("%s is unreadable", async (_title, text) => {
    const outcome = await readSearchResponse(new Response(text), query, limit);
    expect(outcome).toMatchObject({ kind: "unreadable", error: { code: "bad-answer" } });
  });

  it("over the size limit is unreadable", async () => {
    const outcome = await readSearchResponse(json(answer(three)), query, { maxBytes: 50, secrets: [] });
    expect(outcome).toMatchObject({ kind: "unreadable", error: { code: "too-large" } });
  });

  it("that breaks off can be requested again", async () => {
    const response = new Response(streamed([new TextEncoder().encode('{"items":[')], "breaks"));
    expect(await readSearchResponse(response, query, limit)).toMatchObject({
      kind: "unavailable",
      error: { code: "unreachable" },
    });
  });
});

describe("responses of any size and order", () => {
  it.each([0, 1, 99, 100])("give each of %i items its own outcome", async (size) => {
    const values = Array.from({ length: size }, (_, index) => gtin(1000 + index));
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(values),
        fc.constantFrom("text", "number", "bare"),
        async (answered, spelling) => {
          const items = answered.map((value) => ({
            ...successItem(value, Number(value)),
            gtin: spelling === "text" ? value : spelling === "number" ? Number(value) : String(Number(value)),
          }));
          const expected = values.map((value) =>
            answered.includes(value) ? Number(value) : "missing-answer",
          );
          expect(await briefs(answer(items), { ...query, values })).toEqual(expected);
        },
      ),
      { numRuns: 25 },
    );
  });

  it("have an outcome for every item, for any JSON", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.json(),
        fc.constantFrom(200, 400, 401, 403, 404, 429, 500),
        async (text, status) => {
          const outcome = await readSearchResponse(new Response(text, { status }), query, limit);
          if (outcome.kind === "items") expect(outcome.items).toHaveLength(3);
          else expect(outcome.kind).not.toBe("");
        },
      ),
    );
  });
});
