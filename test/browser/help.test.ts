/** The help pages in Chromium: one for each released function and each topic, readable by everybody, on the narrowest screen. */
import type { Page } from "playwright-core";
import released from "../released-functions.json";
import { accessibilityProblems, eventually, openPage, origin } from "./support";

/** The index, a page for each function under its id in small letters, and the topics. */
const topics = {
  errors: "What a cell shows without a value",
  freshness: "How old values are",
  stale: "Last known values",
  quota: "The quota",
  guard: "Large fill-downs: fetch all, or stop",
  offline: "Offline",
  sharing: "Mailing and sharing a workbook",
  connecting: "Connecting, and whose credentials",
  numbers: "Stores, GTINs and item numbers",
  keys: "Keys",
};
const titles = new Map([
  ["index", "INV help"],
  ...released.map(({ id, name }) => [id.toLowerCase(), `INV.${name}`] as const),
  ...Object.entries(topics),
]);
const names = [...titles.keys()];
const narrowPx = 320;
const smallestTextPx = 12;

const links = (page: Page): Promise<string[]> =>
  page.evaluate(() => Array.from(document.links, (link) => link.href));

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

test("has no dead link, and leads from each page to every other", async () => {
  const { page, complaints } = await openPage("/help");
  const answers = new Map<string, string>();
  for (const name of names) {
    await page.goto(`${origin}/help/${name}`);
    expect(await page.locator("h1").textContent()).toBe(titles.get(name));
    const found = await links(page);
    for (const other of names) expect(found).toContain(`${origin}/help/${other}.html`);
    for (const href of found) {
      const { href: address, hash } = new URL(href);
      const file = address.slice(0, address.length - hash.length);
      if (!answers.has(file)) {
        const response = await fetch(file);
        answers.set(file, `${response.status} ${await response.text()}`);
      }
      expect([href, answers.get(file)?.slice(0, 3)]).toEqual([href, "200"]);
      if (hash !== "") expect(answers.get(file)).toContain(`id="${hash.slice(1)}"`);
    }
  }
  expect(answers.size).toBeGreaterThan(names.length);
  expect(complaints).toEqual([]);
});

test("is read by the keyboard: the first key leads past the list of functions", async () => {
  const { page } = await openPage("/help/qty", { width: narrowPx });
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the text");
  await page.keyboard.press("Enter");
  await eventually(async () => expect(await page.evaluate(() => document.activeElement?.id)).toBe("main"));
});
