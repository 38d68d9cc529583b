/** Areas that edits have changed since a refresh began, also on renamed sheets. */
import type { Edit } from "../../../src/workbook/port";
import { createEditRecorder, type EditedAreas } from "../../../src/workbook/what-changed/edited-areas";

const cell = (sheet: string, row = 0) => ({ sheet, row, col: 0, rows: 1, cols: 1 });

function after(...edits: readonly Edit[]): EditedAreas {
  let tell: (edit: Edit) => void = () => undefined;
  const touched = createEditRecorder({ onEdit: (listener) => void (tell = listener) })();
  edits.forEach((edit) => tell(edit));
  return touched;
}

it.each<[string, readonly Edit[]]>([
  ["before its sheet was renamed", [[cell("Plan")], { from: "Plan", to: "Week 47" }]],
  ["after its sheet was renamed", [{ from: "Plan", to: "Week 47" }, [cell("Week 47")]]],
  ["between two renames", [{ from: "Plan", to: "Draft" }, [cell("Draft")], { from: "Draft", to: "Week 47" }]],
])("a cell that was edited %s was touched, under the name it began with", (_when, edits) => {
  const touched = after(...edits);
  expect(touched.hasPartOf(cell("Plan"))).toBe(true);
  expect(touched.hasPartOf(cell("Plan", 1))).toBe(false);
  expect(touched.sheetNow("Plan")).toBe("Week 47");
});

it("distinguishes two sheets that have swapped names", () => {
  const renames = [
    { from: "A", to: "C" },
    { from: "B", to: "A" },
    { from: "C", to: "B" },
  ];
  const touched = after(...renames, [cell("A")]);
  expect([touched.sheetNow("A"), touched.sheetNow("B")]).toEqual(["B", "A"]);
  expect([touched.hasPartOf(cell("A")), touched.hasPartOf(cell("B"))]).toEqual([false, true]);
});
