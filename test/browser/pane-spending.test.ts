/** A fill-down that needs many requests, in Chromium: the pane asks and shows the cost, and each choice does what it says. */
import { openPane, productionLike, type OpenedPane } from "./pane-host";
import { button, connectTo } from "./pane-parts";
import { eventually, isCutOff, problemsInBothThemes, slowTime } from "./support";

/** Each store needs its own request. */
const formulas = Array.from({ length: 150 }, (_, index) => `=INV.QTY(${1000 + index},"00012345678905")`);

/** Fills down. The first 100 formulas are answered, then the pane asks. */
async function fillDown(): Promise<OpenedPane> {
  // INV waits half a minute for the person's choice.
  const opened = await openPane({ environments: [productionLike()], formulas, before: slowTime, width: 320 });
  const { pane } = opened;
  await connectTo(pane, "production");
  await pane
    .locator(".notices")
    .getByText(/Your company shares this quota/)
    .waitFor();
  await untilAnswered(opened, 100);
  return opened;
}

async function untilAnswered({ values }: OpenedPane, count: number): Promise<void> {
  await eventually(async () => {
    const isAnswer = (value: unknown) => typeof value === "number" || String(value).startsWith("#N/A");
    expect((await values()).filter(isAnswer)).toHaveLength(count);
  });
}

it("is paused above 100 requests, shows its price, and is fetched when the person agrees", async () => {
  const opened = await fillDown();
  const { page, pane, complaints } = opened;
  const question = pane.locator(".notices .message-warning", { hasText: "requests" });
  await eventually(async () => {
    const words = await question.innerText();
    expect(words).toMatch(/50 cells use 50 of 600 requests, /);
    expect(words).toMatch(/If you don't choose, INV continues at \d\d:\d\d \(in \d+ s\)/);
  });
  expect(await problemsInBothThemes(pane)).toEqual([]);
  expect(await isCutOff(pane)).toBe(false);
  await button(pane, "Fetch all").focus();
  await page.keyboard.press("Enter");
  await untilAnswered(opened, 150);
  await question.waitFor({ state: "detached" });
  // The demo answers unknown stores with 404, and Chromium reports each 404.
  expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
});
