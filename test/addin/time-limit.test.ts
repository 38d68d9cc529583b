/** Waiting no longer than it is worth. */
import { withTimeLimit } from "../../src/addin/time-limit";
import { createVirtualClock } from "../helpers/virtual-clock";

describe("a time limit", () => {
  it("gives the promise's value when it comes in time", async () => {
    const clock = createVirtualClock();
    expect(await withTimeLimit(Promise.resolve("value"), { clock, limitMs: 10, otherwise: "other" })).toBe(
      "value",
    );
  });

  it("gives the other value when the promise rejects", async () => {
    const clock = createVirtualClock();
    const failed = Promise.reject<string>(new Error("no"));
    expect(await withTimeLimit(failed, { clock, limitMs: 10, otherwise: "other" })).toBe("other");
  });

  it("gives the other value when the time is up and the promise never settles", async () => {
    const clock = createVirtualClock();
    const limited = withTimeLimit(new Promise<string>(() => {}), { clock, limitMs: 10, otherwise: "other" });
    await clock.advance(10);
    expect(await limited).toBe("other");
  });
});
