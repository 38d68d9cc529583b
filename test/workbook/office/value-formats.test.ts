/**
 * Times keep their format where INV writes values. A function's time brings its format, and the cell stays General
 * (documented for DoubleCellValue; office-js 6100: `numberFormat` has the cell's format, `valuesAsJson` the value's).
 * Without this, a copied INV.UPDATED showed 46348.52.
 */
import { copyWithValues } from "../../../src/workbook/share/copy-with-values";
import { enter } from "../../excel/sheet";
import { area, nothingAsked, openWorkbook } from "./office-stage";

const time = { number: 46_348.521, format: "yyyy-mm-dd hh:mm" };
const shownTime = "2026-11-22 12:30";

/** Column C: a quantity, a time, a time in a cell with its own format. E1 spills a heading and two times. */
function plan() {
  const { excel, workbook } = openWorkbook("Plan");
  const sheet = excel.sheet("Plan");
  enter(sheet, 0, 2, "=INV.QTY(A1,B1)");
  enter(sheet, 1, 2, "=INV.UPDATED(A2,B2)");
  enter(sheet, 2, 2, "=INV.ASOF(A3,B3)");
  sheet.shown.set("C1", 12).set("C2", time).set("C3", time);
  sheet.formats.push({
    ...{ block: { row: 2, col: 2, rows: 1, cols: 1 }, property: "numberFormat" },
    value: "0.0",
  });
  enter(sheet, 0, 4, "=INV.EVENTS(A1,B1)");
  sheet.shown.set("E1", "Time");
  sheet.spills.set("E1", { rows: 3, cols: 1 });
  for (const row of [1, 2]) enter(sheet, row, 4, time);
  const texts = async (name = "Plan", row = 0) => [
    ...(await workbook.read(area(name, row, 2, 3), "text")).flat(),
    ...(await workbook.read(area(name, row, 4, 3), "text")).flat(),
  ];
  return { excel, workbook, sheet, texts };
}

const shown = ["12", shownTime, String(time.number), "Time", shownTime, shownTime];

it("a shared copy shows the same", async () => {
  const { workbook, texts } = plan();
  expect(await texts()).toEqual(shown);
  const [copy = ""] = await copyWithValues(workbook, "Plan", nothingAsked);
  expect(await texts(copy, 3)).toEqual(shown);
});

it("a shared copy has the colours of rules, which refer to its own cells", async () => {
  const { excel, workbook } = plan();
  const color = { fill: "#fff3cd", color: "#7a5200" };
  await workbook.highlight(area("Plan", 1, 2, 2), { kind: "formula", formula: "=$C2<$E$1", ...color });
  const [copy = ""] = await copyWithValues(workbook, "Plan", nothingAsked);
  expect(excel.sheet(copy).formatting).toMatchObject([
    { rule: { formula: "=$C5<$E$4", block: { row: 4, col: 2, rows: 2, cols: 1 }, ...color } },
  ]);
  expect(excel.sheet("Plan").formatting).toMatchObject([{ rule: { formula: "=$C2<$E$1" } }]);
});
