/** Refreshes beside others, and one that is too big for a turn. */
import type { ItemQuery } from "../../src/domain/records";
import { gateway } from "../helpers/scripted-service";
import { askAll, type Bed, codeOfError, filled, item, sheet, versions } from "./bed";

describe("a refresh that begins before another's first call has left", () => {
  it("shares that call", async () => {
    const bed = await filled(sheet(2, 1));
    // The token has ended, so no first call leaves before there is another.
    await bed.clock.advance(16 * 60_000);
    await bed.clock.until(Promise.all([bed.engine.refresh(bed.work), bed.engine.refresh(bed.work)]));
    await bed.clock.runAll();
    expect(bed.calls()).toBe(2);
    expect(versions(bed, bed.work)).toEqual([1, 1]);
  });

  it("ends with the reason of that call, too", async () => {
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

describe("a refresh that is queued in several turns", () => {
  /** Acts after the turn in which its first call was answered, with most of it not queued yet. */
  async function queuedInTurns(act: (bed: Bed) => void) {
    const bed = await filled(sheet(3, 150), { queuedPerTurn: 100 });
    const first = item(0, 999);
    const work = { items: [first, ...bed.work.items], histories: [] };
    const ended = bed.engine.refresh(work).then(() => "resolved", codeOfError);
    let left = 0;
    void bed.engine.item(first).then(() => {
      left = work.items.filter((query) => bed.engine.isFresh(query)).length;
      act(bed);
    });
    const outcome = await bed.clock.until(ended);
    await bed.clock.runAll();
    expect(left).toBeGreaterThan(300);
    expect(left).toBeLessThan(450);
    return { ...bed, work, outcome };
  }

  it("costs its price: full calls leave meanwhile, those that it fills in part at its end", async () => {
    const bed = await queuedInTurns(() => undefined);
    expect(bed.outcome).toBe("resolved");
    expect(bed.calls()).toBe(6);
    expect(versions(bed, bed.work).every((version) => version === 1)).toBe(true);
  });

  it("lets an edit go before the rest of it", async () => {
    const bed = await queuedInTurns((its) => void askAll(its, [item(9, 9)]));
    const stores = bed.service.of("search").map(({ store }) => store);
    expect(stores.slice(-6).indexOf(1_009)).toBeLessThan(2);
  });

  it("is wanted whole when it is cancelled, and sends nothing more", async () => {
    let sent = 0;
    const bed = await queuedInTurns(({ engine, service }) => {
      sent = service.calls.length;
      engine.cancel();
    });
    expect(bed.outcome).toBe("resolved");
    expect(bed.service.calls).toHaveLength(sent);
    const isNew = (query: ItemQuery): boolean => versions(bed, { items: [query], histories: [] })[0] === 1;
    expect(bed.work.items.filter((query) => bed.engine.isFresh(query) !== isNew(query))).toEqual([]);
  });

  it("ends with a reason when another connection is chosen", async () => {
    const bed = await queuedInTurns(({ engine }) => engine.connect(null));
    expect(bed.outcome).toBe("cancelled");
  });
});
