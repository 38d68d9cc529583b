/** Limit of what the browser workbook transfers until a newcomer's first sheets have their values. */
import { openWorkbook } from "./workbook-page";

it("transfers at most 1,660 KB until every cell has its value", async () => {
  const { page } = await openWorkbook();
  const transferred = await Promise.all(
    page.frames().map((frame) =>
      frame.evaluate(() => {
        const files = ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind));
        return (files as PerformanceResourceTiming[]).reduce((sum, file) => sum + file.encodedBodySize, 0);
      }),
    ),
  );
  const kilobytes = transferred.reduce((sum, bytes) => sum + bytes, 0) / 1024;
  // Less would mean that the test counted nothing.
  expect(kilobytes).toBeGreaterThan(1_000);
  expect(kilobytes).toBeLessThanOrEqual(1_660);
});
