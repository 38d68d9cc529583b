/** The pane beside the browser workbook: its list of problems follows edits, and a chosen environment survives a reload. */
import { productionLike, usableEnvironments } from "./pane-host";
import { connectTo } from "./pane-parts";
import { isSaved } from "./saved-workbook";
import { openScratch, scratch, type WorkbookPage } from "./workbook-page";

let workbook: WorkbookPage;

beforeAll(async () => {
  workbook = await openScratch();
});

const place = { sheet: scratch, row: 30, col: 0, rows: 1, cols: 1 };
const write = (formula: string | null): Promise<void> =>
  workbook.port((port, { area, text }) => port.write(area, [[text]]), { area: place, text: formula });

test("a deleted formula leaves the problem list and its badge", async () => {
  const badge = async () => {
    const found = workbook.pane().locator("#inv-tab-refresh .badge");
    // Read without waiting: the badge may disappear between two reads.
    const [text] = await found.allTextContents();
    return text === undefined ? 0 : Number.parseInt(text, 10);
  };
  const before = await badge();
  await write('=INV.QTY("no store","00012345678905")');
  await workbook.until(async () => (await badge()) === before + 1);
  await write(null);
  await workbook.until(async () => (await badge()) === before);
});

test("keeps the chosen environment after a reload", async () => {
  const { page } = workbook;
  const setting = (name: string) => workbook.port((port, key) => port.setting(key), name);
  const sandbox = productionLike({ id: "sandbox", label: "Sandbox", kind: "sandbox" });
  const environments = [...(await usableEnvironments()), sandbox];
  await page.route("**/environments.json", (route) => route.fulfill({ json: { environments } }));
  await page.reload();
  await workbook.settled();
  const pane = workbook.pane();
  await connectTo(pane, "sandbox", true);
  await pane.getByText("Connected to Sandbox").waitFor();
  await workbook.until(async () => (await setting("inv.environment")) === "sandbox");
  await workbook.until(async () => (await setting("inv.mark")) !== null);
  await workbook.until(isSaved(page, '"inv.environment":"sandbox"'));
  await workbook.until(isSaved(page, '"inv.mark"'));
  await page.reload();
  await workbook.pane().locator(".header-sandbox").waitFor();
  await workbook.until(async () => (await setting("inv.environment")) === "sandbox");
});
