/** A refresh brings new values or keeps the old ones; it never destroys. */
import type { ItemQuery } from "../../src/domain/records";
import type { Work } from "../../src/engine/types";
import { gateway, problem, quantityOf } from "../helpers/scripted-service";
import {
  codeOfError,
  askAll,
  type Bed,
  createBed,
  filled,
  history,
  item,
  noQuota,
  sheet,
  tally,
  typesIn,
  versions,
  ask,
} from "./bed";

const nothing: Work = { items: [], histories: [] };

/** Nothing is fresh any more, and the token still holds. */
async function grownOld(bed: Bed): Promise<void> {
  bed.engine.configure({ freshnessMs: 60_000 });
  await bed.clock.advance(61_000);
}

describe("a refresh", () => {
  it("costs exactly its price, its first call included, in whatever bursts the cells come back", async () => {
    const bed = await filled();
    const price = bed.engine.price(bed.work);
    expect(price.searchCalls).toBe(6);
    await bed.clock.until(bed.engine.refresh(bed.work));
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
    "is what the cells show, those of its first call too, of %i",
    async (count) => {
      const bed = await filled(sheet(1, count));
      await bed.clock.until(bed.engine.refresh(bed.work));
      const ended = await ask(bed, bed.work.items);
      expect(ended.map((end) => end?.quantity)).toEqual(
        bed.work.items.map(({ storeNumber, value }) => quantityOf(storeNumber, value) + 1),
      );
    },
  );

  it("begins with a first call of its own after one that was cancelled before it left", async () => {
    const bed = createBed(noQuota);
    const work: Work = { items: sheet(1, 5), histories: [] };
    const cancelled = bed.engine.refresh(work).catch(codeOfError);
    bed.engine.cancel();
    await bed.clock.until(bed.engine.refresh(work));
    expect(await cancelled).toBe("cancelled");
    expect(bed.service.of("search")).toHaveLength(1);
  });

  it.each([
    [
      "refused credentials",
      () => Response.json({ error: "invalid_client" }, { status: 401 }),
      "credentials-refused",
    ],
    ["a web page", () => new Response("<html>", { status: 404 }), "wrong-address"],
  ])("that meets %s says so and changes nothing", async (_, fault, code) => {
    const bed = await filled();
    await bed.clock.advance(14 * 60_000);
    bed.service.script(fault);
    bed.clock.setTimeout(() => undefined, 120_000);
    await bed.clock.advance(70_000);
    await expect(bed.clock.until(bed.engine.refresh(bed.work))).rejects.toMatchObject({ code });
    expect(versions(bed, bed.work).every((version) => version === 0)).toBe(true);
  });

  it("that fails in its middle keeps what has come, and shows the rest as last known", async () => {
    const bed = await filled();
    await bed.clock.until(bed.engine.refresh(bed.work));
    bed.service.script(() => problem(503, "down"));
    const ended = await ask(bed, bed.work.items);
    expect(tally(ended)).toEqual({ value: 450 });
    const kept = ended.filter((end) => end?.stale !== null);
    expect(kept).toHaveLength(350);

    bed.service.script(() => undefined);
    const rest = { items: bed.work.items.filter((query) => !bed.engine.isFresh(query)), histories: [] };
    const before = bed.calls();
    expect(bed.engine.price(rest).searchCalls).toBe(5);
    await bed.clock.until(bed.engine.refresh(rest));
    await bed.clock.runAll();
    expect(bed.calls() - before).toBe(5);
    expect(rest.items).toHaveLength(350);
    expect(versions(bed, bed.work).every((version) => version === 1)).toBe(true);
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

  it("cancelled in its middle keeps what has come; a refresh of the rest asks for the rest only", async () => {
    const bed = await filled(sheet(60, 1));
    await bed.clock.until(bed.engine.refresh(bed.work));
    const ended = askAll(bed, bed.work.items);
    await bed.clock.advance(170);
    const atMs = bed.clock.now();
    bed.engine.cancel();
    await bed.clock.advance(100);
    expect(ended.every((end) => end !== undefined && end.atMs <= atMs + 100)).toBe(true);
    const rest = bed.work.items.filter((_, index) => ended[index]?.stale !== null);
    expect(rest.length).toBeGreaterThan(30);
    expect(ended.filter((end) => end?.stale !== null).every((end) => end?.stale?.code === "cancelled")).toBe(
      true,
    );
    const before = bed.calls();
    await bed.clock.until(bed.engine.refresh({ items: rest, histories: [] }));
    await bed.clock.runAll();
    expect(bed.calls() - before).toBe(rest.length);
    expect(versions(bed, bed.work).every((version) => version === 1)).toBe(true);
  });

  it("is not overwritten by an older answer that comes late", async () => {
    const bed = await filled(sheet(1, 5));
    await grownOld(bed);
    bed.service.version = 1;
    bed.service.latencyMs = 10_000;
    askAll(bed, bed.work.items);
    await bed.clock.advance(6_000);
    bed.service.latencyMs = 80;
    bed.service.version = 2;
    await bed.clock.until(bed.engine.refresh(bed.work));
    expect(versions(bed, bed.work)).toEqual([2, 2, 2, 2, 2]);
    await bed.clock.runAll();
    expect(versions(bed, bed.work)).toEqual([2, 2, 2, 2, 2]);
  });

  it("is not overwritten by an older answer when a second refresh has outdated it", async () => {
    const bed = await filled(sheet(2, 1));
    const [first, other] = bed.work.items as [ItemQuery, ItemQuery];
    await grownOld(bed);
    bed.service.latencyMs = 10_000;
    askAll(bed, [first]);
    await bed.clock.advance(6_000);
    bed.service.latencyMs = 80;
    bed.service.version = 2;
    await bed.clock.until(bed.engine.refresh({ items: [first], histories: [] }));
    const again = bed.engine.refresh({ items: [other, first], histories: [] });
    bed.service.script((call) =>
      call.values.includes(first.value) && call.store === 1_000 ? "hang" : undefined,
    );
    await bed.clock.until(again);
    await bed.clock.advance(5_000);
    expect(versions(bed, { items: [first], histories: [] })).toEqual([2]);
  });

  it("that fails does not lose an answer under way before it", async () => {
    const bed = await filled(sheet(1, 1));
    await grownOld(bed);
    bed.service.latencyMs = 3_000;
    askAll(bed, bed.work.items);
    await bed.clock.advance(2_000);
    bed.service.latencyMs = 80;
    bed.service.script(() => gateway(403, "not subscribed"));
    await expect(bed.clock.until(bed.engine.refresh(bed.work))).rejects.toBeDefined();
    await bed.clock.runAll();
    expect(versions(bed, bed.work)).toEqual([1]);
    expect(bed.engine.isFresh(item(0, 1))).toBe(true);
  });

  it("does not take an answer under way for a new one", async () => {
    const bed = createBed(noQuota);
    const cells = sheet(2, 1);
    bed.service.latencyMs = 1_000;
    const early = askAll(bed, cells);
    await bed.clock.advance(1_900);
    bed.service.version = 1;
    await bed.clock.until(bed.engine.refresh({ items: cells, histories: [] }));
    const late = await ask(bed, cells);
    expect(
      early.map((end, index) => (end?.quantity ?? 0) - quantityOf(1_000 + index, cells[index]?.value ?? "")),
    ).toEqual([0, 0]);
    expect(
      late.map((end, index) => (end?.quantity ?? 0) - quantityOf(1_000 + index, cells[index]?.value ?? "")),
    ).toEqual([1, 1]);
  });

  it("of nothing known proves the connection with one harmless call", async () => {
    const bed = createBed(noQuota);
    await bed.clock.until(bed.engine.refresh(nothing));
    expect(bed.service.of("search")).toHaveLength(1);
    bed.service.script(() => problem(500, "down"));
    await expect(bed.clock.until(bed.engine.refresh(nothing))).rejects.toMatchObject({
      code: "service-down",
    });
  });

  it("of nothing can be cancelled too", async () => {
    const bed = createBed(noQuota);
    bed.service.script(() => "hang");
    const ended = bed.engine.refresh(nothing).catch(codeOfError);
    await bed.clock.advance(500);
    bed.engine.cancel();
    await bed.clock.turns();
    expect(await ended).toBe("cancelled");
  });

  it("of histories alone proves itself with one of them, and costs each once", async () => {
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

  it("is refused without a connection, and while a fault stands", async () => {
    const bed = await filled();
    bed.engine.connect(null);
    await expect(bed.engine.refresh(bed.work)).rejects.toMatchObject({ code: "not-connected" });
  });

  it("answers cells that ask while its first call is under way from what they have", async () => {
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
    expect(bed.engine.known(item(0, 1))).toMatchObject({ found: true });
  });
});

it("a refresh begins with a history that can be read, where there is one", async () => {
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
