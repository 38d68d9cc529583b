/** Results that leave together stay small enough for one of the host's messages. Waiting results leave in the end, in order. */
import { fc } from "../helpers/properties";
import { bytesOf } from "../../src/functions/present";
import { createResultThrottle, envelopeBytes, mostResultBytes } from "../../src/functions/result-throttle";
import { createVirtualClock } from "../helpers/virtual-clock";

const megabyte = 1_000_000;
/** The longest time for which Microsoft's runtime collects results for one message. */
const gatheredMs = 15_100;

function setUp() {
  const clock = createVirtualClock({ startMs: 0 });
  const throttle = createResultThrottle(clock);
  const gone: { readonly name: string; readonly bytes: number; readonly atMs: number }[] = [];
  const leave = (name: string, bytes: number): void => {
    const release = (): void => void gone.push({ name, bytes, atMs: clock.now() });
    if (throttle.tryRelease(bytes)) release();
    else throttle.hold({ bytes, release });
  };
  return { clock, gone, leave };
}

test("what fits leaves at once; what does not waits until the message before it must be gone", async () => {
  const { clock, gone, leave } = setUp();
  for (const name of ["a", "b", "c"]) leave(name, 1.5 * megabyte);
  expect(gone.map(({ name }) => name)).toEqual(["a", "b"]);
  await clock.advance(gatheredMs);
  expect(gone).toHaveLength(2);
  await clock.advance(5_000);
  expect(gone.map(({ name }) => name)).toEqual(["a", "b", "c"]);
});

test.each([7, -1234.5, "SUCCESS", true])("the largest envelope of the value %p is counted", (value) => {
  const written = `${JSON.stringify([9_999_999_999, true, [[value]], [999_999]])},`;
  expect(envelopeBytes + bytesOf([[value]])).toBeGreaterThanOrEqual(written.length);
});

test("the largest envelope of an error is counted", () => {
  expect(envelopeBytes).toBeGreaterThanOrEqual(
    `${JSON.stringify([9_999_999_999, false, "", 7, [999_999]])},`.length,
  );
});

test("100,000 quantities leave at once", () => {
  expect(100_000 * (envelopeBytes + bytesOf([[999]]))).toBeLessThan(mostResultBytes);
});

test("a cell that a person types does not wait behind grids", () => {
  const { gone, leave } = setUp();
  for (const name of ["a", "b", "typed"]) leave(name, name === "typed" ? 50 : 3 * megabyte);
  expect(gone.map(({ name }) => name)).toEqual(["a", "typed"]);
});

test("a stream of small results holds no large one back", async () => {
  const { clock, gone, leave } = setUp();
  leave("before", megabyte);
  leave("large", 3.8 * megabyte);
  for (let second = 0; second < 20; second += 1) {
    leave("small", 100);
    await clock.advance(1_000);
  }
  expect(gone.filter(({ name }) => name === "large")).toHaveLength(1);
  expect(gone.filter(({ name }) => name === "small")).toHaveLength(20);
});

test("whatever comes when, all leave, large ones in their order, never too much at a time", async () => {
  const arrivals = fc.array(
    fc.record({
      bytes: fc.oneof(fc.integer({ min: 20, max: 400 }), fc.integer({ min: 3_000, max: 3_800_000 })),
      afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30_000 })),
    }),
    { maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(arrivals, async (all) => {
      const { clock, gone, leave } = setUp();
      for (const [index, { bytes, afterMs }] of all.entries()) {
        await clock.advance(afterMs);
        leave(String(index), bytes);
      }
      await clock.runAll();
      expect(gone).toHaveLength(all.length);
      const large = gone.filter(({ bytes }) => bytes >= 3_000).map(({ name }) => Number(name));
      expect(large).toEqual([...large].sort((a, b) => a - b));
      for (const { atMs } of gone) {
        const together = gone.filter((each) => each.atMs >= atMs && each.atMs <= atMs + gatheredMs);
        expect(together.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(4 * megabyte);
      }
    }),
    { numRuns: 60 },
  );
});
