/**
 * One freeze or thaw at a time, in any window and by any person: two at once would treat each other's numbers as typed.
 * Takes about four seconds.
 */
import { createOfficeWorkbook } from "../../../src/workbook/office/workbook";
import { fc } from "../../helpers/properties";
import { createVirtualClock } from "../../helpers/virtual-clock";
import { plan, textOf } from "./edited-excel";
import { freezerOf } from "./freezer-of";
import { crashing, formulasOf, planWorkbook } from "./stage";

const isBusy = /INV is already freezing or thawing this workbook/;

type Work = "freeze" | "thaw";

/** Starts both in one turn, over their own connections, whose round trips take the given numbers of turns. */
async function both(first: Work, second: Work, waits: readonly number[]) {
  const { excel, workbook, sheet } = plan();
  if (first === "thaw" || second === "thaw") await freezerOf(workbook).freeze("workbook");
  let trip = 0;
  excel.pace = async () => {
    trip += 1;
    for (let turn = waits[trip % waits.length] ?? 0; turn > 0; turn -= 1) await new Promise(setImmediate);
  };
  const results = await Promise.allSettled([
    freezerOf(workbook)[first]("workbook"),
    freezerOf(createOfficeWorkbook(excel))[second]("workbook"),
  ]);
  excel.pace = () => Promise.resolve();
  const refusals = results.flatMap((each) => (each.status === "rejected" ? [String(each.reason)] : []));
  return { excel, workbook, sheet, refusals };
}

test("of two that begin at once, one is refused with its reason, and the other does all of its work", async () => {
  const waits = fc.array(fc.nat(3), { minLength: 1, maxLength: 8 });
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom<Work>("freeze", "thaw"), waits, async (work, given) => {
      const { excel, workbook, sheet, refusals } = await both(work, work, given);
      expect(refusals.filter((each) => !isBusy.test(each))).toEqual([]);
      expect(refusals.length).toBeLessThan(2);
      for (const refusal of refusals) expect(refusal).toMatch(isBusy);
      refused += refusals.length;
      const formulas = [...sheet.cells.values()].flatMap((line) =>
        [...line.values()].filter((cell) => textOf(cell).startsWith("=INV.")),
      );
      expect(formulas).toHaveLength(work === "freeze" ? 0 : 12);
      await freezerOf(workbook).thaw("workbook");
      expect(excel.names).toEqual([]);
      expect(excel.sheets.map(({ name }) => name)).toEqual(["Plan", "Events"]);
    }),
    { numRuns: 25, examples: [["freeze", [0, 1]]] },
  );
  expect(refused).toBeGreaterThan(20);
});

/** A workbook whose freeze or thaw stopped after its first written cells. */
async function cutOff(work: Work, state: "freezing" | "thawing") {
  for (let verb = 1; verb < 100; verb += 1) {
    const workbook = planWorkbook(2);
    if (work === "thaw") await freezerOf(workbook).freeze("workbook");
    const cutShort = freezerOf(crashing(workbook, { verb, when: "after" }).workbook);
    await cutShort[work]("workbook").catch(() => undefined);
    if ((await freezerOf(workbook).frozen())?.state === state) return workbook;
  }
  throw new Error("The work never passes there.");
}

const laterBy = (ms: number) => {
  const clock = createVirtualClock();
  clock.setSystem(ms);
  return { clock: { ...clock, random: Math.random } };
};

test.each([0, 179_000, -179_000])("interrupted work refuses others after %i ms", async (ms) => {
  const workbook = await cutOff("freeze", "freezing");
  await expect(freezerOf(workbook, laterBy(ms)).freeze("workbook")).rejects.toThrow(isBusy);
});

test.each([180_000, -180_000])("interrupted work refuses nobody after %i ms", async (ms) => {
  const workbook = await cutOff("freeze", "freezing");
  await freezerOf(workbook, laterBy(ms)).freeze("workbook");
  expect((await formulasOf(workbook)).size).toBe(0);
});

test.each([
  ["freeze", "freezing", "finish", 0],
  ["freeze", "freezing", "goBack", 5],
  ["thaw", "thawing", "finish", 5],
  ["thaw", "thawing", "goBack", 0],
] as const)("after an interrupted %s (%s), %s works at once", async (work, state, choice, formulas) => {
  const workbook = await cutOff(work, state);
  await freezerOf(workbook, laterBy(1_000))[choice]();
  expect((await formulasOf(workbook)).size).toBe(formulas);
});
