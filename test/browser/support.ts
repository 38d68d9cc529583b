/**
 * Shared by all browser tests: Chromium, and pages on the running server in light or dark theme. The network is closed
 * except for this machine; the installed package answers for Office's address. Each page's complaints are recorded.
 */
import { existsSync, readFileSync } from "node:fs";
import type * as nodeModule from "node:module";
import { join } from "node:path";
import { runInThisContext } from "node:vm";
import axe from "axe-core";
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  BrowserType,
  Frame,
  Locator,
  Page,
  Route,
} from "playwright-core";
import type { BrowserBinary } from "../helpers/browser-binary";
import { movedByMs, moveDate } from "../helpers/moved-date";

/** Playwright, loaded by Node once per worker. Jest would evaluate it again for each test file, which takes 0.4 s. */
const { createRequire } = runInThisContext('process.getBuiltinModule("node:module")') as typeof nodeModule;
const { chromium } = createRequire(__filename)("playwright-core") as { readonly chromium: BrowserType };

declare global {
  interface Window {
    axe: typeof axe;
  }
}

export type Theme = "light" | "dark";

export interface OpenPage {
  readonly page: Page;
  /** Console errors, page errors, refused requests and policy violations, in order. */
  readonly complaints: string[];
}

/** Limit for one step, such as a click or an expected value. A step that takes longer hangs on any machine. */
const patienceMs = 90_000;

/** Contexts that the running test opened. */
let contexts: BrowserContext[] = [];
let pictures = 0;
// Contexts opened before the tests stay until the browser closes. A test's own pages are closed, to save time for later tests.
beforeEach(() => {
  contexts = [];
  pictures = 0;
});
afterEach(async () => {
  for (const page of contexts.flatMap((context) => context.pages())) await keepPicture(page);
  await Promise.all(contexts.map((context) => context.close()));
});

/** Saves a picture at each accessibility check, and of pages that a test leaves open, in the folder that INV_SHOTS names. */
async function keepPicture(page: Page): Promise<void> {
  const folder = process.env.INV_SHOTS;
  if (folder === undefined) return;
  const test = (expect.getState().currentTestName ?? "").replaceAll(/[^\p{L}\p{N}]+/gu, "-").slice(0, 100);
  await page.screenshot({ path: join(folder, `${test}-${(pictures += 1)}.png`) });
}

/** Addresses of the servers under test, one for each worker. */
const origins = JSON.parse(process.env.INV_TEST_ORIGINS ?? "[]") as readonly string[];
export const origin = origins[Number(process.env.JEST_WORKER_ID) - 1] ?? "";

const officeFolder = join(__dirname, "..", "..", "node_modules", "@microsoft", "office-js", "dist");
const officeAddress = "https://appsforoffice.microsoft.com/lib/1/hosted/";

let launched: Promise<Browser> | null = null;
afterAll(async () => (await launched)?.close());

/** A context of the one browser for all tests of a file, which starts with the first context. */
export async function newContext(settings: BrowserContextOptions = {}): Promise<BrowserContext> {
  const browser = await (launched ??= launchBrowser());
  const context = await browser.newContext(settings);
  context.setDefaultTimeout(patienceMs);
  return context;
}

async function launchBrowser(): Promise<Browser> {
  const binary = JSON.parse(process.env.INV_TEST_BROWSER ?? "null") as BrowserBinary | null;
  if (binary === null) throw new Error("Run browser tests through jest's browser project.");
  return chromium.launch({
    timeout: patienceMs,
    executablePath: binary.path,
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--force-color-profile=srgb"],
    env: { ...(process.env as Record<string, string>), ...binary.variables },
  });
}

export interface OpenOptions {
  readonly theme?: Theme;
  /** Default: 1200 by 660. The grid draws itself again at each key, and takes a quarter longer on a page twice as large. */
  readonly width?: number;
  readonly height?: number;
  /** Runs in every page and frame before any script of its own. It can't use anything outside the function. */
  readonly before?: () => void;
  /** Replaces the page's colours with the system's few, as a contrast theme of Windows does. */
  readonly forcedColors?: boolean;
  /** The system's language, which also sets the format of numbers. Default: English. */
  readonly locale?: string;
  /** The system's time zone. Default: this machine's. */
  readonly timezone?: string;
}

export async function openPage(path: string, options: OpenOptions = {}): Promise<OpenPage> {
  const { theme = "light", width = 1200, height = 660, forcedColors = false, locale = "en-US" } = options;
  const { timezone } = options;
  const settings: BrowserContextOptions = {
    colorScheme: theme,
    viewport: { width, height },
    // A browser on a bare Linux reports the language "en-US@posix", which its own number formats reject.
    locale,
    forcedColors: forcedColors ? "active" : "none",
    // A test's own server or HAProxy has a certificate of its own.
    ignoreHTTPSErrors: true,
    ...(timezone === undefined ? {} : { timezoneId: timezone }),
  };
  const context = await newContext(settings);
  contexts.push(context);
  await context.addInitScript(moveDate, movedByMs());
  await context.addInitScript(endTransitions);
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

/** Runs in the page: the grid's toolbar would fade 80 buttons in and out at each cell that is edited. INV has no transitions of its own. */
function endTransitions(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { transition: none !important }");
  document.adoptedStyleSheets = [sheet];
}

/** Retries an assertion until it passes. After `patienceMs` it fails with the last error. */
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

/** Waits until no element matches. */
export function gone(locator: Locator): Promise<void> {
  return eventually(async () => expect(await locator.count()).toBe(0));
}

/** Waits until all finite animations and transitions have ended. */
export async function stillness(frame: Page | Frame): Promise<void> {
  await frame.evaluate(async () => {
    const ends = ({ playState, effect }: Animation) =>
      playState === "running" && Number(effect?.getComputedTiming().endTime) < Infinity;
    for (;;) {
      // Elements that were redrawn a moment ago begin their transitions with the next frame.
      for (let frames = 0; frames < 2; frames += 1) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      const running = document.getAnimations().filter(ends);
      if (running.length === 0) return;
      await Promise.allSettled(running.map(({ finished }) => finished));
    }
  });
}

/** For `before`: INV's minutes last 20 times as long, so that no machine is too slow for a step within one. */
export function slowTime(): void {
  const now = performance.now.bind(performance);
  performance.now = () => now() / 20;
}

/** Rules that a page breaks, as `rule: first element`. If `rules` is set, checks only those. Empty if it breaks no rule. */
export async function accessibilityProblems(
  frame: Page | Frame,
  rules?: readonly string[],
): Promise<string[]> {
  await stillness(frame);
  await keepPicture(pageOf(frame));
  if (!(await frame.evaluate(() => "axe" in window))) await frame.evaluate(axe.source);
  const violations = await frame.evaluate(async (only) => {
    const { violations } = await window.axe.run(document, only ? { runOnly: [...only] } : {});
    return violations.map(({ id, nodes }) => `${id}: ${String(nodes[0]?.target)} (${nodes.length})`);
  }, rules);
  return [...violations, ...(await frame.evaluate(redParts))];
}

/**
 * Red parts of the pane, or of the browser workbook around its grid, that don't name production: planners learn to read
 * red as real stock.
 */
function redParts(): string[] {
  if (document.querySelector(".header, .bar") === null) return [];
  const isRed = (color: string): boolean => {
    const [red = 0, green = 0, blue = 0, alpha = 1] = color.match(/[\d.]+/g)?.map(Number) ?? [];
    const most = Math.max(red, green, blue);
    const least = Math.min(red, green, blue);
    // Red means a hue within 12 degrees of red that isn't grey.
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

/** The rules of axe whose result depends on colours. */
const colourRules = ["color-contrast", "link-in-text-block"];

/** Problems in both themes: checks all rules in the current theme and colour rules in the other, then switches back. */
export async function problemsInBothThemes(frame: Page | Frame): Promise<string[]> {
  const problems = await accessibilityProblems(frame);
  const isDark = await frame.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  const turn = (await isBesideGrid(frame)) ? turnFrame : turnTo;
  await turn(frame, isDark ? "light" : "dark");
  problems.push(...(await accessibilityProblems(frame, colourRules)));
  await turn(frame, isDark ? "dark" : "light");
  return problems;
}

/** Whether it is the pane of the browser workbook. */
function isBesideGrid(frame: Page | Frame): Promise<boolean> {
  return frame.evaluate(
    () => window.parent !== window && window.parent.document.getElementById("grid") !== null,
  );
}

/** Sets the theme of the pane alone, as its host does. The grid would take 0.2 s of processor time to draw itself again. */
async function turnFrame(frame: Page | Frame, theme: Theme): Promise<void> {
  await frame.evaluate((to) => void (document.documentElement.dataset["theme"] = to), theme);
}

/** Sets the system's theme. Every page follows it unless a person has chosen another theme. */
export async function turnTo(frame: Page | Frame, theme: Theme): Promise<void> {
  await pageOf(frame).emulateMedia({ colorScheme: theme });
  await frame.waitForFunction((to) => (document.documentElement.dataset["theme"] ?? to) === to, theme);
}

/** The theme that the page's background shows. */
export async function drawnTheme(frame: Page | Frame): Promise<Theme | null> {
  const background = await frame.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [red = 0] = background.match(/\d+/g)?.map(Number) ?? [];
  return red < 80 ? "dark" : red > 200 ? "light" : null;
}

export async function isCutOff(frame: Page | Frame): Promise<boolean> {
  return frame.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
}

const pageOf = (frame: Page | Frame): Page => ("page" in frame ? frame.page() : frame);

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
