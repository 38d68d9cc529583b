import { gateway } from "../helpers/scripted-service";
import { codeOfError, filled, sheet, versions } from "./bed";

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
