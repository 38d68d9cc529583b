/**
 * What every browser test needs: Chromium, a page on the running server in light or dark, the network
 * closed but for this machine (Office's address is answered from the installed package), and a record
 * of everything the page complained about.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Frame,
  type Locator,
  type Page,
  type Route,
} from "playwright-core";
import type { BrowserBinary } from "../helpers/browser-binary";
import { movedByMs, moveDate } from "../helpers/moved-date";

export type Theme = "light" | "dark";

export interface OpenPage {
  readonly page: Page;
  /** Console errors, page errors, refused requests and policy violations, in order. */
  readonly complaints: string[];
}

/** How long one step may take, a click or a value that comes: what takes longer on any machine hangs. */
export const patienceMs = 90_000;

/** Opened by the test that runs. */
let contexts: BrowserContext[] = [];
let pictures = 0;
// What was opened before the tests stays until the browser goes; a test's own pages only take time from those after it.
beforeEach(() => {
  contexts = [];
  pictures = 0;
});
afterEach(async () => {
  for (const page of contexts.flatMap((context) => context.pages())) await keepPicture(page);
  await Promise.all(contexts.map((context) => context.close()));
});

/** Of each look at accessibility and of the pages that a test leaves open, in the folder that INV_SHOTS names: for whoever wants to look. */
async function keepPicture(page: Page): Promise<void> {
  const folder = process.env.INV_SHOTS;
  if (folder === undefined) return;
  const test = (expect.getState().currentTestName ?? "").replaceAll(/[^\p{L}\p{N}]+/gu, "-").slice(0, 100);
  await page.screenshot({ path: join(folder, `${test}-${(pictures += 1)}.png`) });
}

/** Where the server under test answers. */
const origins = JSON.parse(process.env.INV_TEST_ORIGINS ?? "[]") as readonly string[];
export const origin = origins[Number(process.env.JEST_WORKER_ID) - 1] ?? "";

const officeFolder = join(__dirname, "..", "..", "node_modules", "@microsoft", "office-js", "dist");
const officeAddress = "https://appsforoffice.microsoft.com/lib/1/hosted/";

let launched: Promise<Browser> | null = null;
afterAll(async () => (await launched)?.close());

/** One for all the tests of a file, from the first page on. */
export function theBrowser(): Promise<Browser> {
  return (launched ??= launchBrowser());
}

async function launchBrowser(): Promise<Browser> {
  const binary = JSON.parse(process.env.INV_TEST_BROWSER ?? "null") as BrowserBinary | null;
  if (binary === null) throw new Error("Run browser tests through jest's browser project.");
  return chromium.launch({
    executablePath: binary.path,
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--force-color-profile=srgb"],
    env: { ...(process.env as Record<string, string>), ...binary.variables },
  });
}

export interface OpenOptions {
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  /** Runs in every page and frame before any script of its own; nothing outside it is there. */
  readonly before?: () => void;
  /** The system's own few colours in place of the page's, as with a contrast theme of Windows. */
  readonly forcedColors?: boolean;
  /** The language of the system, and with it the form of its numbers; English unless given. */
  readonly locale?: string;
}

export async function openPage(path: string, options: OpenOptions = {}): Promise<OpenPage> {
  const { theme = "light", width = 1400, height = 900, forcedColors = false, locale = "en-US" } = options;
  const settings: BrowserContextOptions = {
    colorScheme: theme,
    viewport: { width, height },
    // A browser on a bare Linux calls its language "en-US@posix", which its own number formats refuse.
    locale,
    forcedColors: forcedColors ? "active" : "none",
  };
  const context = await (await theBrowser()).newContext(settings);
  contexts.push(context);
  context.setDefaultTimeout(patienceMs);
  await context.addInitScript(moveDate, movedByMs());
  if (options.before) await context.addInitScript(options.before);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  await context.route(
    (url) => url.origin !== new URL(path, origin).origin,
    (route) => answerFromHere(route, complaints),
  );
  await page.goto(new URL(path, origin).href);
  return { page, complaints };
}

/** Tries an assertion until it holds; fails as it failed last, once patience has ended. */
export async function eventually(assertion: () => Promise<void> | void): Promise<void> {
  const lastMs = performance.now() + patienceMs;
  for (;;) {
    try {
      await assertion();
      return;
    } catch (error) {
      if (performance.now() > lastMs) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until nothing of it is there any more. */
export function gone(locator: Locator): Promise<void> {
  return eventually(async () => expect(await locator.count()).toBe(0));
}

/** Until everything that moves or changes its colour gradually has arrived, but for what never ends. */
export async function stillness(frame: Page | Frame): Promise<void> {
  await frame.evaluate(async () => {
    const ends = ({ playState, effect }: Animation) =>
      playState === "running" && Number(effect?.getComputedTiming().endTime) < Infinity;
    for (;;) {
      // What was drawn anew a moment ago begins its transitions with the next frame.
      for (let frames = 0; frames < 2; frames += 1) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      const running = document.getAnimations().filter(ends);
      if (running.length === 0) return;
      await Promise.allSettled(running.map(({ finished }) => finished));
    }
  });
}

/** As `before`: a minute as INV counts it lasts twenty, so that no machine is too slow to do something within it. */
export function slowTime(): void {
  const now = performance.now.bind(performance);
  performance.now = () => now() / 20;
}

/** Rules a page breaks, as `rule: first element`; of these rules alone, where any are named. Empty when there is none. */
export async function accessibilityProblems(frame: Page | Frame, rules?: string[]): Promise<string[]> {
  await stillness(frame);
  await keepPicture(pageOf(frame));
  await frame.evaluate(axe.source);
  const violations = await frame.evaluate(async (only) => {
    const { violations } = await window.axe.run(document, only ? { runOnly: only } : {});
    return violations.map(({ id, nodes }) => `${id}: ${String(nodes[0]?.target)} (${nodes.length})`);
  }, rules);
  return [...violations, ...(await frame.evaluate(redParts))];
}

/**
 * Parts of the pane, or of the browser workbook around its grid, that are red though they don't name production:
 * planners learn to read the colour as real stock.
 */
function redParts(): string[] {
  if (document.querySelector(".header, .bar") === null) return [];
  const isRed = (color: string): boolean => {
    const [red = 0, green = 0, blue = 0, alpha = 1] = color.match(/[\d.]+/g)?.map(Number) ?? [];
    const most = Math.max(red, green, blue);
    const least = Math.min(red, green, blue);
    // A hue within 12 degrees of red, and not a grey.
    return alpha > 0 && red === most && most - least > 30 && Math.abs(green - blue) <= 0.2 * (most - least);
  };
  const found: string[] = [];
  const mayBeRed = ".header-production, .environment[data-kind=production], #grid";
  for (const element of document.querySelectorAll("body *")) {
    if (element.closest(mayBeRed) !== null) continue;
    const { color, fill, backgroundColor, borderTopColor, borderTopWidth } = getComputedStyle(element);
    const shown = [color, backgroundColor, ...(borderTopWidth === "0px" ? [] : [borderTopColor])];
    if (element.matches("path, circle, rect")) shown.push(fill);
    if (element.checkVisibility() && shown.some(isRed)) {
      found.push(`red: ${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""}`);
    }
  }
  return found;
}

/** The same in both themes: all rules in the one that is shown, and those of colours in the other, which goes again. */
export async function problemsInBothThemes(frame: Page | Frame): Promise<string[]> {
  const problems = await accessibilityProblems(frame);
  const isDark = await frame.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  await turnTo(frame, isDark ? "light" : "dark");
  problems.push(...(await accessibilityProblems(frame, ["color-contrast", "link-in-text-block"])));
  await turnTo(frame, isDark ? "dark" : "light");
  return problems;
}

/** As the system's choice, which every page follows that nobody has chosen another for. */
export async function turnTo(frame: Page | Frame, theme: Theme): Promise<void> {
  await pageOf(frame).emulateMedia({ colorScheme: theme });
  await frame.waitForFunction((to) => (document.documentElement.dataset["theme"] ?? to) === to, theme);
}

/** The theme in which the page is drawn, by its background. */
export async function drawnTheme(frame: Page | Frame): Promise<Theme | null> {
  const background = await frame.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [red = 0] = background.match(/\d+/g)?.map(Number) ?? [];
  return red < 80 ? "dark" : red > 200 ? "light" : null;
}

/** Something reaches out of the page to the side. */
export async function isCutOff(frame: Page | Frame): Promise<boolean> {
  return frame.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
}

const pageOf = (frame: Page | Frame): Page => ("page" in frame ? frame.page() : frame);

declare global {
  interface Window {
    axe: typeof axe;
  }
}

async function answerFromHere(route: Route, complaints: string[]): Promise<void> {
  const url = route.request().url();
  const file = join(officeFolder, url.slice(officeAddress.length).split("?")[0] ?? "");
  if (url.startsWith(officeAddress) && existsSync(file)) {
    await route.fulfill({ contentType: "text/javascript", body: readFileSync(file) });
    return;
  }
  complaints.push(`request: ${url}`);
  await route.abort();
}
