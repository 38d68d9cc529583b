/**
 * The environments of `npm start` as a newcomer meets them in the browser workbook: a wrong and a right secret, a switch
 * and back with an open sheet, and two tabs with two environments.
 */
import type { Frame } from "playwright-core";
import { button, openTab } from "./pane-parts";
import { bookOf } from "./saved-workbook";
import { eventually, problemsInBothThemes } from "./support";
import { openAnotherTab, openScratch, openWorkbook, scratch, type WorkbookPage } from "./workbook-page";

/** Items of the sandbox's designated pairs, so that all three environments have values for them. */
const gtins = ["00012345678905", "00012345678912", "00012345678929", "00012345678936"];
const formulas = ["=INV.ENV()", ...gtins.map((gtin) => `=INV.QTY(1234,"${gtin}")`)];

async function cells(workbook: WorkbookPage): Promise<unknown[]> {
  return (await workbook.values(scratch, 0, 0, formulas.length, 1)).map(([value]) => value);
}

async function withCells(): Promise<WorkbookPage> {
  const workbook = await openScratch();
  return writeCells(workbook);
}

async function writeCells(workbook: WorkbookPage): Promise<WorkbookPage> {
  await workbook.write(
    [scratch, 0, 0],
    formulas.map((formula) => [formula]),
  );
  await shows(workbook, "demo");
  return workbook;
}

/** Waits until INV.ENV names the environment and every other cell has a number. Returns the numbers as text. */
async function shows(workbook: WorkbookPage, environment: string): Promise<string> {
  await eventually(async () => {
    // Cells keep their old values until they are calculated again.
    await workbook.settled();
    expect(await cells(workbook)).toEqual([environment, ...gtins.map(() => expect.any(Number) as number)]);
  });
  return (await cells(workbook)).slice(1).join(" ");
}

async function choose(pane: Frame, environment: string): Promise<void> {
  await openTab(pane, "Settings");
  await pane.locator("#inv-environment").selectOption(environment);
}

async function connectWithTestCredentials(pane: Frame, environment: string, label: string): Promise<void> {
  await choose(pane, environment);
  await button(pane, "Use test credentials").click();
  await button(pane, `Connect to ${label}`).click();
  await pane.getByText(`Connected to ${label}`).waitFor();
}

test("a wrong secret is refused and changes nothing; the right one connects; the way back is open", async () => {
  const workbook = await withCells();
  const pane = workbook.pane();
  const demo = await shows(workbook, "demo");

  await choose(pane, "embedded-sandbox");
  await pane.locator("#inv-consumer-id").fill("sandbox-consumer");
  await pane.locator("#inv-client-secret").fill("not-the-secret");
  await button(pane, "Connect to Sandbox (sample data)").click();
  await pane.locator(".message-error").waitFor();
  expect((await cells(workbook)).join(" ")).toBe(`demo ${demo}`);

  await button(pane, "Use test credentials").click();
  expect(await pane.locator("#inv-client-secret").inputValue()).toBe("sandbox-secret");
  await button(pane, "Connect to Sandbox (sample data)").click();
  await pane.locator(".header-sandbox").waitFor();
  const sandbox = await shows(workbook, "embedded-sandbox");

  await connectWithTestCredentials(pane, "embedded-production", "Production (sample data)");
  await pane.locator(".header-production").waitFor();
  expect(await pane.locator(".header-production").innerText()).toMatch(/sample data.*not real stock/);
  await workbook.page.click("#toggle-pane");
  const badge = workbook.page.locator("#environment[data-kind=production]:visible");
  expect(await badge.innerText()).toContain("embedded-production");
  expect(await problemsInBothThemes(workbook.page)).toEqual([]);
  await workbook.page.click("#toggle-pane");
  const production = await shows(workbook, "embedded-production");
  expect(new Set([demo, sandbox, production]).size).toBe(3);

  await choose(pane, "demo");
  await button(pane, "Connect to Demo").click();
  await pane.locator(".header-demo").waitFor();
  await shows(workbook, "demo");
});

test("from the switch on no cell shows a number of the environment before, and another tab has its own", async () => {
  const one = await withCells();
  const other = await writeCells(await openAnotherTab(one));
  const { page } = one;
  await shows(one, "demo");
  await page.evaluate(
    ([sheet, rows]) => {
      const seen: { cells: unknown[]; isNew: boolean; isSaid: boolean }[] = [];
      Reflect.set(window, "seen", seen);
      const pane = (document.querySelector("#pane-frame") as HTMLIFrameElement).contentDocument!;
      const look = async () => {
        const port = await window.invHost!.workbook;
        const read = await port.read({ sheet, row: 0, col: 0, rows, cols: 1 }, "values");
        const isSaid = pane.body.innerText.includes("values from before the change");
        seen.push({ cells: read.flat(), isNew: pane.querySelector(".header-demo") === null, isSaid });
        if (Reflect.get(window, "seen") === seen) requestAnimationFrame(() => void look());
      };
      requestAnimationFrame(() => void look());
    },
    [scratch, formulas.length] as const,
  );
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/relay/**/search-items", async (route) => {
    if (route.request().postData()?.includes(gtins[1]!) === true) await held;
    await route.continue();
  });
  await connectWithTestCredentials(one.pane(), "embedded-sandbox", "Sandbox (sample data)");
  await eventually(async () =>
    expect(await cells(one)).toEqual(["embedded-sandbox", ...gtins.map(() => "#BUSY!")]),
  );
  await eventually(async () => {
    const all = await page.evaluate(() => Reflect.get(window, "seen") as { cells: unknown[] }[]);
    expect(all.at(-1)?.cells.slice(1)).toEqual(gtins.map(() => "#BUSY!"));
  });
  release();
  await shows(one, "embedded-sandbox");
  const seen = await page.evaluate(() => {
    const all = Reflect.get(window, "seen") as { cells: unknown[]; isNew: boolean; isSaid: boolean }[];
    Reflect.deleteProperty(window, "seen");
    return all;
  });
  const demo = seen[0]!.cells.slice(1);
  const showsOld = ({ cells: [, ...numbers] }: (typeof seen)[number]) =>
    numbers.some((number, at) => typeof number === "number" && number === demo[at]);
  expect(seen.filter((frame) => frame.cells[0] !== "demo" && showsOld(frame))).toEqual([]);
  // Until the grid calculates, the pane says that these numbers are from before the change.
  expect(seen.filter((frame) => frame.isNew && showsOld(frame) && !frame.isSaid)).toEqual([]);
  expect(seen.some(({ cells: [, ...numbers] }) => numbers.every((number) => number === "#BUSY!"))).toBe(true);

  await connectWithTestCredentials(other.pane(), "embedded-production", "Production (sample data)");
  const production = await shows(other, "embedded-production");
  expect(await shows(one, "embedded-sandbox")).not.toBe(production);
});

test("a workbook whose environment isn't set up here has no problem that no cell shows", async () => {
  const book = bookOf({});
  const custom = { "inv.environment": "elsewhere" };
  const workbook = await openWorkbook("/", { saved: { ...book, snapshot: { ...book.snapshot, custom } } });
  const pane = workbook.pane();
  await pane.getByText("This workbook uses the environment “elsewhere”").waitFor();
  await pane.getByText("Continue without a connection").click();
  await openTab(pane, "Refresh");
  await pane.getByText("No INV formulas yet.").waitFor();
  expect(await pane.getByText("without a number").count()).toBe(0);
  expect(await pane.locator(".badge").count()).toBe(0);
  await workbook.page.click("#toggle-pane");
  expect(await workbook.page.locator("#environment").isHidden()).toBe(true);
  expect(await workbook.page.textContent("#status")).toBe("Not connected");
});
