/** What a refresh has changed, in a sentence that stands beside "871 cells refreshed"; and which of it a person wants to see. */
import { filterOf } from "../../../src/taskpane/refresh/change-filter";
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
  onlySheet: null,
  isCut: false,
};

it("counts what was answered, and leaves the other count to the headline of the refresh", () => {
  expect(changesInShort(report, 0, null)).toMatch(/: 0 values changed, 2 came back\.$/);
  const inOutage = { ...report, compared: 125, fromZero: 0, notAnswered: 746 };
  expect(changesInShort(inOutage, 0, 0)).toMatch(/: 0 answered values changed\.$/);
});

it.each([
  ["more-than", "9990", { kind: "more-than", amount: 9_990 }],
  ["more-than-percent", " 2,5 ", { kind: "more-than-percent", percent: 2.5 }],
  ["more-than", "much", null],
  ["more-than", "", null],
  ["more-than-percent", "-1", null],
  ["to-zero", "much", { kind: "to-zero" }],
] as const)("a list by %s of what is typed as '%s' is %j", (kind, limit, filter) => {
  expect(filterOf({ kind, limit })).toEqual(filter);
});
