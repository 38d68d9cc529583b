/** A refresh brings new values or keeps the old ones; it never destroys. */
import type { Outcome } from "../../src/engine/types";
import { problem, quantityOf } from "../helpers/scripted-service";
import { ask, askAll, codeOfError, createBed, filled, history, item, noQuota, sheet, versions } from "./bed";

describe("a refresh", () => {
  it.each([1, 99, 100, 101, 450])("brings new values to all %i items, for its price", async (count) => {
    const bed = await filled(sheet(1, count));
    const price = bed.engine.price(bed.work);
    const settled: string[] = [];
    await bed.clock.until(
      bed.engine.refresh(bed.work, { settled: (query) => settled.push(JSON.stringify(query)) }),
    );
    expect(bed.calls()).toBe(price.searchCalls);
    expect(new Set(settled).size).toBe(settled.length);
    expect(settled).toHaveLength(count);
    const ended = await ask(bed, bed.work.items);
    expect(ended.map((end) => end?.quantity)).toEqual(
      bed.work.items.map(({ storeNumber, value }) => quantityOf(storeNumber, value) + 1),
    );
    expect(bed.calls()).toBe(price.searchCalls);
  });

  it("takes answers that are as young as it accepts, and asks for the others", async () => {
    const bed = await filled(sheet(1, 10));
    await bed.clock.advance(30_000);
    const calls = bed.calls();
    const settled: unknown[] = [];
    const take = (_query: unknown, outcome: unknown) => settled.push(outcome);
    await bed.clock.until(bed.engine.refresh(bed.work, { ageMs: 60_000, settled: take }));
    expect(bed.calls()).toBe(calls);
    expect(settled).toHaveLength(10);
    await bed.clock.advance(31_000);
    await bed.clock.until(bed.engine.refresh(bed.work, { ageMs: 60_000, settled: take }));
    expect(bed.calls()).toBe(calls + 1);
  });

  it("without queries sends nothing", async () => {
    const bed = createBed(noQuota);
    await bed.clock.until(bed.engine.refresh({ items: [], histories: [] }));
    expect(bed.service.calls).toEqual([]);
  });

  it("settles every query when it is cancelled, and then nothing has changed", async () => {
    const bed = await filled();
    bed.service.script(() => "hang");
    const outcomes: Outcome<unknown>[] = [];
    const ended = bed.engine
      .refresh(bed.work, { settled: (_query, outcome) => void outcomes.push(outcome) })
      .then(() => "done", codeOfError);
    await bed.clock.advance(500);
    bed.engine.cancel();
    await bed.clock.advance(100);
    expect(await ended).toBe("cancelled");
    expect(outcomes).toHaveLength(bed.work.items.length);
    expect(bed.work.items.every((query) => bed.engine.isFresh(query))).toBe(true);
  });

  it("brings new histories while the lookup is refused", async () => {
    const bed = await filled(sheet(1, 3));
    const work = { ...bed.work, histories: [history(1)] };
    await bed.clock.until(bed.engine.history(history(1)));
    bed.service.script(({ operation }) => (operation === "search" ? problem(403, "closed") : undefined));
    const codes: (string | undefined)[] = [];
    await bed.clock.until(
      bed.engine.refresh(work, {
        settled: (_query, outcome) =>
          codes.push("found" in outcome ? outcome.staleBecause?.code : outcome.code),
      }),
    );
    expect(codes.sort()).toEqual(["not-subscribed", "not-subscribed", "not-subscribed", undefined]);
    expect(bed.engine.hasNewAnswer(history(1))).toBe(true);
    expect(bed.work.items.some((query) => bed.engine.hasNewAnswer(query))).toBe(false);
  });

  it("answers other cells from the cache meanwhile", async () => {
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
  });

  it("that starts while another waits shares its calls", async () => {
    const bed = await filled(sheet(2, 1));
    await bed.clock.until(Promise.all([bed.engine.refresh(bed.work), bed.engine.refresh(bed.work)]));
    expect(bed.calls()).toBe(2);
    expect(versions(bed, bed.work)).toEqual([1, 1]);
  });
});

describe("a request of a marked cell", () => {
  const cell = "Plan!A1";
  const marked = { isMarked: (address: string) => address === cell };

  it("takes the refresh's answer, even when that is older than the freshness time", async () => {
    const bed = await filled(sheet(1, 1));
    await bed.clock.until(bed.engine.refresh(bed.work, marked));
    await bed.clock.advance(20 * 60_000);
    const [query] = bed.work.items;
    await bed.clock.until(bed.engine.item(query!, cell));
    expect(bed.calls()).toBe(1);
    await bed.clock.until(bed.engine.item(query!, "Plan!A2"));
    expect(bed.calls()).toBe(2);
  });

  it("wants an answer of the refresh for a query that the work doesn't contain, in the last stage", async () => {
    const bed = await filled(sheet(1, 2));
    const [first, second] = bed.work.items;
    let isLastStage = false;
    const options = { ...marked, isLastStage: () => isLastStage };
    await bed.clock.until(bed.engine.refresh({ items: [first!], histories: [] }, options));
    await bed.clock.until(bed.engine.item(second!, cell));
    expect(bed.calls()).toBe(1);
    isLastStage = true;
    await bed.clock.until(bed.engine.item(second!, "Plan!A2"));
    expect(bed.calls()).toBe(1);
    await bed.clock.until(bed.engine.item(second!, cell));
    expect(bed.calls()).toBe(2);
  });

  it.each([
    [
      "a failed query",
      async (bed: Awaited<ReturnType<typeof filled>>) => {
        bed.service.script(() => problem(403, "closed"));
        await bed.clock.until(bed.engine.refresh(bed.work, marked).catch(codeOfError));
      },
    ],
    [
      "any query after a cancel",
      async (bed: Awaited<ReturnType<typeof filled>>) => {
        bed.engine.refresh(bed.work, marked).catch(codeOfError);
        bed.engine.cancel();
        await bed.clock.advance(1_000);
      },
    ],
  ])("sends nothing for %s, and gets the last known answer", async (_, end) => {
    const bed = await filled(sheet(1, 1));
    await end(bed);
    bed.service.script(() => undefined);
    bed.engine.tryAgain();
    const before = bed.calls();
    const answer = await bed.clock.until(bed.engine.item(bed.work.items[0]!, cell));
    expect(answer.staleBecause).toBeDefined();
    expect(bed.calls()).toBe(before);
  });

  it("counts the answers of the refresh that another continues", async () => {
    const bed = await filled([item(1, 1), item(2, 1)]);
    const [first, second] = bed.work.items;
    await bed.clock.until(bed.engine.refresh({ items: [first!], histories: [] }, marked));
    bed.service.version += 1;
    await bed.clock.until(bed.engine.refresh(bed.work, { ...marked, continues: true }));
    expect(versions(bed, bed.work)).toEqual([1, 2]);
    expect([first!, second!].every((query) => bed.engine.hasNewAnswer(query))).toBe(true);
  });
});
