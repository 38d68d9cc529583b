/** Edits in the browser workbook while many of its cells are calculated and their answers arrive. */
import { openScratch } from "../../browser/workbook-page";

test("keeps edits made while many cells are calculated, and loses no calculation", async () => {
  const workbook = await openScratch();
  const rows = 2_000;
  const waits = [130, 290, 210];
  await workbook.page.evaluate(() =>
    window.invHost!.customFunctions.associate("QTY", (...given: unknown[]) => Promise.resolve(given[0])),
  );
  await workbook.port(
    async (port, { rows, waits }) => {
      const at = (row: number, col: number) => ({ sheet: "Scratch", row, col, rows: 1, cols: 1 });
      const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
      // Each column depends on its own cell in row 1. The answers in the last column arrive while the others are edited.
      const formulas = Array.from({ length: rows }, (_, row) => [
        ...["C$1", "D$1", "E$1"].map((cell) => `=${cell}+${row}`),
        `=INV.QTY(${row},"1")`,
      ]);
      const answered = Array.from({ length: rows }, (_, row) => ({ sheet: "Scratch", row: row + 1, col: 5 }));
      await port.write({ sheet: "Scratch", row: 1, col: 2, rows, cols: 4 }, formulas);
      for (const [round, ms] of waits.entries()) {
        for (const col of [2, 3, 4]) {
          await port.recalculate(answered);
          await wait(ms);
          await port.write(at(0, col), [[(round + 1) * 10_000]]);
          // A text replaces one formula after the other, from the last row up.
          await wait(ms / 2);
          await port.write(at(rows - round, col), [["typed"]]);
        }
      }
    },
    { rows, waits },
  );
  await workbook.settled();
  const expected = Array.from({ length: rows }, (_, row) =>
    row >= rows - waits.length ? "typed" : waits.length * 10_000 + row,
  );
  for (const col of [2, 3, 4]) {
    expect((await workbook.values("Scratch", 1, col, rows, 1)).flat()).toEqual(expected);
  }
  const answers = (await workbook.values("Scratch", 1, 5, rows, 1)).flat();
  expect(answers).toEqual(Array.from({ length: rows }, (_, row) => row));
  // The engine would complain about formulas that it knows but that no longer exist.
  expect(workbook.complaints).toEqual([]);
});
