/** What people do while a refresh runs: where they type, and on which sheets cells move. */
import type { Area, Edit } from "../../../src/workbook/port";
import { createEditRecorder } from "../../../src/workbook/what-changed/edits-since";

const area = (row: number, rows: number, cols: number, sheet = "Plan"): Area => ({
  ...{ sheet, row, col: 0, rows, cols },
});

function recording(...edits: Edit[]) {
  let tell: (edit: Edit) => void = () => undefined;
  const record = createEditRecorder({ onEdit: (listener) => ((tell = listener), () => undefined) })();
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

it("knows where somebody typed", () => {
  const record = recording([area(1, 2, 3)]);
  const at = (row: number, col: number, sheet = "Plan") => record.hasTyped({ sheet, row, col });
  expect([at(2, 2), at(3, 2), at(2, 3), at(2, 2, "Week")]).toEqual([true, false, false, false]);
});

it("counts a sheet as moved when it is renamed, under both names", () => {
  const record = recording({ from: "Plan", to: "Week" });
  expect(["Plan", "Week", "Other"].map(record.hasMoved)).toEqual([true, true, false]);
});
