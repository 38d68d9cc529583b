/** How a company's pace gives way when the service says 429, and how it comes back. */
import { type CallWindow, createCallWindow } from "../../../src/server/company/window";
import { createVirtualClock, type VirtualClock } from "../../helpers/virtual-clock";

const limit = 100;
let clock: VirtualClock;
let window: CallWindow;
beforeEach(() => {
  clock = createVirtualClock();
  window = createCallWindow(clock, limit);
});

/** Lets as many calls leave, each answered at once, as may; edits, so that nothing is kept back. */
function leave(most = Infinity): number {
  let calls = 0;
  while (calls < most && window.allows(true)) {
    window.sent();
    window.ended();
    window.succeeded();
    calls += 1;
  }
  return calls;
}

it("sends four fifths of what it had sent, after a 429 that others' calls brought about", async () => {
  expect(leave(50)).toBe(50);
  window.throttled(clock.now(), null);
  await clock.advance(60_050);
  // And what comes back in this minute: a fifth of the limit.
  expect(leave()).toBe(60);
});

it("has its whole pace again after five minutes, and no more than that", async () => {
  leave(50);
  window.throttled(clock.now(), null);
  await clock.advance(150_000);
  expect(leave()).toBe(90);
  await clock.advance(300_000);
  expect(leave()).toBe(limit);
});

it("lowers its pace once for calls that met the same refusal", async () => {
  leave(50);
  const sentAtMs = clock.now();
  await clock.advance(100);
  for (let call = 0; call < 5; call += 1) window.throttled(sentAtMs, null);
  await clock.advance(60_000);
  expect(leave()).toBeGreaterThanOrEqual(59);
});

it.each([
  [7_000, 7_000],
  [null, 1_000],
  [3_600_000, 60_000],
])("pauses for what the service says, %p ms, within a second and a minute", async (retryAfterMs, pauseMs) => {
  window.throttled(clock.now(), retryAfterMs);
  expect(window.opensInMs(1, true)).toBe(pauseMs);
  await clock.advance(pauseMs - 1);
  expect(window.allows(true)).toBe(false);
  await clock.advance(1);
  expect(window.allows(true)).toBe(true);
});

it("pauses longer each time the service goes on saying 429", async () => {
  const pauses: number[] = [];
  for (let time = 0; time < 8; time += 1) {
    window.throttled(clock.now(), null);
    pauses.push(window.opensInMs(1, true));
    await clock.advance(pauses[time] ?? 0);
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
});
