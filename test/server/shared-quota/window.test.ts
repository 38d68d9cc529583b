/** A company's rate: how it drops after a 429 response, and how it recovers. */
import { type AccountState, newAccountState, personOf } from "../../../src/server/shared-quota/account-state";
import { addFinished, expire, isOpen, slowDown } from "../../../src/server/shared-quota/window";
import { createVirtualClock, type VirtualClock } from "../../helpers/virtual-clock";

const limit = 100;
let clock: VirtualClock;
let state: AccountState;
beforeEach(() => {
  clock = createVirtualClock();
  state = newAccountState(limit);
});

/** Sends as many calls as the window allows and answers each at once. They are edits, so that no call is reserved. */
function leave(most = Infinity): number {
  let calls = 0;
  expire(state, clock.now());
  while (calls < most && isOpen(state, true, clock.now())) {
    personOf(state, "a").used += 1;
    addFinished(state, { person: "a", isPriorityEdit: false }, clock.now());
    state.throttle.refusals = 0;
    calls += 1;
  }
  return calls;
}

const refuse = (sentAtMs: number, retryAfterMs: number | null = null) =>
  slowDown(state, { sentAtMs, retryAfterMs, chance: clock.random() }, clock.now());

it("sends four fifths of its earlier pace after a 429 that others' calls caused", async () => {
  expect(leave(50)).toBe(50);
  refuse(clock.now());
  await clock.advance(60_050);
  // This includes what recovers in this minute: a fifth of the limit.
  expect(leave()).toBe(60);
});

it("is back at its full pace after five minutes, and never above it", async () => {
  leave(50);
  refuse(clock.now());
  await clock.advance(150_000);
  expect(leave()).toBe(90);
  await clock.advance(300_000);
  expect(leave()).toBe(limit);
});
