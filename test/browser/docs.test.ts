/** The page of the service's operations, under a policy without any inline script or style. */
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
