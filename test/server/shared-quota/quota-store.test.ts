/** What is kept of accounts: a step happens whole, idle accounts are let go, and a store that fails holds nobody up. */
import { type Account, type WaitEnd, oneAsker } from "../../../src/server/shared-quota/entry";
import { createCompanyQuota } from "../../../src/server/shared-quota/quota";
import { createMemoryQuotaStore, type QuotaStore } from "../../../src/server/shared-quota/quota-store";
import { newAccountState } from "../../../src/server/shared-quota/account-state";
import { type News, step } from "../../../src/server/shared-quota/step";
import { createVirtualClock } from "../../helpers/virtual-clock";

const account: Account = { environment: "production", consumerId: "acme", operation: "search" };
const room = { all: 10, others: 10 };
/** Of a server whose connections are all taken. */
const full = { server: "", room: { all: 0, others: 0 }, holdMs: 2_000, chance: 0 };
const asker = (person: string, isEdit = false) => [{ person, isEdit }];

it("lets go of accounts that nobody uses, however many are made up, and of no other", async () => {
  let begun = 0;
  const clock = createVirtualClock();
  const limitOf = () => (begun += 1);
  const store = createMemoryQuotaStore({ clock, limitOf, holdMs: 2_000 });
  const enter = (consumerId: string) =>
    store.step({ ...account, consumerId }, [{ kind: "enters", id: consumerId, askers: asker("a") }], room);
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

it("sends the newest back when the line is full, and lets the edit at its head be", () => {
  const state = newAccountState(6_000);
  const news = Array.from({ length: 1_005 }, (_, number): News => {
    return { kind: "enters", id: String(number), askers: asker(`person-${number}`, number === 0) };
  });
  const { sentBack } = step(state, { ...full, news, nowMs: 0 });
  expect(sentBack.map(({ id }) => id)).toEqual(["1000", "1001", "1002", "1003", "1004"]);
});

it("sends a call back in its time, also where others came to want it after newer ones stood in line", () => {
  const state = newAccountState(600);
  const at = (nowMs: number, news: readonly News[]) =>
    step(state, { server: "", news, room: { all: 0, others: 0 }, nowMs, holdMs: 2_000, chance: 0 });
  at(0, [{ kind: "enters", id: "older", askers: asker("a") }]);
  at(1_000, [{ kind: "enters", id: "newer", askers: asker("b") }]);
  const asked = at(1_500, [{ kind: "asked", id: "older", askers: [...asker("a"), ...asker("c")] }]);
  expect(asked.lookAgainInMs).toBe(500);
  expect(at(2_000, []).sentBack.map(({ id }) => id)).toEqual(["older"]);
  expect(at(3_000, []).sentBack.map(({ id }) => id)).toEqual(["newer"]);
});

it("holds six calls of a person at most, those that come back counted in", () => {
  const state = newAccountState(600);
  const enter = (count: number, nowMs: number) => {
    const news = Array.from({ length: count }, (_, number): News => {
      return { kind: "enters", id: `${nowMs} ${number}`, askers: asker("busy") };
    });
    return step(state, { ...full, news, nowMs });
  };
  expect(enter(20, 0).sentBack).toHaveLength(14);
  expect(enter(0, 2_000).sentBack).toHaveLength(6);
  expect(state.keptPlaces).toBe(6);
  expect(enter(20, 2_100).sentBack).toHaveLength(20);
  expect(state.keptPlaces).toBe(6);
});

it("sends nothing while the store is away, sends calls back, and tells it afterwards what ended", async () => {
  const clock = createVirtualClock();
  const limitOf = () => 10;
  const memory = createMemoryQuotaStore({ clock, limitOf, holdMs: 2_000 });
  let isAway = false;
  const store: QuotaStore = {
    step: (...args) =>
      isAway ? Promise.resolve({ kind: "failed", retryAfterMs: 1_500 }) : memory.step(...args),
    onTurn: () => undefined,
    use: (...args) => (isAway ? Promise.resolve(null) : memory.use(...args)),
  };
  const quota = createCompanyQuota({ clock, limitOf, onWait: () => () => undefined, store });
  const enter = (): Promise<WaitEnd> =>
    quota.enter({
      account,
      askers: oneAsker({ person: "a", isEdit: false }),
      signal: new AbortController().signal,
    });
  const first = await enter();
  isAway = true;
  expect(await enter()).toEqual({ kind: "away", retryAfterMs: 1_500 });
  if (first.kind === "go") first.end({ kind: "throttled", retryAfterMs: 30_000 });
  await clock.advance(1_000);
  expect(await enter()).toEqual({ kind: "away", retryAfterMs: 1_500 });
  expect(await quota.use(account)).toBeNull();
  isAway = false;
  await clock.advance(5_000);
  const later = await enter();
  expect(later.kind).toBe("full");
  await clock.advance(60_000);
  expect((await enter()).kind).toBe("go");
  expect(await quota.use(account)).toEqual({ used: 1, limit: 10 });
});

it("tells the store of a caller who left while a step failed, so that their call is not spent", async () => {
  const clock = createVirtualClock();
  const limitOf = () => 10;
  const memory = createMemoryQuotaStore({ clock, limitOf, holdMs: 2_000 });
  const answerMs = 500;
  let isLost = true;
  /** Decides, and loses what it decided on the way back. */
  const store: QuotaStore = {
    ...memory,
    async step(...args) {
      const decided = await memory.step(...args);
      await new Promise<void>((resolve) => clock.setTimeout(resolve, answerMs));
      return isLost ? { kind: "failed", retryAfterMs: 1_500 } : decided;
    },
  };
  const quota = createCompanyQuota({ clock, limitOf, onWait: () => () => undefined, store });
  const leaving = new AbortController();
  const askers = oneAsker({ person: "a", isEdit: false });
  const entry = quota.enter({ account, askers, signal: leaving.signal });
  await clock.advance(answerMs / 2);
  leaving.abort();
  expect(await entry).toEqual({ kind: "left" });
  await clock.advance(answerMs);
  isLost = false;
  await clock.advance(5_000);
  expect(await quota.use(account)).toEqual({ used: 0, limit: 10 });
});
