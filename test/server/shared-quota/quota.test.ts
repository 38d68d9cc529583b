/** One quota for a company: calls never exceed it, people take turns, and nobody waits for ever. */
import { fc } from "../../helpers/properties";
import type { Account, WaitOutcome } from "../../../src/server/shared-quota/call";
import type { CompanyQuota } from "../../../src/server/shared-quota/quota";
import { createVirtualClock, type VirtualClock } from "../../helpers/virtual-clock";
import { openQuota } from "./bed";

const account: Account = { environment: "production", consumerId: "acme", operation: "search" };
const latencyMs = 80;

interface Bed {
  readonly clock: VirtualClock;
  readonly quota: CompanyQuota;
  /** When each call left, and whose call it was. */
  readonly left: { readonly person: string; readonly atMs: number }[];
  ask(
    person: string,
    options?: { isEdit?: boolean; signal?: AbortSignal; account?: Account },
  ): Promise<WaitOutcome>;
}

function createBed(limit: number, statusOf: () => number = () => 200): Bed {
  const clock = createVirtualClock();
  const quota = openQuota(clock, limit);
  const left: Bed["left"] = [];
  return {
    clock,
    quota,
    left,
    async ask(person, options = {}) {
      const { isEdit = false, signal = new AbortController().signal } = options;
      const entry = await quota.wait({
        account: options.account ?? account,
        asker: { person, isEdit },
        signal,
      });
      if (entry.kind === "send") {
        left.push({ person, atMs: clock.now() });
        clock.setTimeout(() => {
          const isThrottled = statusOf() === 429;
          entry.end(isThrottled ? { kind: "throttled", retryAfterMs: null } : { kind: "answered" });
        }, latencyMs);
      }
      return entry;
    },
  };
}

/** Sends `calls` calls of one person, and answers them in groups that fit the connections. */
async function use(bed: Bed, calls: number): Promise<void> {
  for (let left = calls; left > 0; left -= 20) {
    const group = Array.from({ length: Math.min(20, left) }, () => bed.ask("busy"));
    await Promise.all(group);
    await bed.clock.advance(latencyMs);
  }
}

/** Asks until it has `calls` answers. After a rejection it retries at the given time. */
async function insist(bed: Bed, person: string, calls: number): Promise<number> {
  let waiting = calls;
  const one = async (): Promise<void> => {
    while (waiting > 0) {
      waiting -= 1;
      for (let entry = await bed.ask(person); entry.kind === "rejected"; entry = await bed.ask(person)) {
        const { retryAfterMs } = entry;
        await new Promise<void>((resolve) =>
          bed.clock.setTimeout(resolve, Math.ceil(retryAfterMs / 1_000) * 1_000),
        );
      }
      await new Promise<void>((resolve) => bed.clock.setTimeout(resolve, latencyMs));
    }
  };
  await Promise.all(Array.from({ length: 6 }, one));
  return bed.clock.now();
}

describe("the company's quota", () => {
  it("has a quota for each environment, consumer and operation", async () => {
    const bed = createBed(1);
    await bed.ask("person-1");
    expect((await bed.ask("person-1")).kind).toBe("rejected");
    for (const other of [
      { environment: "sandbox" },
      { consumerId: "bolt" },
      { operation: "events" as const },
    ]) {
      expect((await bed.ask("person-1", { account: { ...account, ...other } })).kind).toBe("send");
    }
  });

  it("forgets people who no longer ask", async () => {
    const bed = createBed(600);
    const leaver = new AbortController();
    await use(bed, 580);
    await bed.clock.advance(58_000 - 29 * latencyMs);
    const left = bed.ask("person-1", { signal: leaver.signal });
    leaver.abort();
    expect((await left).kind).toBe("cancelled");
    await bed.clock.advance(120_000);
    expect(bed.left).toHaveLength(580);
  });

  it("doesn't count the call of a caller who leaves at the moment of sending", async () => {
    const bed = createBed(60);
    const leaver = new AbortController();
    const left = bed.ask("person-1", { signal: leaver.signal });
    leaver.abort();
    expect((await left).kind).toBe("cancelled");
    expect(await bed.quota.usage(account)).toEqual({ used: 0, limit: 60 });
  });

  it("takes turns: one cell doesn't wait behind a colleague's fifty thousand", async () => {
    const bed = createBed(60);
    const busy = insist(bed, "busy", 500);
    await bed.clock.advance(90_000);
    const startedAtMs = bed.clock.now();
    await bed.clock.until(insist(bed, "quiet", 1));
    const leftAtMs = bed.left.find(({ person }) => person === "quiet")?.atMs ?? Infinity;
    const nextOfBusy = bed.left.filter(({ person, atMs }) => person === "busy" && atMs >= startedAtMs);
    // The call left first after it was asked for, or within the two seconds that rounding up can add.
    expect(leftAtMs).toBeLessThanOrEqual((nextOfBusy[0]?.atMs ?? leftAtMs) + 2_000);
    await bed.clock.until(busy);
  });

  it("pauses for everybody after a 429, then sends one call to test the service", async () => {
    let status = 429;
    const bed = createBed(600, () => status);
    await bed.ask("person-1");
    await bed.clock.advance(latencyMs);
    status = 200;
    const startedAtMs = bed.clock.now();
    const both = [bed.ask("person-1"), bed.ask("person-2")];
    await bed.clock.until(Promise.all(both));
    const [first, second] = bed.left.slice(1).map(({ atMs }) => atMs - startedAtMs);
    expect(first).toBeGreaterThanOrEqual(250);
    expect(first).toBeLessThanOrEqual(500);
    expect(second).toBe((first ?? NaN) + latencyMs);
  });

  it("sends every call in the end, for any quota, order and 429s", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 100 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 }),
        fc.array(fc.constantFrom(200, 200, 200, 429), { maxLength: 30 }),
        async (limit, people, statuses) => {
          const left = [...statuses];
          const bed = createBed(limit, () => left.shift() ?? 200);
          await bed.clock.until(
            Promise.all(
              people.map((calls, person) => insist(bed, `person-${person}`, Math.min(calls, limit * 4))),
            ),
          );
          for (const [index, { atMs }] of bed.left.entries()) {
            const next = bed.left[index + limit];
            // The service may see one call as late as its answer, and the next as early as its sending.
            if (next !== undefined) expect(next.atMs - (atMs + latencyMs)).toBeGreaterThan(60_000);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
