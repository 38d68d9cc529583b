/** The sentence about what a refresh changed. */
import { changesInShort } from "../../../src/taskpane/refresh/change-words";
import type { ChangeReport } from "../../../src/workbook/what-changed/report";

const report: ChangeReport = {
  scope: "workbook",
  fromMs: 0,
  atMs: 0,
  compared: 871,
  changes: [],
  toZero: 0,
  fromZero: 2,
  notAnswered: 0,
  withoutValue: 0,
  notCompared: [],
  isTooLarge: false,
};

it("counts the answered values that changed", () => {
  expect(changesInShort(report, 0, null)).toMatch(/: 0 values changed, 2 came back\.$/);
  const inOutage = { ...report, compared: 125, fromZero: 0, notAnswered: 746 };
  expect(changesInShort(inOutage, 0, 0)).toMatch(/: 0 answered values changed\.$/);
});

it("counts only compared values if people edited cells during the refresh", () => {
  const notCompared = [{ cell: { sheet: "Plan", row: 0, col: 2 }, reason: "edited" }] as const;
  expect(changesInShort({ ...report, fromZero: 0, notCompared }, 0, 0)).toMatch(
    /: 0 compared values changed\.$/,
  );
  expect(changesInShort({ ...report, compared: 0, fromZero: 0, notCompared }, 0, 0)).toMatch(
    /: no values compared\.$/,
  );
});
