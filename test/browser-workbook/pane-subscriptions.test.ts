/** The pane's page loads and unloads with its frame. Its listeners end with it. */
import { createPaneSubscriptions } from "../../src/browser-workbook/pane-subscriptions";
import { createMemoryWorkbook } from "../workbook/memory-workbook";

function setUp() {
  const themes = new Set<(theme: "light" | "dark") => void>();
  const visit = createPaneSubscriptions((listener) => {
    themes.add(listener);
    listener("light");
    return () => void themes.delete(listener);
  });
  const workbook = createMemoryWorkbook(["Plan"]);
  const seen = visit.workbook(workbook);
  return { visit, workbook, seen, themes };
}

const area = { sheet: "Plan", row: 0, col: 0, rows: 1, cols: 1 };

it("reports edits, selections and themes to the page", async () => {
  const { visit, workbook, seen, themes } = setUp();
  const told: string[] = [];
  seen.onEdit(() => told.push("edit"));
  const stop = seen.onSelection(() => told.push("selection"));
  visit.onTheme((theme) => told.push(theme));
  workbook.tellEdit([area]);
  await workbook.select(area);
  expect(told).toEqual(["light", "edit", "selection"]);
  stop();
  await workbook.select(area);
  expect(told).toHaveLength(3);
  expect(themes.size).toBe(1);
});

it("reports nothing to an unloaded page, and everything to the next", async () => {
  const { visit, workbook, seen, themes } = setUp();
  const gone: string[] = [];
  seen.onEdit(() => gone.push("edit"));
  seen.onSelection(() => gone.push("selection"));
  visit.onTheme(() => undefined);
  visit.end();
  const next: string[] = [];
  seen.onEdit(() => next.push("edit"));
  seen.onSelection(() => next.push("selection"));
  workbook.tellEdit([area]);
  await workbook.select(area);
  expect(gone).toEqual([]);
  expect(next).toEqual(["edit", "selection"]);
  expect(themes.size).toBe(0);
});
