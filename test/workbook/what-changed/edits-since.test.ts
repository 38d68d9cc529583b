/** What people edited since a refresh began: where they typed, also on renamed sheets and after cells have moved. */
import type { Area, Edit } from "../../../src/workbook/port";
import { createEditRecorder, type EditsSince } from "../../../src/workbook/what-changed/edits-since";

const cell = (sheet: string, row = 0, col = 0): Area => ({ sheet, row, col, rows: 1, cols: 1 });
/** Rows were inserted or deleted from this one on. */
const movedFrom = (sheet: string, row: number): Area => ({
  ...{ sheet, row, col: 0 },
  ...{ rows: 1_048_576 - row, cols: 16_384 },
});

function after(...edits: readonly Edit[]): EditsSince {
  let tell: (edit: Edit) => void = () => undefined;
  const since = createEditRecorder({ onEdit: (listener) => void (tell = listener) })();
  edits.forEach((edit) => tell(edit));
  return since;
}

it.each<[string, readonly Edit[]]>([
  ["before its sheet was renamed", [[cell("Plan")], { from: "Plan", to: "Week 47" }]],
  ["after its sheet was renamed", [{ from: "Plan", to: "Week 47" }, [cell("Week 47")]]],
  ["between two renames", [{ from: "Plan", to: "Draft" }, [cell("Draft")], { from: "Draft", to: "Week 47" }]],
])("a cell that was typed %s is found under the sheet's new name", (_when, edits) => {
  const since = after(...edits);
  expect(since.hasTyped(cell("Week 47"))).toBe(true);
  expect(since.hasTyped(cell("Week 47", 1))).toBe(false);
  expect(since.sheetNow("Plan")).toBe("Week 47");
});

it("distinguishes two sheets that have swapped names", () => {
  const renames = [
    { from: "A", to: "C" },
    { from: "B", to: "A" },
    { from: "C", to: "B" },
  ];
  const since = after([cell("B")], ...renames);
  expect([since.sheetNow("A"), since.sheetNow("B")]).toEqual(["B", "A"]);
  expect([since.hasTyped(cell("A")), since.hasTyped(cell("B"))]).toEqual([true, false]);
});

it("a typed cell below inserted rows may be anywhere below them", () => {
  const since = after([cell("Plan", 5, 3)], [movedFrom("Plan", 2)]);
  expect([1, 2, 5, 900].map((row) => since.hasTyped(cell("Plan", row, 3)))).toEqual([
    false,
    true,
    true,
    true,
  ]);
  expect(since.hasTyped(cell("Other", 5, 3))).toBe(false);
  expect([since.hasMoved("Plan"), since.hasMoved("Other"), since.moves]).toEqual([true, false, 1]);
});

it("a typed cell above inserted rows stays where it is", () => {
  const since = after([cell("Plan", 1)], [movedFrom("Plan", 2)], [cell("Plan", 7)]);
  expect([1, 2, 7, 8].map((row) => since.hasTyped(cell("Plan", row)))).toEqual([true, false, true, false]);
});

it("cells may have moved on every sheet if the host doesn't know where", () => {
  const since = after([cell("Plan", 5)], null);
  expect([since.hasMoved("Plan"), since.hasMoved("Other")]).toEqual([true, true]);
  expect([since.hasTyped(cell("Plan")), since.hasTyped(cell("Other"))]).toEqual([true, false]);
});

it("gives up the sheets whose cells moved before they were read, and no later ones", () => {
  let tell: (edit: Edit) => void = () => undefined;
  const since = createEditRecorder({ onEdit: (listener) => void (tell = listener) })();
  tell([movedFrom("Plan", 3)]);
  since.giveUpMoved();
  tell([movedFrom("Other", 3)]);
  expect([since.hasTyped(cell("Plan")), since.hasTyped(cell("Other", 9))]).toEqual([true, false]);
  tell(null);
  since.giveUpMoved();
  expect(since.hasTyped(cell("Third"))).toBe(true);
});
