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
