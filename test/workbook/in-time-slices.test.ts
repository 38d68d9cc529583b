/** Visits many cells in order, some in each turn, so that the page stays responsive. */
import { inTimeSlices } from "../../src/workbook/in-time-slices";
import { createVirtualClock } from "../helpers/virtual-clock";

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe("visiting a list in several turns", () => {
  it.each([0, 1, 9_999, 10_000, 10_001, 35_000])("visits each of %i once, in order", async (count) => {
    const clock = createVirtualClock();
    const visited: number[] = [];
    await clock.until(inTimeSlices(clock, numbers(count), (each) => visited.push(each)));
    expect(visited).toEqual(numbers(count));
  });

  it("starts in its own turn, and yields after some thousands", async () => {
    const clock = createVirtualClock();
    let visited = 0;
    const end = inTimeSlices(clock, numbers(25_000), () => (visited += 1));
    expect(visited).toBe(10_000);
    await clock.until(end);
    expect(visited).toBe(25_000);
  });

  it("visits a short list in its own turn", () => {
    let visited = 0;
    void inTimeSlices(createVirtualClock(), numbers(10_000), () => (visited += 1));
    expect(visited).toBe(10_000);
  });

  it("rejects with the error of a visit, in a later turn too", async () => {
    const clock = createVirtualClock();
    const visit = (each: number): void => {
      if (each === 12_000) throw new Error("a fault");
    };
    await expect(clock.until(inTimeSlices(clock, numbers(20_000), visit))).rejects.toThrow("a fault");
  });
});
