/**
 * The pane under a contrast theme, where the system replaces every colour with a few of its own. Differences that only a
 * background colour showed disappear. The tests check computed colours, which are the replaced ones.
 */
import axe from "axe-core";
import type { Frame, Locator, Page } from "playwright-core";
import { openPane, type OpenedPane, type PaneOptions, productionLike, usableEnvironments } from "./pane-host";
import { button, openTab, tab, unfold } from "./pane-parts";
import { eventually, problemsInBothThemes, slowTime, stillness, turnTo } from "./support";

const formulas = ['=INV.QTY(1234,"00012345678905")', '=INV.QTY(1234,"12345")'];
const tabs = ["Refresh", "Cell", "Templates", "Settings"] as const;
/** Least contrast that WCAG 1.4.11 requires for marks, edges and focus rings. */
const leastContrast = 3;

async function openSettled(options: PaneOptions = {}): Promise<OpenedPane> {
  const environments = [...(await usableEnvironments()), productionLike()];
  const opened = await openPane({ formulas, environments, forcedColors: true, ...options });
  await opened.answered();
  return opened;
}

/** Looks in the light theme, then in the dark theme: the system's colours differ between them. */
async function overBoth(pane: Frame, look: () => Promise<void>): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    await turnTo(pane, theme);
    await look();
  }
}

/** Something that must be distinguishable: its colours, of which one is enough, and its background. */
interface Mark {
  readonly what: string;
  readonly colors: readonly string[];
  readonly ground: string;
}

function unseen(marks: readonly Mark[]): string[] {
  return marks
    .filter(({ colors, ground }) => !colors.some((color) => contrast(color, ground) >= leastContrast))
    .map(({ what, colors, ground }) => `${what}: ${colors.join(" or ")} on ${ground}`);
}

/** WCAG's contrast ratio, 1 to 21. The colour may be partly transparent. */
function contrast(color: string, ground: string): number {
  const { Color, getContrast } = (axe.commons as unknown as { color: AxeColors }).color;
  const [front, back] = [color, ground].map((text) => {
    const parsed = new Color();
    parsed.parseString(text);
    return parsed;
  });
  return getContrast(back!, front!);
}

/** Parts of axe's library that its types leave out. */
interface AxeColors {
  readonly Color: new () => { parseString(text: string): void };
  getContrast(ground: object, color: object): number;
}

/** Everything with a visible shape: an edge, or a background of its own. */
async function shapes(pane: Frame): Promise<Mark[]> {
  await stillness(pane);
  return pane.evaluate(() => {
    const ground = getComputedStyle(document.body).backgroundColor;
    const all = ".button, .message, .bar, .badge, .control, .environment, .views label > span";
    return [...document.querySelectorAll<HTMLElement>(all)]
      .filter((element) => element.checkVisibility())
      .map((element) => {
        const { backgroundColor, borderTopColor, borderTopWidth } = getComputedStyle(element);
        return {
          what: `${element.tagName.toLowerCase()}.${element.className} ${element.textContent.slice(0, 20)}`,
          colors: [backgroundColor, ...(borderTopWidth === "0px" ? [] : [borderTopColor])],
          ground,
        };
      });
  });
}

/** The drawn colours of each progress bar at half: of the full half and of the empty half. */
async function fills(page: Page, pane: Frame): Promise<Mark[]> {
  const marks: Mark[] = [];
  for (const bar of await pane.locator("progress:visible").all()) {
    const picture = await halfFull(bar);
    const [full = "", empty = ""] = await colorsAt(page, picture, [0.25, 0.75]);
    marks.push({ what: (await bar.getAttribute("aria-label")) ?? "", colors: [full], ground: empty });
  }
  return marks;
}

/** A picture of the bar at half. Takes it again if the pane redraws the bar meanwhile. */
async function halfFull(bar: Locator): Promise<Buffer> {
  for (;;) {
    await bar.evaluate((element: HTMLProgressElement) => (element.value = element.max / 2));
    const picture = await bar.screenshot({ animations: "disabled" });
    if ((await bar.evaluate((element: HTMLProgressElement) => element.position)) === 0.5) return picture;
  }
}

/** Colours at half the picture's height, at these shares of its width. A page without the policy reads them. */
async function colorsAt(page: Page, picture: Buffer, shares: readonly number[]): Promise<string[]> {
  const reader = await page.context().newPage();
  const colors = await reader.evaluate(
    async ({ source, shares: at }) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
      canvas?.drawImage(image, 0, 0);
      return at.map((share) => {
        const place = [Math.floor(image.width * share), Math.floor(image.height / 2), 1, 1] as const;
        const [red, green, blue] = canvas?.getImageData(...place).data ?? [];
        return `rgb(${String(red)}, ${String(green)}, ${String(blue)})`;
      });
    },
    { source: `data:image/png;base64,${picture.toString("base64")}`, shares },
  );
  await reader.close();
  return colors;
}

function selectedMark(pane: Frame): Promise<Mark> {
  return pane.locator("[role=tab][aria-selected=true]").evaluate((selected) => ({
    what: "mark of the selected tab",
    colors: [getComputedStyle(selected, "::after").backgroundColor],
    ground: getComputedStyle(document.body).backgroundColor,
  }));
}

/** The outline of the focused element. Null if the pane has no focus. */
function focusRing(pane: Frame): Promise<Mark | null> {
  return pane.evaluate(() => {
    const focused = document.activeElement;
    if (focused === null || focused === document.body) return null;
    const colors = [getComputedStyle(focused)]
      .filter(({ outlineStyle, outlineWidth }) => outlineStyle !== "none" && parseFloat(outlineWidth) >= 1)
      .map(({ outlineColor }) => outlineColor);
    const ground = getComputedStyle(document.body).backgroundColor;
    return { what: `${focused.tagName} ${focused.id} ${focused.textContent.slice(0, 20)}`, colors, ground };
  });
}

it("has an edge around everything that has a shape, a mark under the selected tab, and no accessibility problem", async () => {
  const { pane } = await openSettled();
  await pane.locator(".badge").waitFor();
  for (const name of tabs) {
    await openTab(pane, name);
    if (name === "Settings") await pane.locator("#inv-environment").selectOption("production");
    if (name === "Refresh") await unfold(pane, "without a number");
    await overBoth(pane, async () => {
      const found = await shapes(pane);
      expect(found.length).toBeGreaterThan(1);
      expect(unseen([...found, await selectedMark(pane)])).toEqual([]);
    });
    expect(await problemsInBothThemes(pane)).toEqual([]);
  }
});

it("distinguishes the filled part of the bar and of the meters from the empty part", async () => {
  const { page, pane } = await openSettled({ before: slowTime });
  await page.route("**/relay/demo/search-items", () => undefined);
  await openTab(pane, "Refresh");
  await button(pane, "Refresh").click();
  await pane.getByText("Asking the service…").first().waitFor();
  const expectBars = async (names: readonly RegExp[]) => {
    await eventually(async () => expect(await pane.locator("progress:visible").count()).toBe(names.length));
    await overBoth(pane, async () => {
      const found = await fills(page, pane);
      expect(found.map(({ what }) => what)).toEqual(
        names.map((name) => expect.stringMatching(name) as string),
      );
      expect(unseen([...found, ...(await shapes(pane))])).toEqual([]);
    });
    expect(await problemsInBothThemes(pane)).toEqual([]);
  };
  await expectBars([/^Cells done$/]);
  await openTab(pane, "Settings");
  await unfold(pane, "Quota");
  // The requests of the last minute include those of the formulas.
  await pane
    .locator("#inv-panel-settings")
    .getByText(/^[1-9]\d* of/)
    .first()
    .waitFor();
  await expectBars([
    /^Inventory requests of the last minute: [1-9]\d* of/,
    /^Events requests of the last minute/,
  ]);
});

it("shows where the keyboard is, all through each tab", async () => {
  const { page, pane } = await openSettled();
  for (const name of tabs) {
    await openTab(pane, name);
    if (name === "Settings") await pane.locator("#inv-environment").selectOption("production");
    await tab(pane, name).focus();
    // Browsers show the ring only for keyboard users, so a key comes first, and Tab reaches each later place.
    await page.keyboard.press("Shift");
    let places = 0;
    for (; places < 30 && (await focusRing(pane)) !== null; places += 1) {
      await overBoth(pane, async () => expect(unseen([(await focusRing(pane))!])).toEqual([]));
      await page.keyboard.press("Tab");
    }
    expect([name, places >= 3 && places < 30]).toEqual([name, true]);
  }
});
