/**
 * The promise of the ledger, as a property: whatever ends the work, at whatever moment, every formula is in
 * its cell or in the ledger; and what was left in the middle can be finished or taken back.
 */
import fc from "fast-check";
import { cellKey } from "../../../src/workbook/addresses";
import type { CellValue, Workbook } from "../../../src/workbook/port";
import { createLedger } from "../../../src/workbook/ledger/ledger";
import { isLedgerSheet } from "../../../src/workbook/ledger/ledger-sheets";
import { Crash, crashing, formulasOf, freezeStage, planWorkbook, sheet } from "./stage";

/** Formulas by cell, wherever they are. */
async function kept(workbook: Workbook): Promise<Map<string, string>> {
  const found = new Map(await formulasOf(workbook));
  const content = await createLedger(workbook, Math.random).read();
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

test("edits between freezing and thawing never bring a formula where another store or item stands", async () => {
  const edit = fc.record({
    row: fc.integer({ min: 1, max: 5 }),
    col: fc.integer({ min: 0, max: 3 }),
    value: fc.constantFrom<CellValue>(null, 7, "x", "=1+1", 1001, "10000000000002"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { maxLength: 6 }), async (edits) => {
      const workbook = planWorkbook(5);
      const before = await formulasOf(workbook);
      const plain = await workbook.read({ sheet, row: 0, col: 0, rows: 6, cols: 4 }, "values");
      const { freezer } = freezeStage(workbook);
      await freezer.freeze("workbook");
      for (const { row, col, value } of edits) workbook.put({ sheet, row, col }, value);
      const frozen = await workbook.read({ sheet, row: 0, col: 0, rows: 6, cols: 4 }, "formulas");
      const { left } = await freezer.thaw("workbook");
      const after = await workbook.read({ sheet, row: 0, col: 0, rows: 6, cols: 4 }, "formulas");
      const leftAlone = new Set(left.flatMap(({ cells }) => cells.map(cellKey)));
      for (let row = 1; row <= 5; row += 1) {
        for (const col of [2, 3]) {
          const now = frozen[row]![col] ?? null;
          const isSame = now === plain[row]![col] && [0, 1].every((c) => frozen[row]![c] === plain[row]![c]);
          const expected = isSame ? before.get(cellKey({ sheet, row, col })) : now;
          expect(after[row]![col] ?? null).toBe(expected);
          expect(leftAlone.has(cellKey({ sheet, row, col }))).toBe(!isSame);
        }
      }
    }),
    { numRuns: 200 },
  );
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
