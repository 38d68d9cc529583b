/** One joined task calculates everything that several tasks of the grid's engine would. */
import type { IFormulaDatasetConfig } from "@univerjs/preset-sheets-core";
import { joinTasks } from "../../../../src/browser-workbook/univer/calculation/join-tasks";

function task(
  given: Partial<IFormulaDatasetConfig> & { readonly rows?: readonly number[] },
): IFormulaDatasetConfig {
  const { rows = [], ...others } = given;
  return {
    formulaData: {},
    arrayFormulaCellData: {},
    arrayFormulaRange: {},
    forceCalculate: false,
    dirtyRanges: rows.map((row) => ({
      unitId: "w",
      sheetId: "s",
      range: { startRow: row, endRow: row, startColumn: 0, endColumn: 0 },
    })),
    dirtyNameMap: {},
    dirtyDefinedNameMap: {},
    dirtyUnitFeatureMap: {},
    dirtyUnitOtherFormulaMap: {},
    ...others,
  };
}

test("returns null for no task, and a single task unchanged", () => {
  const only = task({ rows: [1] });
  expect(joinTasks([])).toBeNull();
  expect(joinTasks([only])).toEqual(only);
});

test("contains each range once", () => {
  const rows = joinTasks([task({ rows: [1, 2] }), task({ rows: [2] }), task({ rows: [3, 1] })])?.dirtyRanges;
  expect(rows?.map(({ range }) => range.startRow)).toEqual([1, 2, 3]);
});

test("calculates everything if one task does", () => {
  expect(joinTasks([task({ forceCalculate: true }), task({})])?.forceCalculate).toBe(true);
  expect(joinTasks([task({}), task({ forceCalculate: true })])?.forceCalculate).toBe(true);
});

test("joins the marks of all sheets without changing the tasks", () => {
  const first = task({ dirtyUnitFeatureMap: { w: { s: { one: true } } } });
  const second = task({ dirtyUnitFeatureMap: { w: { s: { other: true }, t: { one: true } } } });
  expect(joinTasks([first, second])?.dirtyUnitFeatureMap).toEqual({
    w: { s: { one: true, other: true }, t: { one: true } },
  });
  expect(first.dirtyUnitFeatureMap).toEqual({ w: { s: { one: true } } });
});

test("takes everything else from the last task", () => {
  expect(joinTasks([task({ maxIteration: 1 }), task({ maxIteration: 3 })])?.maxIteration).toBe(3);
});
