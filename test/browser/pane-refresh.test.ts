/** Refreshing in Chromium when the service misbehaves: nothing lost, stale cells listed, cancel and resume. */
import type { Page } from "playwright-core";
import { openPane } from "./pane-host";
import { button, openTab } from "./pane-parts";
import { accessibilityProblems, eventually } from "./support";

const formulas = Array.from({ length: 12 }, (_, index) => `=INV.QTY(1234,"0001234567890${index % 10}")`);
const known = '=INV.QTY(1234,"00012345678905")';

async function isNumber(values: () => Promise<unknown[]>): Promise<number> {
  await eventually(async () => expect((await values())[0]).toEqual(expect.any(Number)));
  return (await values())[0] as number;
}

/** Every formula has come to its end. */
async function allAnswered(page: Page): Promise<void> {
  await page.waitForFunction((count) => {
    const values = window.testHost.values();
    return values.length === count && values.every((value) => value !== "#BUSY!" && value !== null);
  }, formulas.length);
}

/** Answers of the data calls from now on; null lets them through again. */
async function answerSearches(page: Page, status: number | "hang" | null): Promise<void> {
  await page.unroute("**/relay/demo/search-items");
  if (status === null) return;
  await page.route("**/relay/demo/search-items", (route) =>
    status === "hang" ? undefined : route.fulfill({ status, json: { message: "broken" } }),
  );
}

describe("a refresh", () => {
  it("whose results the host loses has them calculated again, and says so", async () => {
    const { pane, values } = await openPane({ formulas: [known], losesResults: true });
    await isNumber(values);
    await openTab(pane, "Refresh");
    await button(pane, "Refresh").click();
    await pane.getByText(/Excel had lost the results of 1 cell/).waitFor();
    await pane.getByText(/1 cell refreshed/).waitFor();
    expect(await accessibilityProblems(pane)).toEqual([]);
  });

  it("that fails at its first call keeps every number and says why", async () => {
    const { page, pane, values } = await openPane({ formulas: [known] });
    const before = await isNumber(values);
    await answerSearches(page, 404);
    await openTab(pane, "Refresh");
    await button(pane, "Refresh").click();
    await pane.getByText(/Every cell keeps its number/).waitFor();
    expect(await values()).toEqual([before]);
  });

  it("that asks shows nothing of the work before it", async () => {
    const { page, pane } = await openPane({ formulas });
    await allAnswered(page);
    await openTab(pane, "Refresh");
    await pane.getByText(new RegExp(`^${formulas.length} cells: 1 call, `)).waitFor();
    let answer: (() => void) | null = null;
    await page.route("**/relay/demo/search-items", async (route) => {
      await new Promise<void>((resolve) => (answer = resolve));
      await route.continue();
    });
    await button(pane, "Refresh").click();
    const figures = pane.locator(".figures");
    await figures.getByText("Asking the service…").waitFor();
    await pane.locator(".band-state", { hasText: "Working…" }).waitFor();
    await eventually(() => {
      expect(answer).not.toBeNull();
    });
    // Two turns of what the engine tells, ten times a second.
    await page.waitForTimeout(300);
    expect(await figures.textContent()).toBe("Asking the service…");
    answer!();
    await pane.getByText(/\d+ cells refreshed/).waitFor();
  });

  it("of a whole column costs the one call that was told before", async () => {
    const { page, pane } = await openPane({ formulas });
    await allAnswered(page);
    await openTab(pane, "Refresh");
    await pane.getByText(new RegExp(`^${formulas.length} cells: 1 call, `)).waitFor();
    const calls: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/search-items")) calls.push(request.url());
    });
    await button(pane, "Refresh").click();
    await pane.getByText(/\d+ cells refreshed/).waitFor();
    expect(calls).toHaveLength(1);
  });
});
