/** The help pages in Chromium: accessible and readable, even on the narrowest screen. */
import type { Page } from "playwright-core";
import {
  accessibilityProblems,
  drawnTheme,
  eventually,
  openPage,
  origin,
  problemsInBothThemes,
  turnTo,
} from "./support";

const narrowPx = 320;
const smallestTextPx = 12;

/** Elements that extend beyond the window or have too small text, and sideways scrolling. */
const unreadable = (page: Page): Promise<string[]> =>
  page.evaluate((smallestPx) => {
    const root = document.documentElement;
    const shown = [...document.body.querySelectorAll("*")].filter((one) => !one.matches(".skip, wbr, br"));
    const cut = shown.filter((one) => one.getBoundingClientRect().right > root.clientWidth + 0.5);
    const small = shown.filter((one) => Number.parseFloat(getComputedStyle(one).fontSize) < smallestPx);
    return [
      ...(root.scrollWidth > root.clientWidth ? ["the page scrolls aside"] : []),
      ...cut.map((one) => `cut off: ${one.outerHTML.slice(0, 80)}`),
      ...small.map((one) => `too small: ${one.outerHTML.slice(0, 80)}`),
    ];
  }, smallestTextPx);

/** Function pages share one layout, and so do topics. Together these pages contain everything that a page can contain. */
const looked = ["index", "qty", "events", "eventtypes", "errors", "freshness", "keys"];

test("is accessible and readable in either theme, on a narrow screen too", async () => {
  const { page, complaints } = await openPage("/help");
  for (const name of looked) {
    await page.setViewportSize({ width: 1400, height: 900 });
    await page.goto(new URL(`/help/${name}`, origin).href);
    expect([name, await accessibilityProblems(page)]).toEqual([name, []]);
    await page.setViewportSize({ width: narrowPx, height: 640 });
    expect([name, await problemsInBothThemes(page)]).toEqual([name, []]);
    expect([name, await unreadable(page)]).toEqual([name, []]);
  }
  for (const theme of ["dark", "light"] as const) {
    await turnTo(page, theme);
    expect(await drawnTheme(page)).toBe(theme);
  }
  expect(complaints).toEqual([]);
});

test("can be read by keyboard: the first key skips the list of functions", async () => {
  const { page } = await openPage("/help/qty", { width: narrowPx });
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the text");
  await page.keyboard.press("Enter");
  await eventually(async () => expect(await page.evaluate(() => document.activeElement?.id)).toBe("main"));
});
