/** Cells that refer to the cells of a spilled array are recalculated whenever the array changes. */
import { openScratch, scratch } from "./workbook-page";

test("recalculates references to an array that shrinks, becomes one value, disappears, or depends on another", async () => {
  const workbook = await openScratch();
  await workbook.write(
    [scratch, 0, 0],
    [[4, "=SEQUENCE(A1)", "=B3&B4", "=SUM(B2:B4)", "=MAP(B2:B4,LAMBDA(x,x*2))"]],
  );
  await workbook.write([scratch, 0, 5], [["=SUM(E2:E3)", "=B1+E3", "=G1+F1"]]);
  const shown = async (rows: number) => {
    await workbook.write([scratch, 0, 0], [[rows]]);
    await workbook.settled();
    const [[, , ...first] = []] = await workbook.values(scratch, 0, 0, 1, 8);
    return first;
  };
  expect(await shown(4)).toEqual(["34", 9, 4, 14, 9, 23]);
  expect(await shown(3)).toEqual(["3", 5, 4, 6, 1, 7]);
  expect(await shown(1)).toEqual(["", 0, 0, 0, 1, 1]);
  expect(await shown(4)).toEqual(["34", 9, 4, 14, 9, 23]);
  await workbook.write([scratch, 0, 1], [["no array"]]);
  await workbook.settled();
  expect(await workbook.values(scratch, 0, 2, 1, 2)).toEqual([["", 0]]);
  expect(workbook.complaints).toEqual([]);
});
