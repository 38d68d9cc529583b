/** A file dropped on the browser workbook, which opens none. */
import type { Frame, Page } from "playwright-core";
import { accessibilityProblems } from "./support";
import { openScratch } from "./workbook-page";

/** Returns whether the page handled the drop itself. Otherwise the browser would leave the page for the file. */
function drop(frame: Page | Frame, selector: string): Promise<boolean> {
  return frame.evaluate((at) => {
    const carried = new DataTransfer();
    carried.items.add(new File(["PK"], "Plan.xlsx"));
    const events = ["dragover", "drop"].map(
      (kind) => new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: carried }),
    );
    return events.every((event) => document.querySelector(at)?.dispatchEvent(event) === false);
  }, selector);
}

test("a file dropped on the sheet or the pane says where to open it, with the manifest, and changes nothing", async () => {
  const workbook = await openScratch();
  const { page } = workbook;
  const line = page.locator("#reason");
  for (const [frame, selector] of [
    [page, "#grid canvas"],
    [workbook.pane(), "body"],
  ] as const) {
    expect(await drop(frame, selector)).toBe(true);
    await line.getByText("Open it in Excel. To use INV there, give Excel this file: manifest.xml").waitFor();
    await workbook.select("Scratch", 4, frame === page ? 1 : 2);
    await line.getByText("Open it in Excel").waitFor({ state: "detached" });
  }
  await drop(page, "#grid canvas");
  const address = await line.getByRole("link", { name: "manifest.xml" }).getAttribute("href");
  expect(await (await page.request.get(new URL(address ?? "", page.url()).href)).text()).toContain(
    "<OfficeApp",
  );
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await workbook.sheetNames()).toEqual(["Scratch"]);
  expect(workbook.complaints).toEqual([]);
});
