/** Who goes first: edits, then whoever had the fewest calls in the last minute, then whoever was served longest ago. */
import { type Asker, createTurns, type Turns } from "../../../src/server/company/turns";
import { createVirtualClock, type VirtualClock } from "../../helpers/virtual-clock";

let clock: VirtualClock;
let turns: Turns;
beforeEach(() => {
  clock = createVirtualClock();
  turns = createTurns(clock);
});

const asker = (person: string, isEdit = false): Asker => ({ person, isEdit });
async function serve(...people: string[]): Promise<void> {
  for (const person of people) {
    turns.served(person);
    await clock.advance(10);
  }
}
const order = (...people: string[]) =>
  people
    .map((person) => asker(person))
    .sort((left, right) => turns.compare(left, right))
    .map(({ person }) => person);

it("begins with whoever had the fewest calls, be they newcomers or not", async () => {
  await serve("a", "a", "a", "b", "b", "c");
  expect(order("a", "b", "c", "new")).toEqual(["new", "c", "b", "a"]);
  await serve("new", "new", "c", "c", "c");
  expect(order("new", "c", "b", "a")).toEqual(["b", "new", "a", "c"]);
});

it("goes on with whoever was served longest ago, and keeps the order of those who are equal", async () => {
  await serve("b", "a", "c");
  expect(order("a", "b", "c")).toEqual(["b", "a", "c"]);
  expect(order("x", "y")).toEqual(["x", "y"]);
  expect(order("y", "x")).toEqual(["y", "x"]);
});

it("forgets a call after a minute, and then knows nobody", async () => {
  await serve("a", "a");
  await clock.advance(30_000);
  await serve("b");
  expect(order("a", "b")).toEqual(["b", "a"]);
  await clock.advance(29_990);
  expect(order("b", "a")).toEqual(["a", "b"]);
  expect(turns.isIdle()).toBe(false);
  await clock.advance(30_010);
  expect(order("b", "a")).toEqual(["b", "a"]);
  expect(turns.isIdle()).toBe(true);
});

it("lets an edit go before anybody, whoever makes it", async () => {
  await serve("a", "a", "a");
  expect(turns.compare(asker("a", true), asker("new"))).toBeLessThan(0);
  expect(turns.compare(asker("new"), asker("a", true))).toBeGreaterThan(0);
  expect(turns.compare(asker("a", true), asker("b", true))).toBeGreaterThan(0);
});
