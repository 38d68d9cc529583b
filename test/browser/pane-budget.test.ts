/** What the pane may weigh: our scripts, compressed as a server would, against the promised sizes. */
import { gzipSync } from "node:zlib";
import { openPane } from "./pane-host";
import { openTab } from "./pane-parts";
import { origin } from "./support";

async function kilobytes(names: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const name of names) {
    const response = await fetch(new URL(name, origin));
    bytes += gzipSync(Buffer.from(await response.arrayBuffer()), { level: 9 }).length;
  }
  return bytes / 1024;
}

describe("the weight of the add-in", () => {
  it("is at most 60 KB until the functions are registered", async () => {
    expect(await kilobytes(["host.js", "addin.js"])).toBeLessThanOrEqual(60);
  });

  it("is at most 151 KB for the whole pane, every tab visited", async () => {
    const { page, pane } = await openPane();
    for (const name of ["Refresh", "Inspect", "Build", "Settings"]) await openTab(pane, name);
    const loaded = await pane.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .map(({ name }) => new URL(name))
        .filter(({ pathname }) => /\.(js|css)$/.test(pathname))
        .map(({ origin, pathname }) => ({ origin, pathname })),
    );
    const names = new Set(
      loaded.filter((file) => file.origin === origin).map(({ pathname }) => pathname.slice(1)),
    );
    expect([...names]).toEqual(
      expect.arrayContaining(["host.js", "addin.js", "addin.pane.js", "taskpane.css"]),
    );
    expect(await kilobytes([...names])).toBeLessThanOrEqual(151);
    await page.close();
  });
});
