/** Offline: nothing is sent, nothing waits, every cached value stays, and going online continues. */
import { askAll, codeOfError, createBed, history, item, noQuota, sheet, ask } from "./bed";

const offline = { offline: true };

test("ends waiting and new requests at once while offline, and sends no call", async () => {
  const bed = createBed(noQuota);
  const waiting = askAll(bed, sheet(3, 50));
  bed.engine.configure(offline);
  await bed.clock.advance(100);
  expect(waiting.every((end) => codeOfError(end?.rejected) === "offline")).toBe(true);
  const sent = bed.service.calls.length;
  const asked = askAll(bed, sheet(2, 20));
  const histories = bed.engine.history(history(1)).catch((error: unknown) => error);
  await bed.clock.runAll();
  expect(asked.every((end) => codeOfError(end?.rejected) === "offline")).toBe(true);
  expect(await histories).toMatchObject({ code: "offline" });
  await expect(
    bed.clock.until(bed.engine.refresh({ items: sheet(1, 1), histories: [] })),
  ).rejects.toMatchObject({
    code: "offline",
  });
  expect(bed.service.calls.length).toBe(sent);
  expect(bed.engine.progress()).toMatchObject({ busy: false, faults: [] });
});

test.each(["last-known", "error"] as const)(
  "shows last known values as stale while offline, even if the setting prefers errors (%s)",
  async (whenUnanswered) => {
    const bed = createBed({ ...noQuota, settings: { whenUnanswered } });
    const before = await ask(bed, [item(1, 1)]);
    bed.engine.configure({ freshnessMs: 60_000, ...offline });
    await bed.clock.advance(61_000);
    const ended = await ask(bed, [item(1, 1)]);
    expect(before[0]?.quantity).toEqual(expect.any(Number));
    expect(ended[0]?.quantity).toBe(before[0]?.quantity);
    expect(codeOfError(ended[0]?.stale)).toBe("offline");
  },
);
