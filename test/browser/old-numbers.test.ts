/**
 * Old numbers are yellow where they are read: in Grid, whose numbers one formula spills, in an outage, also after the workbook was opened
 * again, until there is an answer.
 */
import { button, openTab, paneDrawn } from "./pane-parts";
import { isSaved } from "./saved-workbook";
import { eventually } from "./support";
import { openScratch, type WorkbookPage } from "./workbook-page";

const stores = [1234, 57];
const gtins = ["00012345678905", "00012345678912"];

/** Pixels of the sheet that have the rule's fill: about 3,000 in each of the four cells. */
function yellowPixels({ page }: WorkbookPage): Promise<number> {
  return page.evaluate(() => {
    let count = 0;
    for (const canvas of document.querySelectorAll<HTMLCanvasElement>("#grid canvas")) {
      const { width, height } = canvas;
      if (width * height === 0) continue;
      const data = canvas.getContext("2d")?.getImageData(0, 0, width, height).data ?? [];
      for (let at = 0; at < data.length; at += 4) {
        if (data[at] === 255 && data[at + 1] === 243 && data[at + 2] === 205) count += 1;
      }
    }
    return count;
  });
}

async function refresh(workbook: WorkbookPage, ending: RegExp): Promise<void> {
  await openTab(workbook.pane(), "Refresh");
  await button(workbook.pane(), /^Refresh$/).click();
  await workbook.pane().getByText(ending).first().waitFor();
  await workbook.settled();
}

test("Grid is yellow in an outage, also after it was opened again, and no longer after an answer", async () => {
  const workbook = await openScratch({ width: 1280, height: 800 });
  const { page } = workbook;
  const isYellow = (is: boolean) =>
    eventually(async () => expect((await yellowPixels(workbook)) > 8_000).toBe(is));
  const pane = workbook.pane();
  await openTab(pane, "Templates");
  await pane.getByRole("button", { name: /^Store x item grid/ }).click();
  await pane.getByLabel(/Or type or paste (?:them|the stores)/).fill(stores.join("\n"));
  await pane.getByLabel(/And the GTINs/).fill(gtins.join("\n"));
  await button(pane, "Build the sheet").click();
  await pane.getByText(/^\s*The sheet "Grid" is built\.$/).waitFor();
  await workbook.settled();
  const numbers = await workbook.values("Grid", 5, 1, 2, 2);
  expect(numbers.flat().map((value) => typeof value)).toEqual(Array(4).fill("number"));
  await isYellow(false);

  await page.route("**/search-items", (route) => route.fulfill({ status: 503, json: { message: "down" } }));
  await refresh(workbook, /nothing refreshed/);
  await isYellow(true);
  expect(await workbook.values("Grid", 5, 1, 2, 2)).toEqual(numbers);
  expect((await workbook.values("Grid", 2, 1))[0]).toEqual([4]);

  await workbook.until(isSaved(page, gtins[1] ?? ""));
  await page.reload();
  await workbook.settled();
  await paneDrawn(workbook.pane());
  await workbook.select("Grid", 0, 3);
  await refresh(workbook, /nothing refreshed/);
  await isYellow(true);
  expect(await workbook.values("Grid", 5, 1, 2, 2)).toEqual(numbers);

  await page.unroute("**/search-items");
  await refresh(workbook, /cells? refreshed/);
  await isYellow(false);
  expect((await workbook.values("Grid", 2, 1))[0]).toEqual([0]);
});
