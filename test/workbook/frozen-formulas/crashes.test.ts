/**
 * The promise of the ledger, as a property: whatever interrupts the work at any moment, every formula is in its cell or in
 * the ledger, and interrupted work can be finished or undone.
 */
import { fc } from "../../helpers/properties";
import { cellKey } from "../../../src/workbook/addresses";
import type { Workbook } from "../../../src/workbook/port";
import { createLedger } from "../../../src/workbook/frozen-formulas/ledger";
import { isLedgerSheet } from "../../../src/workbook/frozen-formulas/ledger-sheets";
import { Crash, crashing, formulasOf, freezeStage, planWorkbook } from "./stage";

/** Formulas by cell, in cells and in the ledger. */
async function kept(workbook: Workbook): Promise<Map<string, string>> {
  const found = new Map(await formulasOf(workbook));
  const content = await createLedger(workbook).read();
  for (const { entry } of content?.lines ?? []) {
    const key = cellKey(entry.ref);
    if (!found.has(key)) found.set(key, entry.formula);
  }
  return found;
}

const sorted = (map: ReadonlyMap<string, string>) => [...map].sort();

type Action = "freeze" | "thaw" | "finish" | "goBack";

test("no ending loses a formula, and finishing or going back leaves the workbook whole", async () => {
  const crash = fc.record({
    verb: fc.integer({ min: 1, max: 30 }),
    when: fc.constantFrom("before" as const, "after" as const),
  });
  const actions = fc.array(fc.constantFrom<Action>("freeze", "thaw", "finish", "goBack"), {
    minLength: 1,
    maxLength: 4,
  });
  let crashes = 0;
  await fc.assert(
    fc.asyncProperty(actions, crash, fc.boolean(), async (given, at, back) => {
      const workbook = planWorkbook(3);
      const before = await formulasOf(workbook);
      for (const action of given) {
        const { freezer } = freezeStage(workbook, crashing(workbook, at).workbook);
        const work =
          action === "freeze" || action === "thaw" ? freezer[action]("workbook") : freezer[action]();
        await work.catch((error: unknown) => {
          if (!(error instanceof Crash)) throw error;
          crashes += 1;
        });
        expect(sorted(await kept(workbook))).toEqual(sorted(before));
      }
      const { freezer } = freezeStage(workbook);
      await (back ? freezer.goBack() : freezer.finish());
      expect(sorted(await kept(workbook))).toEqual(sorted(before));
      expect((await freezer.frozen())?.state ?? "none").toBe("none");
      await freezer.thaw("workbook");
      expect(sorted(await formulasOf(workbook))).toEqual(sorted(before));
      expect(await freezer.frozen()).toBeNull();
    }),
    { numRuns: 300 },
  );
  expect(crashes).toBeGreaterThan(50);
});

test("ten thousand cells are frozen and thawed in few verbs", async () => {
  const workbook = planWorkbook(5_000);
  const verbs = crashing(workbook, { verb: Infinity, when: "before" });
  const { freezer } = freezeStage(workbook, verbs.workbook);
  expect((await freezer.freeze("workbook")).cells).toBe(10_001);
  expect(verbs.verbs()).toBeLessThan(50);
  expect((await freezer.thaw("workbook")).cells).toBe(10_001);
  expect(verbs.verbs()).toBeLessThan(110);
  expect(await formulasOf(workbook)).toHaveProperty("size", 10_001);
  expect((await workbook.sheets()).filter(({ name }) => isLedgerSheet(name))).toEqual([]);
  expect(workbook.definedNames).toEqual([]);
});
