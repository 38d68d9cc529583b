/** The quota reports the first moment at which it allows a call, whatever happened before. */
import { createQuota } from "../../src/engine/scheduler/quota";
import { createVirtualClock } from "../helpers/virtual-clock";
import { fc } from "../helpers/properties";

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("send" as const), isEdit: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("end" as const), is429: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 40_000 }) }),
  },
);

test("a quota that is closed opens when it says, no earlier and no later", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(1, 2, 3, 7, 10, 40, 100),
      fc.array(step, { maxLength: 60 }),
      fc.boolean(),
      fc.integer(),
      async (limit, steps, isEdit, seed) => {
        const clock = createVirtualClock({ seed });
        const quota = createQuota(clock, { limit, pacedBy: "page" });
        const allows = (isAhead: boolean) => quota.opensAtMs(isAhead, clock.now()) <= clock.now();
        const sentAtMs: number[] = [];
        for (const next of steps) {
          if (next.kind === "wait") await clock.advance(next.ms);
          else if (next.kind === "send" && allows(next.isEdit)) {
            quota.sent(false);
            sentAtMs.push(clock.now());
          } else if (next.kind === "end") {
            const sent = sentAtMs.shift();
            if (sent === undefined) continue;
            quota.ended(false);
            if (next.is429) quota.throttled(sent, null);
            else quota.succeeded(false);
          }
        }
        for (let left = sentAtMs.length; left > 0; left -= 1) quota.ended(false);
        const nowMs = clock.now();
        const opensAtMs = quota.opensAtMs(isEdit, nowMs);
        expect(opensAtMs).toBeLessThan(nowMs + 11 * 60_000);
        if (opensAtMs <= nowMs) return;
        await clock.advance(Math.max(0, opensAtMs - nowMs - 2));
        expect(allows(isEdit)).toBe(false);
        await clock.advance(opensAtMs - clock.now());
        expect(allows(isEdit)).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});
