/** Time limits for promises and for work. */
import { withinTime, withTimeLimit } from "../../src/addin/time-limit";
import { createVirtualClock, type VirtualClock } from "../helpers/virtual-clock";

describe("a time limit", () => {
  const limits = (clock: VirtualClock) => ({ clock, limitMs: 10, otherwise: "other" });

  it("resolves with the promise's value in time, and leaves no timer", async () => {
    const clock = createVirtualClock();
    expect(await withTimeLimit(Promise.resolve("value"), limits(clock))).toBe("value");
    const { turn } = clock;
    await clock.advance(10);
    expect(clock.turn).toBe(turn);
  });

  it("resolves with the other value if the promise rejects or is late", async () => {
    const clock = createVirtualClock();
    const failed = Promise.reject<string>(new Error("no"));
    expect(await withTimeLimit(failed, limits(clock))).toBe("other");
    const limited = withTimeLimit(new Promise<string>(() => {}), limits(clock));
    await clock.advance(10);
    expect(await limited).toBe("other");
  });
});

describe("work within a time", () => {
  it("aborts the work when the time is up, by the given clock", async () => {
    const clock = createVirtualClock();
    let signalOfWork: AbortSignal | null = null;
    const work = withinTime(
      (signal) =>
        new Promise((_, reject) => {
          signalOfWork = signal;
          signal.addEventListener("abort", () => reject(new Error("stopped")));
        }),
      { clock, limitMs: 20_000 },
    );
    const stopped = expect(work).rejects.toThrow("stopped");
    await clock.advance(19_999);
    expect(signalOfWork).toMatchObject({ aborted: false });
    await clock.advance(1);
    await stopped;
  });

  it("leaves no timer if the work ends in time", async () => {
    const clock = createVirtualClock();
    let signalOfWork: AbortSignal | null = null;
    const work = withinTime(
      async (signal) => {
        signalOfWork = signal;
        return 7;
      },
      { clock, limitMs: 20_000 },
    );
    expect(await work).toBe(7);
    await clock.advance(30_000);
    expect(signalOfWork).toMatchObject({ aborted: false });
  });
});
