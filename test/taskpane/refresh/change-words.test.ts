/** The sentences about how a refresh failed and what it changed. */
import { changesInShort, failureWords, uncalledWords } from "../../../src/taskpane/refresh/change-words";
import type { RefreshState } from "../../../src/workbook/refresh/refresh";
import type { ChangedCell, ChangeReport } from "../../../src/workbook/what-changed/report";

const cell = {} as ChangedCell;
const report: ChangeReport = { atMs: 0, changed: [], added: [], movedSheets: [], isTooLarge: false };

it.each<[Partial<ChangeReport>, RegExp]>([
  [{}, /^\S+: no refreshed cell changed\.$/],
  [{ changed: [cell] }, /^\S+: 1 cell changed\.$/],
  [{ changed: [cell, cell], added: [cell] }, /^\S+: 2 cells changed, 1 had no value before\.$/],
  [{ movedSheets: ["Plan"] }, /^\S+: no refreshed cell changed, 1 sheet not compared\.$/],
  [{ isTooLarge: true }, /^More than 200,000 values: .* refresh one sheet\.$/],
])("counts cells: %j", (change, words) => {
  expect(changesInShort({ ...report, ...change }, 0, null)).toMatch(words);
});

it("says if it belongs to an earlier refresh, and nothing if that changed nothing", () => {
  expect(changesInShort({ ...report, changed: [cell] }, 0, 1)).toMatch(/^Earlier refresh, \S+: 1 cell/);
  expect(changesInShort(report, 0, 1)).toBe("");
});

it.each([
  [{ refreshed: 0, down: 2 }, "nothing refreshed. Down. Every cell keeps what it shows."],
  [{ refreshed: 2, down: 1 }, "2 of 5 cells refreshed. 1 cell keeps what it shows: Down."],
  [
    { refreshed: 0, down: 1, locked: 2 },
    "nothing refreshed. 2 cells keep what they show (first: Plan!C2): Protected. 1 cell keeps what it shows: Down.",
  ],
  [{ refreshed: 0 }, "nothing refreshed. The refresh failed."],
])("says how a refresh failed, the most frequent reason first: %j", (given, words) => {
  const { refreshed, down = 0, locked = 0 } = given as { refreshed: number; down?: number; locked?: number };
  const cell = { sheet: "Plan", row: 1, col: 2 };
  const unrefreshed = [
    ...Array.from({ length: down }, () => ({ cell, because: { code: "service-down", message: "Down." } })),
    ...Array.from({ length: locked }, () => ({ cell, because: { code: "internal", message: "Protected." } })),
  ];
  expect(failureWords({ cells: 5, refreshed, unrefreshed, error: null } as unknown as RefreshState)).toBe(
    words,
  );
});

it("names cells that Excel doesn't calculate only if they show an error", () => {
  const cell = { sheet: "Plan", row: 1, col: 2 };
  const skipped = { cell, showsError: false };
  expect(uncalledWords({ uncalled: [skipped, skipped] })).toBe("");
  expect(uncalledWords({ uncalled: [skipped, { cell, showsError: true }] })).toBe(
    " Excel doesn't calculate 1 cell that shows an error (first: Plan!C2).",
  );
});
