/** What a refresh has changed, in a sentence that stands beside "871 cells refreshed". */
import { changesInShort } from "../../../src/taskpane/refresh/change-words";
import type { ChangeReport } from "../../../src/workbook/changes/report";

const report: ChangeReport = {
  scope: "workbook",
  fromMs: 0,
  atMs: 0,
  formulas: 871,
  compared: 871,
  changes: [],
  toZero: 0,
  fromZero: 2,
  notAnswered: 0,
  withoutValue: 0,
  notCompared: [],
  onlySheet: null,
  isCut: false,
};

it("counts values, and says of how many formulas where these fill several cells", () => {
  expect(changesInShort(report, 0)).toMatch(/: 0 of 871 changed, 2 came back\.$/);
  const grids = { ...report, compared: 1_714 };
  expect(changesInShort(grids, 0)).toMatch(/: 0 of 1,714 values of 871 formulas changed, 2 came back\.$/);
});
