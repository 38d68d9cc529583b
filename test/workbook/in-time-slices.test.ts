/** Visits many cells in order, some in each turn, so that the page stays responsive. */
import { inTimeSlices, visitInTimeSlices } from "../../src/workbook/in-time-slices";
import { createVirtualClock } from "../helpers/virtual-clock";

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe("visiting a list in several turns", () => {
  it.each([0, 1, 9_999, 10_000, 10_001, 35_000])("visits each of %i once, in order", async (count) => {
    const clock = createVirtualClock();
    const visited: number[] = [];
    await clock.until(inTimeSlices(clock, numbers(count), (each) => visited.push(each)));
    expect(visited).toEqual(numbers(count));
  });

  it("yields after some thousands, and reports the end after the last", async () => {
    const clock = createVirtualClock();
    const seen: number[] = [];
    let visited = 0;
    let isOver = false;
    visitInTimeSlices(clock, numbers(25_000), { visit: () => visited++, end: () => (isOver = true) });
    seen.push(visited);
    expect(isOver).toBe(false);
    await clock.advance(0);
    seen.push(visited);
    expect(seen).toEqual([10_000, 25_000]);
    expect(isOver).toBe(true);
  });

  it("ends in its own turn for a short list", () => {
    let isOver = false;
    visitInTimeSlices(createVirtualClock(), numbers(10_000), {
      visit: () => undefined,
      end: () => (isOver = true),
    });
    expect(isOver).toBe(true);
  });

  it("rejects with the error of a visit, in a later turn too", async () => {
    const clock = createVirtualClock();
    const visit = (each: number): void => {
      if (each === 12_000) throw new Error("a fault");
    };
    await expect(clock.until(inTimeSlices(clock, numbers(20_000), visit))).rejects.toThrow("a fault");
  });
});
