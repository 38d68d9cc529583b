/** A build of the pages deletes only its own old files from their common folder. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import webpack from "webpack";

type Build = "addin" | "browser-workbook";

const { keepPreviousChunks } = jest.requireActual<{
  keepPreviousChunks(build: Build): webpack.WebpackPluginInstance;
}>("../../src/build/shared-folder.cjs");
const makeConfigs =
  jest.requireActual<(env: object, argv: object) => webpack.Configuration[]>("../../webpack.config.js");

const stale = {
  addin: [
    "help/old.html",
    "functions-old.json",
    "assets-addin/999.0123abcd.js",
    "assets/old.png",
    "host.js.map",
  ],
  "browser-workbook": ["assets-workbook/old.0123abcd.js", "browser-workbook.js.map"],
  both: ["third-party-notices.txt", "sbom.cdx.json"],
};

/** Runs a build with the real settings of its folder, and an entry of one line. */
async function filesAfter(build: Build): Promise<string[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "inv-folder-"));
  for (const name of Object.values(stale).flat()) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), "stale");
  }
  const config = makeConfigs({}, { mode: "production" }).find(({ name }) => name === build);
  const output = { ...config?.output, path: folder };
  const compiler = webpack({ mode: "none", entry: { [build]: "data:text/javascript,1" }, output });
  await new Promise<void>((resolve, reject) => compiler.run((error) => (error ? reject(error) : resolve())));
  const names = fs.readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => fs.statSync(path.join(folder, name)).isFile());
  fs.rmSync(folder, { recursive: true });
  return files.map((name) => name.replaceAll(path.sep, "/")).sort();
}

/** Builds these texts one after another into one folder. Returns the chunks in it after each build. */
async function chunksAfter(build: Build, texts: readonly string[]): Promise<string[][]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "inv-chunks-"));
  const config = makeConfigs({}, { mode: "production" }).find(({ name }) => name === build);
  const output = { ...config?.output, path: path.join(folder, "app") };
  const found: string[][] = [];
  for (const text of texts) {
    fs.writeFileSync(path.join(folder, "part.js"), `export default ${JSON.stringify(text)}`);
    const entry = path.join(folder, "entry.js");
    fs.writeFileSync(entry, 'import(/* webpackChunkName: "part" */ "./part.js")');
    const plugins = [keepPreviousChunks(build)];
    const compiler = webpack({ mode: "none", entry: { [build]: entry }, output, plugins });
    await new Promise<void>((resolve, reject) =>
      compiler.run((error) => (error ? reject(error) : resolve())),
    );
    found.push(
      fs.readdirSync(path.join(folder, "app", build === "addin" ? "assets-addin" : "assets-workbook")),
    );
  }
  fs.rmSync(folder, { recursive: true });
  return found;
}

describe("the pages' folder", () => {
  it.each(["addin", "browser-workbook"] as const)(
    "keeps the chunks of the build before, and no older ones (%s)",
    async (build) => {
      const [first = [], second = [], again, third = []] = await chunksAfter(build, ["1", "2", "2", "3"]);
      expect(first).toEqual([expect.stringMatching(/^part\.[0-9a-f]{8}\.js$/)]);
      expect(second).toHaveLength(2);
      expect(second).toEqual(expect.arrayContaining(first));
      expect(again).toEqual(second);
      expect(third).toHaveLength(2);
      expect(third).not.toEqual(expect.arrayContaining(first));
    },
  );

  it("the add-in's build deletes files that no build writes, and none of the workbook's", async () => {
    expect(await filesAfter("addin")).toEqual(
      ["addin.js", ...stale["browser-workbook"], ...stale.both].sort(),
    );
  });

  it("the workbook's build deletes only its own files", async () => {
    expect(await filesAfter("browser-workbook")).toEqual(
      ["browser-workbook.js", ...stale.addin, ...stale.both].sort(),
    );
  });
});
