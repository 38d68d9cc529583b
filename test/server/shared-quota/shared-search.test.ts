/**
 * One answer for everybody who asks the same, and the rules that keep answers correct. Each rule is tested against a
 * caller that would break it.
 */
import { fc } from "../../helpers/properties";
import type { RelayedAnswer } from "../../../src/server/answer";
import { acmeRecords, ask, type Bed, createBed, gtin, json, okAnswer, record, recordsOf } from "./bed";

/** The version of the first record. */
function versionOf(answer: RelayedAnswer | null): number {
  const [first] = recordsOf(answer) as readonly { inventory_locations: { quantity: number }[] }[];
  return Math.floor(first?.inventory_locations[0]?.quantity ?? NaN);
}

describe("a search shared by a company", () => {
  let bed: Bed;
  beforeEach(() => {
    bed = createBed();
  });

  it("sends one call when forty people ask the same at once", async () => {
    const answers = Array.from({ length: 40 }, (_, person) =>
      bed.search(ask({ person: `person-${person}` })),
    );
    await bed.clock.advance(80);
    expect(bed.sent).toHaveLength(1);
    for (const answer of await Promise.all(answers)) {
      expect(recordsOf(answer)).toEqual(acmeRecords(1, 2));
    }
  });

  it("returns each record as the service sent it, in the caller's order, with its age", async () => {
    await bed.clock.until(bed.search(ask()));
    await bed.clock.advance(5_000);
    const answer = await bed.clock.until(bed.search(ask({ values: [gtin(3), gtin(2), gtin(1)] })));
    expect(bed.sent[1]?.values).toEqual([gtin(3)]);
    expect(recordsOf(answer)).toEqual(acmeRecords(3, 2, 1));
    // Ages count from when the answer was fetched: 5 s and one latency ago.
    expect(answer?.headers["inv-ages"]).toBe("0,5080,5080");
    expect(bed.shared).toBe(2);
  });

  it("returns the age of each record since its own call, although it waits for a colleague's slower one", async () => {
    bed.latencyMs = 2_080;
    const slow = bed.search(ask({ values: [gtin(1)] }));
    await bed.clock.turns();
    bed.latencyMs = 80;
    const both = bed.search(ask({ values: [gtin(1), gtin(2)], person: "person-2" }));
    await bed.clock.until(slow);
    expect((await bed.clock.until(both))?.headers["inv-ages"]).toBe("0,2000");
  });

  it.each([0, 2, 15])(
    "distinguishes items that the caller paid for from those that others brought, with turns that take %i ms",
    async (turnMs) => {
      const slow = createBed({ turnMs });
      await slow.clock.until(slow.search(ask()));
      const half = await slow.clock.until(slow.search(ask({ values: [gtin(3), gtin(1)] })));
      expect(half?.headers).not.toHaveProperty("inv-cached");
      const joining = [ask({ values: [gtin(7)] }), ask({ values: [gtin(7), gtin(3)] })].map(slow.search);
      const [, joined] = await slow.clock.until(Promise.all(joining));
      expect(joined?.headers["inv-cached"]).toBe("1");
      expect(slow.sent).toHaveLength(3);
    },
  );

  it("returns an answer to the caller's whole call byte for byte", async () => {
    bed.script(() =>
      json(
        200,
        `{"store_nbr":1234,"items":[${record("acme", 1234, gtin(2))},${record("acme", 1234, gtin(1))}]}  `,
      ),
    );
    const answer = await bed.clock.until(bed.search(ask()));
    expect(answer?.body.toString()).toMatch(/^\{"store_nbr":1234,"items":\[.*\] *\} {2}$/);
    expect(answer?.headers).not.toHaveProperty("inv-ages");
    // Both items are still cached, each under its own key.
    const later = await bed.clock.until(bed.search(ask()));
    expect(recordsOf(later)).toEqual(acmeRecords(1, 2));
    expect(bed.sent).toHaveLength(1);
  });

  it("distinguishes environment, address, consumer, store, item type and item", async () => {
    await bed.clock.until(bed.search(ask()));
    const answers = await Promise.all(
      [
        ask({ consumerId: "bolt" }),
        { ...ask(), environment: "sandbox" },
        ask({ store: 1235 }),
        ask({ values: [gtin(3)] }),
        ask({ address: "https://another.example/search-items" }),
        ask({
          body: '{"item_type":"wm_item_number","store_nbr":1234,"item_type_values":["00000000000001"]}',
        }),
      ].map((call) => bed.clock.until(bed.search(call))),
    );
    expect(bed.sent).toHaveLength(7);
    expect(answers[0]?.body.toString()).toContain('"supplier_name":"bolt"');
    expect(answers[0]?.body.toString()).not.toContain("acme");
  });

  describe("how old an answer may be", () => {
    it("is the caller's choice, counted from when the record was requested", async () => {
      await bed.clock.until(bed.search(ask()));
      await bed.clock.advance(29_920);
      await bed.clock.until(bed.search(ask({ maxAgeMs: 30_000 })));
      expect(bed.sent).toHaveLength(1);
      await bed.clock.advance(1);
      await bed.clock.until(bed.search(ask({ maxAgeMs: 30_000 })));
      expect(bed.sent).toHaveLength(2);
    });

    it("0 always reaches the service, even while an equal call is in flight, and others get the newer answer", async () => {
      const first = bed.search(ask());
      await bed.clock.advance(40);
      bed.version = 1;
      const exact = bed.search(ask({ maxAgeMs: 0 }));
      await bed.clock.advance(1_000);
      expect(versionOf(await first)).toBe(0);
      expect(versionOf(await exact)).toBe(1);
      expect(versionOf(await bed.search(ask()))).toBe(1);
      expect(bed.sent).toHaveLength(2);
    });

    it("nobody waits for a call that was sent too long ago", async () => {
      bed.latencyMs = 10_000;
      const slow = bed.search(ask());
      await bed.clock.advance(5_000);
      const strict = bed.search(ask({ maxAgeMs: 4_000 }));
      const bearing = bed.search(ask({ maxAgeMs: 6_000 }));
      await bed.clock.advance(10_000);
      expect(bed.sent).toHaveLength(2);
      expect((await Promise.all([slow, strict, bearing])).map((answer) => answer?.status)).toEqual([
        200, 200, 200,
      ]);
    });

    it("an older answer that arrives late doesn't replace a newer one", async () => {
      bed.latencyMs = 500;
      const early = bed.search(ask());
      await bed.clock.advance(10);
      bed.latencyMs = 50;
      bed.version = 1;
      await bed.clock.until(bed.search(ask({ maxAgeMs: 0 })));
      await bed.clock.advance(1_000);
      expect(versionOf(await early)).toBe(0);
      expect(versionOf(await bed.search(ask()))).toBe(1);
    });
  });

  describe("a caller who leaves", () => {
    it("doesn't end the call for others who wait", async () => {
      const leaver = new AbortController();
      const first = bed.search(ask({ signal: leaver.signal }));
      const second = bed.search(ask({ person: "person-2" }));
      await bed.clock.advance(40);
      leaver.abort();
      await bed.clock.advance(40);
      expect(bed.sent).toHaveLength(1);
      expect(bed.sent[0]?.signal.aborted).toBe(false);
      expect((await second)?.status).toBe(200);
      await first;
    });

    it("at the moment of the answer doesn't take it from a caller who asks before it is cached", async () => {
      const leaver = new AbortController();
      await bed.clock.until(bed.search(ask({ signal: leaver.signal })));
      leaver.abort();
      const next = await bed.clock.until(bed.search(ask({ person: "person-2" })));
      expect([next?.status, bed.sent.length]).toEqual([200, 1]);
    });

    it("ends the call if nobody else waits, and the next caller sends another", async () => {
      const leavers = [new AbortController(), new AbortController()];
      const left = leavers.map(({ signal }) => bed.search(ask({ signal })));
      await bed.clock.advance(40);
      for (const leaver of leavers) leaver.abort();
      expect(bed.sent[0]?.signal.aborted).toBe(true);
      const next = bed.search(ask());
      await bed.clock.advance(200);
      expect(bed.sent).toHaveLength(2);
      expect((await next)?.status).toBe(200);
      await Promise.all(left);
    });
  });

  it("caches the records that arrived when another part of the call failed", async () => {
    bed.script(({ values }) => (values.includes(gtin(2)) ? json(500, "{}") : undefined));
    const colleague = bed.search(ask({ values: [gtin(2)] }));
    const both = bed.search(ask());
    await bed.clock.advance(100);
    expect([(await colleague)?.status, (await both)?.status]).toEqual([500, 500]);
    bed.script(() => undefined);
    await bed.clock.until(bed.search(ask()));
    expect(bed.sent.map(({ values }) => values)).toEqual([[gtin(2)], [gtin(1)], [gtin(2)]]);
  });

  it.each([
    ["a value twice", { item_type: "gtin", store_nbr: 1234, item_type_values: [gtin(1), gtin(1)] }],
    [
      "101 values",
      {
        item_type: "gtin",
        store_nbr: 1234,
        item_type_values: Array.from({ length: 101 }, (_, n) => gtin(n)),
      },
    ],
    ["no values", { item_type: "gtin", store_nbr: 1234, item_type_values: [] }],
    ["a store as text", { item_type: "gtin", store_nbr: "1234", item_type_values: [gtin(1)] }],
    ["a field of its own", { item_type: "gtin", store_nbr: 1234, item_type_values: [gtin(1)], more: 1 }],
    ["a value of letters", { item_type: "gtin", store_nbr: 1234, item_type_values: ["1\n1234\ngtin\n1"] }],
  ])("sends a call with %s unchanged, and shares nothing", async (_, body) => {
    const call = ask({ body: JSON.stringify(body) });
    await bed.clock.until(bed.search(call));
    await bed.clock.until(bed.search(call));
    expect(bed.sent.map((sent) => sent.body)).toEqual([call.body.toString(), call.body.toString()]);
  });

  it("shares no call with a repeated field, which another reader might read differently", async () => {
    const body = `{"item_type":"gtin","store_nbr":1234,"store_nbr":99,"item_type_values":["${gtin(1)}"]}`;
    bed.script(() => okAnswer("acme", 1234, [gtin(1)]));
    await bed.clock.until(bed.search(ask({ body })));
    await bed.clock.until(bed.search(ask({ values: [gtin(1)] })));
    expect(bed.sent).toHaveLength(2);
  });

  it("keeps a limited number of bytes, and drops the least recently used stores first", async () => {
    bed = createBed({ maxBytes: 20_000 });
    const askStore = (store: number) => bed.clock.until(bed.search(ask({ store })));
    for (let store = 1; store <= 50; store += 1) {
      await askStore(1_000 + store);
      await askStore(1_001);
    }
    expect(bed.sent).toHaveLength(50);
    await askStore(1_050);
    expect(bed.sent).toHaveLength(50);
    await askStore(1_002);
    expect(bed.sent).toHaveLength(51);
  });

  describe("when a colleague's call waits for the quota", () => {
    /** A person's calls use up their share, so that their call for `ask()` waits and then is rejected. */
    const useShare = async () => {
      bed = createBed({ limit: 60 });
      await bed.clock.until(bed.search(ask({ person: "person-2", store: 2_000 })));
      for (let store = 2_001; store <= 2_060; store += 1) {
        void bed.search(ask({ person: "busy", store }));
        await bed.clock.advance(5);
      }
      return { waiting: bed.search(ask({ person: "busy" })), before: bed.sent.length };
    };

    it("asks by itself once that person's call is rejected", async () => {
      const { waiting, before } = await useShare();
      const joined = ["person-2", "person-3"].map((person) => bed.search(ask({ person })));
      expect((await bed.clock.until(waiting))?.status).toBe(429);
      for (const answer of await bed.clock.until(Promise.all(joined))) expect(answer?.status).toBe(200);
      expect(bed.sent.slice(before).filter(({ store }) => store === 1_234)).toMatchObject([
        { person: "person-2" },
      ]);
    });

    it("sends an edit at once", async () => {
      const { waiting, before } = await useShare();
      const startedAtMs = bed.clock.now();
      await bed.clock.until(bed.search(ask({ person: "person-2", isEdit: true })));
      expect(bed.clock.now() - startedAtMs).toBeLessThan(200);
      await bed.clock.until(waiting);
      expect(bed.sent[before]).toMatchObject({ person: "person-2" });
    });
  });

  it("gives a colleague the same meaning as the first caller, whatever else the service adds to the answer", async () => {
    const names = fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "note", "\u2028"));
    const more = fc.dictionary(names, fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(more, more, async (inRecord, inAnswer) => {
        bed = createBed();
        const item = { ...inRecord, ...(acmeRecords(1)[0] as object) };
        const sent = JSON.stringify({ ...inAnswer, store_nbr: 1234, items: [item] });
        bed.script(() => json(200, sent));
        const call = ask({ values: [gtin(1)] });
        const [first, shared] = [
          await bed.clock.until(bed.search(call)),
          await bed.clock.until(bed.search(call)),
        ];
        expect([first?.body.toString(), bed.sent.length]).toEqual([sent, 1]);
        expect(JSON.parse(shared!.body.toString())).toEqual(JSON.parse(sent));
      }),
      { numRuns: 100 },
    );
  });

  it("asks the service while the store of answers is away, and gives its answer to everybody who waits", async () => {
    bed = createBed({
      known: {
        find: () => Promise.resolve(null),
        keep: () => Promise.resolve(),
        release: () => Promise.resolve(),
      },
    });
    const answers = [ask(), ask({ person: "person-2" }), ask({ values: [gtin(2), gtin(3)] })].map(bed.search);
    for (const answer of await bed.clock.until(Promise.all(answers))) expect(answer?.status).toBe(200);
    expect(bed.sent.map(({ values }) => values)).toEqual([[gtin(1), gtin(2)], [gtin(3)]]);
    const later = await bed.clock.until(bed.search(ask()));
    expect([later?.status, recordsOf(later), bed.sent.length]).toEqual([200, acmeRecords(1, 2), 3]);
  });
});
