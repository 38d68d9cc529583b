/** The help pages in Chromium: readable by everybody, on the narrowest screen. */
import type { Page } from "playwright-core";
import { accessibilityProblems, eventually, openPage } from "./support";

const narrowPx = 320;
const smallestTextPx = 12;

/** Elements that reach out of the window or are written smaller than can be read, and scrolling aside. */
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

/** Pages of functions are made alike, and so are topics; these hold all that a page can hold. */
const looked = ["index", "qty", "events", "eventtypes", "errors", "freshness", "keys"];

describe.each(["light", "dark"] as const)("help in %s", (theme) => {
  it.each(looked)("/help/%s is accessible, and readable on a narrow screen", async (name) => {
    const { page, complaints } = await openPage(`/help/${name}`, { theme });
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.setViewportSize({ width: narrowPx, height: 640 });
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await unreadable(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("is drawn in that theme", async () => {
    const { page } = await openPage("/help/qty", { theme });
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const [red = 0] = background.match(/\d+/g)?.map(Number) ?? [];
    if (theme === "dark") expect(red).toBeLessThan(80);
    else expect(red).toBeGreaterThan(200);
  });
});

test("is read by the keyboard: the first key leads past the list of functions", async () => {
  const { page } = await openPage("/help/qty", { width: narrowPx });
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the text");
  await page.keyboard.press("Enter");
  await eventually(async () => expect(await page.evaluate(() => document.activeElement?.id)).toBe("main"));
});
