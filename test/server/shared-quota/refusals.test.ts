/** A refusal or an invalid answer reaches only the caller that it concerns. A failure reaches everybody who waited. */
import { createKnownAnswers } from "../../../src/server/shared-quota/known-answers";
import { ask, type Bed, createBed, gtin, json, okAnswer } from "./bed";

describe("refusals and failures of a shared search", () => {
  let bed: Bed;
  beforeEach(() => {
    bed = createBed();
  });

  describe("an answer that others must not get", () => {
    const broken = okAnswer("acme", 1234, [gtin(1), gtin(2)]).body.toString();
    const deep = "[".repeat(50_000) + "]".repeat(50_000);
    const other = (from: string | RegExp, to: string) => json(200, broken.replace(from, to));

    it.each([
      ["400", json(400, '{"type":"x","errors":[{"property":"/item_type_values[0]/1"}]}')],
      ["401", json(401, '{"details":{}}')],
      ["403", json(403, '{"details":{}}')],
      ["404", json(404, '{"detail":"No data found"}')],
      ["a redirect", json(302, "")],
      ["a truncated 200", json(200, broken.slice(0, -9))],
      ["a web page with 200", json(200, "<html>sign in</html>")],
      ["an item too few", okAnswer("acme", 1234, [gtin(1)])],
      ["an item too many", okAnswer("acme", 1234, [gtin(1), gtin(2), gtin(3)])],
      ["an item twice", okAnswer("acme", 1234, [gtin(1), gtin(1)])],
      ["another item", okAnswer("acme", 1234, [gtin(1), gtin(9)])],
      ["another store", okAnswer("acme", 4321, [gtin(1), gtin(2)])],
      ["no store", other('"store_nbr":1234,', "")],
      ["an empty list of items behind the other", other(/}$/, ',"items":[]}')],
      [
        "a record that cannot be read",
        other('"data_retrieval_status":"SUCCESS"', '"data_retrieval_status":"MAYBE"'),
      ],
      ["a record of 50,000 levels", other('"cid_level_inventories":[]', `"cid_level_inventories":${deep}`)],
      ["50,000 levels beside the records", other('"store_nbr"', `"note":${deep},"store_nbr"`)],
    ])(
      "%s reaches only its own caller; the others send their calls themselves, unchanged",
      async (_, bad) => {
        let calls = 0;
        bed.script(() => ((calls += 1) === 1 ? bad : undefined));
        const first = bed.search(ask());
        const call = ask({ person: "person-2", values: [gtin(2), gtin(1)] });
        const second = bed.search(call);
        await bed.clock.advance(1_000);
        expect(await first).toEqual(bad);
        expect((await second)?.status).toBe(200);
        expect(bed.sent[1]).toMatchObject({ body: call.body.toString(), person: "person-2" });
        // Nothing from the answer was cached.
        await bed.clock.until(bed.search(ask()));
        expect(bed.sent).toHaveLength(3);
      },
    );

    it("an answer that can't be cached reaches its callers; the next one asks again", async () => {
      const clock = { now: () => 0 };
      const keep = () => Promise.reject(new Error("an error of INV's own"));
      bed = createBed({ known: { ...createKnownAnswers({ clock, maxBytes: 1_000_000 }), keep } });
      for (const person of ["person-1", "person-2"]) {
        expect((await bed.clock.until(bed.search(ask({ person }))))?.status).toBe(200);
        await bed.clock.advance(1_000);
      }
      expect(bed.sent).toHaveLength(2);
    });

    it("a refused partial call reaches nobody: the whole call is sent, and its answer goes to its caller", async () => {
      await bed.clock.until(bed.search(ask({ values: [gtin(1)] })));
      bed.script(({ values }) =>
        values.includes(gtin(2))
          ? json(400, `{"errors":[{"property":"/item_type_values[${values.indexOf(gtin(2))}]/"}]}`)
          : undefined,
      );
      const answer = await bed.clock.until(bed.search(ask()));
      expect(bed.sent.map(({ values }) => values.length)).toEqual([1, 1, 2]);
      // The position in the error refers to the caller's own call.
      expect(answer?.body.toString()).toContain("/item_type_values[1]/");
    });

    it("a refused token isn't sent again", async () => {
      await bed.clock.until(bed.search(ask({ values: [gtin(1)] })));
      bed.script(() => json(401, '{"details":{}}'));
      const answer = await bed.clock.until(bed.search(ask()));
      expect([answer?.status, bed.sent.length]).toEqual([401, 2]);
    });
  });

  it("a 429 stops all calls for the time it names", async () => {
    bed.script(() => json(429, "slow down", { "retry-after": "7" }));
    await bed.clock.until(bed.search(ask()));
    bed.script(() => undefined);
    const next = await bed.clock.until(bed.search(ask({ person: "person-2", values: [gtin(3)] })));
    expect([next?.status, next?.headers["inv-refusal"], bed.sent.length]).toEqual([429, "quota", 1]);
    await bed.clock.advance(8_000);
    expect((await bed.clock.until(bed.search(ask())))?.status).toBe(200);
  });

  it.each([
    ["429", json(429, "slow down", { "retry-after": "7" })],
    ["500", json(500, '{"detail":"down"}')],
    ["a timeout", json(504, "{}")],
  ])("%s reaches everybody who waited, and the call isn't repeated for each", async (_, failure) => {
    bed.script(() => failure);
    const answers = Array.from({ length: 40 }, () => bed.search(ask()));
    await bed.clock.advance(1_000);
    expect(bed.sent).toHaveLength(1);
    for (const answer of await Promise.all(answers)) expect(answer).toEqual(failure);
  });
});
