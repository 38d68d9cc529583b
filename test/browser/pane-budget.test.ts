/** Size limits of the pane: our scripts, compressed as a server would compress them. */
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

  it("is at most 134 KB for the whole pane, every tab visited", async () => {
    const { page, pane } = await openPane();
    const loaded = async () => {
      const files = await pane.evaluate(() =>
        performance.getEntriesByType("resource").map(({ name }) => new URL(name).href),
      );
      const own = files.map((file) => new URL(file)).filter((file) => file.origin === origin);
      return [...new Set(own.map(({ pathname }) => pathname.slice(1)))].filter((name) =>
        /\.(js|css)$/.test(name),
      );
    };
    await openTab(pane, "Refresh");
    for (const name of ["Cell", "Templates", "Settings"]) await openTab(pane, name);
    const names = await loaded();
    expect(names).toEqual(
      expect.arrayContaining([
        ...["host.js", "addin.js", "taskpane.css"],
        expect.stringMatching(/^assets-addin\/pane\.[0-9a-f]{8}\.js$/),
      ]),
    );
    expect(await kilobytes(names)).toBeLessThanOrEqual(134);
    await page.close();
  });
});
