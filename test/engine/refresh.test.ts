/** A refresh brings new values or keeps the old ones; it never destroys. */
import type { Work } from "../../src/engine/types";
import { gateway, problem, quantityOf, record } from "../helpers/scripted-service";
import {
  codeOfError,
  askAll,
  createBed,
  filled,
  history,
  item,
  noQuota,
  sheet,
  typesIn,
  versions,
  ask,
} from "./bed";

const nothing: Work = { items: [], histories: [] };

describe("a refresh", () => {
  it("costs exactly its price, including its first call, for any bursts of cells", async () => {
    const bed = await filled();
    const price = bed.engine.price(bed.work);
    expect(price.searchCalls).toBe(6);
    await bed.clock.until(bed.engine.refresh(bed.work));
    await bed.clock.turns();
    const [first = 0, second = 0] = bed.service
      .of("search")
      .slice(-6)
      .map(({ sentAtMs }) => sentAtMs);
    expect(second - first).toBe(80);
    for (let at = 0; at < bed.work.items.length; at += 7) {
      bed.clock.setTimeout(() => void askAll(bed, bed.work.items.slice(at, at + 7)), at);
    }
    await bed.clock.runAll();
    expect(bed.calls()).toBe(6);
    expect(versions(bed, bed.work).every((version) => version === 1)).toBe(true);
  });

  it.each([1, 99, 100, 101, 450])(
    "brings new values to all %i cells, including those of its first call",
    async (count) => {
      const bed = await filled(sheet(1, count));
      await bed.clock.until(bed.engine.refresh(bed.work));
      const ended = await ask(bed, bed.work.items);
      expect(ended.map((end) => end?.quantity)).toEqual(
        bed.work.items.map(({ storeNumber, value }) => quantityOf(storeNumber, value) + 1),
      );
    },
  );

  it("starts with its own first call after a refresh that was cancelled before it was sent", async () => {
    const bed = createBed(noQuota);
    const work: Work = { items: sheet(1, 5), histories: [] };
    const cancelled = bed.engine.refresh(work).catch(codeOfError);
    bed.engine.cancel();
    await bed.clock.until(bed.engine.refresh(work));
    expect(await cancelled).toBe("cancelled");
    expect(bed.service.of("search")).toHaveLength(1);
  });

  it("can be cancelled before its first answer, and then nothing has changed", async () => {
    const bed = await filled();
    bed.service.script(() => "hang");
    const ended = bed.engine.refresh(bed.work).then(() => "done", codeOfError);
    await bed.clock.advance(500);
    bed.engine.cancel();
    await bed.clock.advance(100);
    expect(await ended).toBe("cancelled");
    expect(bed.work.items.every((query) => bed.engine.isFresh(query))).toBe(true);
  });

  it("without known queries checks the service with one harmless call", async () => {
    const bed = createBed(noQuota);
    await bed.clock.until(bed.engine.refresh(nothing));
    expect(bed.service.of("search")).toHaveLength(1);
    bed.service.script(() => problem(500, "down"));
    await expect(bed.clock.until(bed.engine.refresh(nothing))).rejects.toMatchObject({
      code: "service-down",
    });
  });

  it.each([
    ["leaves out", () => []],
    ["contains in a form that can't be read", (broken: object) => [{ ...broken, data_retrieval_status: 7 }]],
  ])("isn't stopped by its first item, alone at its store, which the answer %s", async (_, itemsOf) => {
    const [first, ...others] = [item(9, 1), ...sheet(3, 5)];
    const bed = await filled([first, ...others]);
    bed.service.script((call) => {
      if (call.store !== first.storeNumber) return undefined;
      return Response.json({ store_nbr: call.store, items: itemsOf(record(call, first.value)) });
    });
    await bed.clock.until(bed.engine.refresh(bed.work));
    await bed.clock.runAll();
    expect(versions(bed, bed.work)).toEqual([0, ...others.map(() => 1)]);
  });

  it("of only histories starts with one of them, and requests each once", async () => {
    const bed = createBed(noQuota);
    const histories = [history(1, { eventType: "LR" }), history(1), history(2)];
    for (const query of histories) await bed.clock.until(bed.engine.history(query));
    const before = bed.service.of("events").length;
    expect(bed.engine.price({ items: [], histories }).eventCallsAtLeast).toBe(2);
    await bed.clock.until(bed.engine.refresh({ items: [], histories }));
    const answers = bed.clock.until(Promise.all(histories.map((query) => bed.engine.history(query))));
    expect(typesIn((await answers)[0] ?? { found: true, value: [], fetchedAtMs: 0 })).toEqual(["LR"]);
    expect(bed.service.of("events").length - before).toBe(2);
    expect(bed.service.of("search")).toHaveLength(0);
  });

  it("of items and histories brings new histories while the lookup is refused", async () => {
    const bed = await filled(sheet(1, 3));
    const work: Work = { ...bed.work, histories: [history(1)] };
    await bed.clock.until(bed.engine.history(history(1)));
    bed.service.script(({ operation }) => (operation === "search" ? problem(403, "closed") : undefined));
    await bed.clock.until(bed.engine.refresh(work).catch(codeOfError));
    const before = bed.service.of("events").length;
    await bed.clock.until(bed.engine.refresh(work));
    const [end] = await ask(bed, bed.work.items.slice(0, 1));
    expect(end).toMatchObject({ rejected: null, stale: { code: "not-subscribed" } });
    expect(bed.service.of("events").length - before).toBe(1);
    expect(bed.engine.isFresh(history(1))).toBe(true);
  });

  it("answers cells from the cache while its first call is in flight", async () => {
    const bed = await filled(sheet(1, 3));
    const refresh = bed.engine.refresh(bed.work);
    await bed.clock.advance(10);
    const meanwhile = askAll(bed, bed.work.items);
    await bed.clock.turns();
    expect(meanwhile.map((end) => end?.quantity)).toEqual(
      bed.work.items.map((query) => quantityOf(1_000, query.value)),
    );
    await bed.clock.until(refresh);
    expect(bed.calls()).toBe(1);
    expect(bed.engine.cachedItem(item(0, 1))).toMatchObject({ found: true });
  });
});

it("starts with a history that was readable", async () => {
  const bed = createBed(noQuota);
  bed.service.script((call) =>
    call.operation === "events" && call.url.searchParams.get("gtin") === history(1).gtin
      ? new Response("{")
      : undefined,
  );
  const histories = [history(1), history(2)];
  await bed.clock.until(Promise.all(histories.map((query) => bed.engine.history(query).catch(codeOfError))));
  await bed.clock.until(bed.engine.refresh({ items: [], histories }));
  expect(bed.service.of("events")[2]?.url.searchParams.get("gtin")).toBe(history(2).gtin);
  await expect(bed.clock.until(bed.engine.refresh({ items: [], histories: [history(1)] }))).rejects.toThrow();
});

describe("a refresh that starts before the first call of another is sent", () => {
  it("shares that call", async () => {
    const bed = await filled(sheet(2, 1));
    // The token has expired, so no first call leaves before there is a new one.
    await bed.clock.advance(16 * 60_000);
    await bed.clock.until(Promise.all([bed.engine.refresh(bed.work), bed.engine.refresh(bed.work)]));
    await bed.clock.runAll();
    expect(bed.calls()).toBe(2);
    expect(versions(bed, bed.work)).toEqual([1, 1]);
  });

  it("ends with the reason of that call", async () => {
    const bed = await filled(sheet(2, 1));
    await bed.clock.advance(16 * 60_000);
    bed.service.script(({ operation }) =>
      operation === "search" ? gateway(403, "not subscribed") : undefined,
    );
    const both = bed.work.items.map((query) =>
      bed.engine.refresh({ items: [query], histories: [] }).then(() => "resolved", codeOfError),
    );
    expect(await bed.clock.until(Promise.all(both))).toEqual(["not-subscribed", "not-subscribed"]);
    expect(bed.calls()).toBe(1);
    expect(versions(bed, bed.work)).toEqual([0, 0]);
  });
});
