/**
 * INV is upgraded while a page is open: the page asks for chunks that the new build doesn't have. And during an upgrade of several
 * servers, servers of two versions answer behind one address.
 */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Frame, Page } from "playwright-core";
import { hasHaproxy, openHaproxy } from "../drills/haproxy";
import { type ServerProcess, startServer } from "../helpers/server-process";
import { type OpenedPane, openPane } from "./pane-host";
import { openTab } from "./pane-parts";
import { eventually, newContext } from "./support";
import { openScratch } from "./workbook-page";

const root = join(__dirname, "..", "..");
const updated = "INV was updated. Close the workbook and open it again.";

let folder: string;
const servers: ServerProcess[] = [];
const balancers: { close(): void }[] = [];

beforeAll(() => {
  // The copies find their packages from here.
  mkdirSync(join(root, ".cache"), { recursive: true });
  folder = mkdtempSync(join(root, ".cache", "upgrade-"));
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  for (const balancer of balancers.splice(0)) balancer.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts a build's server, at the address of one that has stopped or at any free port. */
async function serve(build: string, { origin } = { origin: "http://localhost:0" }): Promise<ServerProcess> {
  const server = await startServer("server", {
    folder: build,
    variables: { PORT: new URL(origin).port },
    settings: { trustProxy: ["127.0.0.1"] },
  });
  servers.push(server);
  return server;
}

/** Without compressed files, whose sizes would tell two builds apart. */
function copyOfBuild(name: string): string {
  const copy = join(folder, name);
  cpSync(join(root, "dist"), copy, { recursive: true, filter: (path) => !/\.(br|gz)$/.test(path) });
  return copy;
}

/** Gives all chunks the names that they would have after a change: everything that names them follows. */
function change(build: string): void {
  const app = join(build, "app");
  const folders = ["assets-addin", "assets-workbook"].map((name) => join(app, name));
  const hashes = new Map<string, string>();
  const rename = (name: string) => {
    const [, hash = ""] = /\.([0-9a-f]{8})\.\w+$/.exec(name) ?? [];
    hashes.set(hash, `${hash.slice(4)}${hash.slice(0, 4)}`);
    return name.replace(hash, hashes.get(hash) ?? "");
  };
  for (const chunks of folders) {
    for (const name of readdirSync(chunks)) renameSync(join(chunks, name), join(chunks, rename(name)));
  }
  for (const name of readdirSync(app).filter((each) => /\.(js|html)$/.test(each))) {
    let text = readFileSync(join(app, name), "utf8");
    for (const [before, after] of hashes) text = text.replaceAll(before, after);
    writeFileSync(join(app, name), text);
  }
}

test("an open page says that INV was updated where a chunk is gone, and doesn't blame the network", async () => {
  const build = copyOfBuild("upgraded");
  const server = await serve(build);
  const workbook = await openScratch({}, `${server.origin}/`);
  const pane = workbook.pane();
  await openTab(pane, "Settings");
  change(build);
  await openTab(pane, "Cell");
  await pane.locator("#inv-panel-cell").getByText(updated).waitFor();
  expect(await pane.getByText("network connection").count()).toBe(0);
  // What was loaded still works.
  await openTab(pane, "Settings");
  await pane.getByLabel("Environment", { exact: true }).first().waitFor();
  await openTab(pane, "Templates");
  await pane.locator("#inv-panel-templates").getByText(updated).waitFor();
  expect(await pane.getByText("network connection").count()).toBe(0);
});

test("an open page gets the chunks of its own build where they were kept", async () => {
  const build = copyOfBuild("kept");
  const chunks = join(build, "app", "assets-addin");
  const server = await serve(build);
  const workbook = await openScratch({}, `${server.origin}/`);
  cpSync(chunks, join(folder, "before"), { recursive: true });
  change(build);
  addChunks(join(folder, "before"), chunks);
  for (const tab of ["Cell", "Templates", "Settings"]) {
    await openTab(workbook.pane(), tab);
  }
  expect(await workbook.pane().getByText(updated).count()).toBe(0);
  expect(workbook.complaints).toEqual([]);
});

/** As docs/run.md tells administrators to do. */
function addChunks(from: string, to: string): void {
  cpSync(from, to, { recursive: true, force: false });
}

/** Packs a build as `npm pack` does, which gives all files one date, and unpacks the archive. */
function packed(build: string): string {
  const facts = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<string, unknown>;
  // The unpacked build finds its packages in the project.
  writeFileSync(join(build, "package.json"), JSON.stringify({ ...facts, bundleDependencies: [] }));
  mkdirSync(join(build, "dist"));
  for (const part of ["app", "server.js"]) renameSync(join(build, part), join(build, "dist", part));
  const shell = process.platform === "win32";
  const [archive = ""] = execFileSync("npm", ["pack", "--silent"], {
    cwd: build,
    encoding: "utf8",
    shell,
  }).split("\n");
  execFileSync("tar", ["-xzf", archive], { cwd: build });
  return join(build, "package", "dist");
}

/** An ordinary browser's page, with a cache: a page of `openPage` has none, because its requests are looked at. */
async function openCaching(address: string): Promise<{ page: Page; pane: () => Frame }> {
  const page = await (await newContext()).newPage();
  await page.goto(address);
  const pane = () => page.frames().find((frame) => frame.url().includes("workbook-pane")) ?? page.mainFrame();
  await eventually(() => expect(pane()).not.toBe(page.mainFrame()));
  return { page, pane };
}

test("of two archives, a browser shows the second after a reload, and then doesn't say again that INV was updated", async () => {
  const [first, second] = [copyOfBuild("archive"), copyOfBuild("next-archive")];
  change(second);
  const [older, newer] = [packed(first), packed(second)];
  const one = await serve(older);
  const { page, pane } = await openCaching(`${one.origin}/`);
  await openTab(pane(), "Settings");
  // The second visit has everything in the browser's cache.
  await page.reload();
  await openTab(pane(), "Settings");
  await one.stop();
  await serve(newer, one);
  await openTab(pane(), "Cell");
  await pane().locator("#inv-panel-cell").getByText(updated).waitFor();
  await page.reload();
  for (const tab of ["Cell", "Templates", "Settings", "Refresh"]) await openTab(pane(), tab);
  expect(await complaintsOf(pane())).toBe(0);
});

/** As many as show each way in which requests of a page can fall on two servers. */
const pagesOfAKind = 8;

(hasHaproxy() ? test : test.skip)(
  "behind HAProxy as in docs/several-servers.md, old and new pages get each part from the server that has it",
  async () => {
    const [older, newer] = [copyOfBuild("older"), copyOfBuild("newer")];
    change(newer);
    const [one, other] = [await serve(older), await serve(older)];
    const haproxy = await openHaproxy({ servers: [one, other, other], isPatient: true });
    balancers.push(haproxy);
    const open = () => openPane({ server: haproxy.origin, formulas: ["=INV.ENV()"] });
    const pages: OpenedPane[] = [];
    while (pages.length < pagesOfAKind) pages.push(await open());
    await other.stop();
    await serve(newer, other);
    while (pages.length < 2 * pagesOfAKind) pages.push(await open());
    for (const { pane, complaints, answered } of pages) {
      for (const tab of ["Settings", "Cell", "Templates", "Refresh"]) await openTab(pane, tab);
      expect(await complaintsOf(pane)).toBe(0);
      expect(await answered()).toEqual(["demo"]);
      expect(complaints).toEqual([]);
    }
  },
);

function complaintsOf(pane: Frame): Promise<number> {
  return pane.getByText(/couldn't load|was updated/).count();
}
