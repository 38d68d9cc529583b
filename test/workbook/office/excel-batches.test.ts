/** Batches to Excel: which calls share one, and how long it lasts. */
import { createExcelBatches } from "../../../src/workbook/office/excel-batches";
import { area, openWorkbook, settle } from "./office-stage";

test("a step stays open until concurrent reads end, however late", async () => {
  let isOpen = false;
  const run = async (_options: unknown, batch: (context: unknown) => Promise<unknown>): Promise<unknown> => {
    isOpen = true;
    const result = await batch({ sync: () => Promise.resolve() });
    isOpen = false;
    return result;
  };
  const requirements = { isSetSupported: () => false };
  const batches = createExcelBatches({
    excel: { run: run as never },
    office: { context: { document: { settings: {} as never }, requirements } },
  });
  let end = (): void => undefined;
  const long = new Promise<void>((resolve) => (end = resolve));
  const reading: Promise<boolean>[] = [];
  const step = batches.step(async () => {
    reading.push(
      batches.run(async () => {
        await long;
        await settle();
        return isOpen;
      }),
    );
    await settle();
  });
  await settle();
  end();
  await step;
  expect(await Promise.all(reading)).toEqual([true]);
  expect(isOpen).toBe(false);
});

// Undoing a group that had added a very hidden sheet crashed Excel (office-js 6001).
it("adds a very hidden sheet in a batch of its own, outside the undo group", async () => {
  const { excel, workbook } = openWorkbook("Plan");
  excel.excelApi = 20;
  await workbook.step(
    async () => {
      await workbook.write(area("Plan", 0, 0), [[1]]);
      await workbook.addSheet("_inv_00000000", { veryHidden: true });
      await workbook.write(area("Plan", 1, 0), [[2]]);
    },
    { asOneUndo: true },
  );
  const isGrouped = excel.runOptions.map((options) => JSON.stringify(options).includes("mergeUndoGroup"));
  expect(isGrouped).toEqual([true, true, false]);
  expect(excel.sheet("_inv_00000000").visibility).toBe("VeryHidden");
});
