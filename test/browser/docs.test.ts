/** The page of the service's operations, under a policy without any inline script or style. */
import type { Browser } from "playwright-core";
import { launchBrowser, openPage } from "./support";

describe("the page of the service's operations", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it("is drawn, opens an operation, and breaks no rule of its policy", async () => {
    const { page, complaints } = await openPage(browser, "/docs/");
    const operation = page.getByRole("button", { name: /search-items/ }).first();
    await operation.click();
    await page.getByText("Responses").first().waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
