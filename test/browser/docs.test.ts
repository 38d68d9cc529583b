/** The page of the service's operations, under a policy that forbids inline scripts and styles. */
import { openPage } from "./support";

describe("the page of the service's operations", () => {
  it("is drawn, opens an operation, and breaks no rule of its policy", async () => {
    const { page, complaints } = await openPage("/docs/");
    const operation = page.getByRole("button", { name: /search-items/ }).first();
    await operation.click();
    await page.getByText("Responses").first().waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
