/** Only the latest attempt counts: a cancelled one has no effect, whenever it checks. */
import { createAttempts } from "../../src/connection/attempts";

const cancelled = expect.objectContaining({ code: "cancelled" }) as unknown;

/** Returns what taking effect did, or why it did nothing. */
function takeEffect(attempt: ReturnType<ReturnType<typeof createAttempts>["begin"]>): unknown {
  try {
    return attempt.commit(() => "taken");
  } catch (error) {
    return error;
  }
}

describe("an attempt that wasn't cancelled", () => {
  it("takes effect", async () => {
    const attempts = createAttempts();
    const attempt = attempts.begin("demo");
    expect(await attempt.unlessCancelled(Promise.resolve(7))).toBe(7);
    expect(attempts.isUnderWay()).toBe(true);
    expect(takeEffect(attempt)).toBe("taken");
    expect(attempts.isUnderWay()).toBe(false);
  });

  // Nothing waits any more, so no rejection reports it: the attempt must check by itself.
  it.each<[string, (attempts: ReturnType<typeof createAttempts>, control: AbortController) => unknown]>([
    ["another began", (attempts) => attempts.begin("other")],
    ["another to the same environment began", (attempts) => attempts.begin("demo")],
    ["its environment was given up", (attempts) => attempts.cancel("demo")],
    ["the person turned to something else", (_attempts, control) => control.abort()],
  ])("has no effect once %s", async (_title, cancel) => {
    const attempts = createAttempts();
    const control = new AbortController();
    const attempt = attempts.begin("demo", control.signal);
    await attempt.unlessCancelled(Promise.resolve());
    cancel(attempts, control);
    expect(takeEffect(attempt)).toEqual(cancelled);
  });

  it("has no effect if the person cancelled before it began, and doesn't cancel the newer choice", () => {
    const control = new AbortController();
    control.abort();
    const attempts = createAttempts();
    const newer = attempts.begin("other");
    expect(takeEffect(attempts.begin("demo", control.signal))).toEqual(cancelled);
    expect(takeEffect(newer)).toBe("taken");
  });

  it("takes effect even if another environment was cancelled", () => {
    const attempts = createAttempts();
    const attempt = attempts.begin("demo");
    attempts.cancel("other");
    expect(takeEffect(attempt)).toBe("taken");
  });
});
