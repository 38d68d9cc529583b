/** What people do while a refresh runs: on which sheets cells moved, and renames. */
import type { Area, Edit } from "../../../src/workbook/port";
import { createEditRecorder } from "../../../src/workbook/what-changed/edits-since";

const area = (row: number, rows: number, cols: number, sheet = "Plan"): Area => ({
  ...{ sheet, row, col: 0, rows, cols },
});

function recording(...edits: Edit[]) {
  let tell: (edit: Edit) => void = () => undefined;
  const record = createEditRecorder({ onEdit: (listener) => void (tell = listener) })();
  edits.forEach(tell);
  return record;
}

it("knows the sheets whose cells may have moved", () => {
  const moved = area(5, 1_048_571, 16_384);
  const record = recording([area(1, 1, 1)], [moved], { added: "New" });
  expect([record.hasMoved("Plan"), record.hasMoved("Other")]).toEqual([true, false]);
  expect(recording([area(1, 1, 1)]).hasMoved("Plan")).toBe(false);
  expect(recording(null).hasMoved("Other")).toBe(true);
});

it("knows where somebody typed, also after a rename", () => {
  const record = recording([area(1, 2, 3)], { from: "Plan", to: "Week" });
  const at = (row: number, col: number, sheet: string) => record.hasTyped({ sheet, row, col });
  expect([at(2, 2, "Week"), at(3, 2, "Week"), at(2, 3, "Week"), at(2, 2, "Plan")]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

it("follows renames", () => {
  const moved = area(5, 1_048_571, 16_384);
  const record = recording([moved], { from: "Plan", to: "Week" }, { from: "Week", to: "Week 2" });
  expect(record.sheetNow("Plan")).toBe("Week 2");
  expect([record.hasMoved("Week 2"), record.hasMoved("Plan")]).toEqual([true, false]);
});
