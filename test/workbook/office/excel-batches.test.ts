/** Batches to Excel: which calls share one. */
import { area, openWorkbook, settle } from "./office-stage";

test("a step reports that Excel refused its writes, and a read beside it succeeds", async () => {
  const { excel, workbook } = openWorkbook("Plan", "Other");
  excel.sheet("Plan").isProtected = true;
  const step = workbook.step(async (inStep) => {
    await inStep.write(area("Plan", 0, 0), [[1]]);
    await settle();
  });
  const refused = expect(step).rejects.toThrow("the sheet or the workbook is protected");
  await settle();
  expect(await workbook.read(area("Other", 0, 0), "values")).toEqual([[null]]);
  await refused;
});

// Undoing a group that had added a very hidden sheet crashed Excel (office-js 6001).
it("adds a very hidden sheet in a batch of its own, outside the undo group", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  excel.excelApi = 20;
  await workbook.step(
    async (inStep) => {
      await inStep.write(area("Plan", 0, 0), [[1]]);
      await inStep.addSheet("_inv_00000000", { veryHidden: true });
      await inStep.write(area("Plan", 1, 0), [[2]]);
    },
    { asOneUndo: true },
  );
  const isGrouped = excel.runOptions.map((options) => JSON.stringify(options).includes("mergeUndoGroup"));
  expect(isGrouped).toEqual([true, true, false]);
  expect(excel.sheet("_inv_00000000").visibility).toBe("VeryHidden");
});
