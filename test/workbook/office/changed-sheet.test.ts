/** A person inserts a line into the sheet before a round trip of a command that reads the sheet first and writes later. */
import { correct } from "../../../src/workbook/corrections";
import { putFormula } from "../../../src/workbook/insert/put";
import { createCellRegister } from "../../../src/cells/cell-register";
import { enterAgain, findNameErrors } from "../../../src/workbook/inspect/name-errors";
import type { Workbook } from "../../../src/workbook/port";
import { createVirtualClock } from "../../helpers/virtual-clock";
import { moveLines } from "../../excel/move-lines";
import { type Cell, enter, type HostSheet } from "../../excel/sheet";
import { area, openWorkbook } from "./office-stage";

const noAnswers = () => createCellRegister({ clock: createVirtualClock() });

const lines = 8;

/** Formulas between cells of this person. */
function plan(rowCount: number) {
  const { excel, workbook } = openWorkbook("Plan");
  const sheet = excel.sheet("Plan");
  for (let row = 0; row < rowCount; row += 1) {
    enter(sheet, row, 0, `mine ${row}`);
    enter(sheet, row, 1, `=INV.QTY(1234,C${row + 1})`);
    enter(sheet, row, 2, `mine too ${row}`);
    sheet.unrecognized.add(`B${row + 1}`);
  }
  excel.moveSelection("Plan", { row: 0, col: 0, rows: 1, cols: 1 });
  /** Inserts the line before this round trip. Returns the number of round trips so far. */
  const insertAt = (what: "row" | "col", at: number) => {
    let trips = 0;
    excel.pace = () => {
      trips += 1;
      if (trips === at) moveLines(excel, sheet, { what, at: 0, by: 1 });
      return Promise.resolve();
    };
    return () => trips;
  };
  return { excel, workbook, sheet, insertAt };
}

const own = (sheet: HostSheet): Cell[] =>
  [...sheet.cells.values()].flatMap((line) =>
    [...line.values()].filter((cell) => typeof cell === "string" && cell.startsWith("mine")),
  );

test.each<[string, (workbook: Workbook) => Promise<unknown>]>([
  [
    "enters formulas again",
    async (workbook) => enterAgain(workbook, await findNameErrors(workbook, noAnswers())),
  ],
  [
    "inserts a formula",
    (workbook) =>
      putFormula(workbook, {
        formula: "=INV.ENV()",
        area: area("Plan", 0, 3, lines),
        overwrite: false,
      }),
  ],
  [
    "corrects cells",
    (workbook) =>
      correct(
        workbook,
        Array.from({ length: lines / 2 }, (_, index) => {
          const row = 2 * index;
          return { cell: { sheet: "Plan", row, col: 1 }, from: `=INV.QTY(1234,C${row + 1})`, to: 1 };
        }),
      ),
  ],
])("a column inserted while INV %s costs no cell, except right before the write", async (_title, act) => {
  const losing: number[] = [];
  const whole = plan(lines);
  const tripsSoFar = whole.insertAt("col", Infinity);
  await act(whole.workbook);
  const trips = tripsSoFar();
  for (let at = 1; at <= trips; at += 1) {
    const { workbook, sheet, insertAt } = plan(lines);
    insertAt("col", at);
    await act(workbook).catch((error: unknown) => {
      expect(String(error)).toMatch(/changed while INV worked on it/);
    });
    if (own(sheet).length < 2 * lines) losing.push(at);
  }
  expect(losing.length).toBeLessThanOrEqual(2);
});
