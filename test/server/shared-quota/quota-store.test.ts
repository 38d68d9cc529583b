/** State of accounts: a step is atomic, idle accounts are removed, and a failing store blocks nobody. */
import type { Account, WaitOutcome } from "../../../src/server/shared-quota/call";
import { createCompanyQuota } from "../../../src/server/shared-quota/quota";
import { createMemoryQuotaStore, type QuotaStore } from "../../../src/server/shared-quota/quota-store";
import { createVirtualClock } from "../../helpers/virtual-clock";

const account: Account = { environment: "production", consumerId: "acme", operation: "search" };
const asker = (person: string, isEdit = false) => ({ person, isEdit });

it("drops unused accounts, including thousands of invented ones, and no others", async () => {
  let begun = 0;
  const clock = createVirtualClock();
  const limitOf = () => (begun += 1);
  const store = createMemoryQuotaStore({ clock, limitOf });
  const enter = (consumerId: string) =>
    store.step({ ...account, consumerId }, [{ kind: "arrived", id: consumerId, asker: asker("a") }]);
  for (let number = 0; number < 1_000; number += 1) await enter(`made-up-${number}`);
  await clock.advance(100_000);
  await enter("made-up-1");
  expect(begun).toBe(1_000);
  await clock.advance(100_000);
  await enter("new");
  await enter("made-up-1");
  expect(begun).toBe(1_001);
  await enter("made-up-2");
  expect(begun).toBe(1_002);
});

it("rejects calls while the store is away, and reports to it later which calls ended", async () => {
  const clock = createVirtualClock();
  const memory = createMemoryQuotaStore({ clock, limitOf: () => 10 });
  let isAway = false;
  const store: QuotaStore = {
    step: (...args) =>
      isAway ? Promise.resolve({ kind: "failed", retryAfterMs: 1_500 }) : memory.step(...args),
    usage: (...args) => (isAway ? Promise.resolve(null) : memory.usage(...args)),
  };
  const quota = createCompanyQuota({ clock, onWait: () => () => undefined, store });
  const enter = (): Promise<WaitOutcome> =>
    quota.wait({
      account,
      asker: asker("a"),
      signal: new AbortController().signal,
    });
  const first = await enter();
  isAway = true;
  expect(await enter()).toEqual({ kind: "away", retryAfterMs: 1_500 });
  if (first.kind === "send") first.end({ kind: "throttled", retryAfterMs: 30_000 });
  await clock.advance(1_000);
  expect(await enter()).toEqual({ kind: "away", retryAfterMs: 1_500 });
  expect(await quota.usage(account)).toBeNull();
  isAway = false;
  await clock.advance(5_000);
  const later = await enter();
  expect(later.kind).toBe("rejected");
  await clock.advance(60_000);
  expect((await enter()).kind).toBe("send");
  expect(await quota.usage(account)).toEqual({ used: 1, limit: 10 });
});

it("reports a caller who left during a failed step, so that the call doesn't use the quota", async () => {
  const clock = createVirtualClock();
  const memory = createMemoryQuotaStore({ clock, limitOf: () => 10 });
  const answerMs = 500;
  let isLost = true;
  /** Decides, but loses the decision before it reaches the caller. */
  const store: QuotaStore = {
    ...memory,
    async step(...args) {
      const decided = await memory.step(...args);
      await new Promise<void>((resolve) => clock.setTimeout(resolve, answerMs));
      return isLost ? { kind: "failed", retryAfterMs: 1_500 } : decided;
    },
  };
  const quota = createCompanyQuota({ clock, onWait: () => () => undefined, store });
  const leaving = new AbortController();
  const entry = quota.wait({ account, asker: asker("a"), signal: leaving.signal });
  await clock.advance(answerMs / 2);
  leaving.abort();
  expect(await entry).toEqual({ kind: "cancelled" });
  await clock.advance(answerMs);
  isLost = false;
  await clock.advance(5_000);
  expect(await quota.usage(account)).toEqual({ used: 0, limit: 10 });
});
