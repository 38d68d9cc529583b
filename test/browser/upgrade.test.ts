/**
 * INV is upgraded while a page is open: the page asks for chunks that the new build doesn't have. And during an upgrade of several
 * servers, servers of two versions answer behind one address.
 */
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
import { createServer, request as send, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type ServerProcess, startServer } from "../helpers/server-process";
import { openTab } from "./pane-parts";
import { openScratch } from "./workbook-page";

const root = join(__dirname, "..", "..");
const updated = "INV was updated. Close the workbook and open it again.";

let folder: string;
const servers: ServerProcess[] = [];
let address: Server | null = null;

beforeAll(() => {
  // The copies find their packages from here.
  mkdirSync(join(root, ".cache"), { recursive: true });
  folder = mkdtempSync(join(root, ".cache", "upgrade-"));
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  address?.closeAllConnections();
  address?.close();
  address = null;
});
afterAll(() => rmSync(folder, { recursive: true }));

async function serve(build: string): Promise<ServerProcess> {
  const server = await startServer("server", { folder: build });
  servers.push(server);
  return server;
}

function copyOfBuild(name: string): string {
  const copy = join(folder, name);
  cpSync(join(root, "dist"), copy, { recursive: true });
  return copy;
}

/** Gives the add-in's chunks the names that they would have after a change: everything that names them follows. */
function change(build: string): void {
  const app = join(build, "app");
  const chunks = join(app, "assets-addin");
  const hashes = new Map<string, string>();
  for (const name of readdirSync(chunks)) {
    const hash = /\.([0-9a-f]{8})\.js/.exec(name)?.[1] ?? "";
    hashes.set(hash, `${hash.slice(4)}${hash.slice(0, 4)}`);
    if (/\.(br|gz)$/.test(name)) rmSync(join(chunks, name));
    else renameSync(join(chunks, name), join(chunks, name.replace(hash, hashes.get(hash) ?? "")));
  }
  const own = readdirSync(app).filter((name) => /^(addin|taskpane|workbook-pane)\.(js|html)/.test(name));
  for (const name of own) {
    if (/\.(br|gz)$/.test(name)) rmSync(join(app, name));
    else {
      let text = readFileSync(join(app, name), "utf8");
      for (const [before, after] of hashes) text = text.replaceAll(before, after);
      writeFileSync(join(app, name), text);
    }
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

/** Sends the requests for pages and scripts to the servers in turn, and all others to the first. */
async function oneAddress(origins: readonly [string, string]): Promise<string> {
  let turn = 0;
  address = createServer((incoming, outgoing) => {
    const isFile = /\.(js|html)$/.test(incoming.url ?? "") || incoming.url === "/";
    const to = new URL(incoming.url ?? "/", origins[isFile ? ((turn++ % 2) as 0 | 1) : 0]);
    const { method, headers } = incoming;
    const passed = send(to, { method, headers: { ...headers, host: "localhost" } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => void address?.listen(0, "127.0.0.1", resolve));
  return `http://localhost:${(address.address() as AddressInfo).port}`;
}

test("servers of two versions behind one address serve a page, all tabs included, if each has the chunks of both", async () => {
  const [older, newer] = [copyOfBuild("older"), copyOfBuild("newer")];
  change(newer);
  const chunksOf = (build: string) => join(build, "app", "assets-addin");
  addChunks(chunksOf(older), chunksOf(newer));
  addChunks(chunksOf(newer), chunksOf(older));
  const [one, other] = [await serve(older), await serve(newer)];
  const workbook = await openScratch({}, `${await oneAddress([one.origin, other.origin])}/`);
  for (const tab of ["Cell", "Templates", "Settings", "Refresh"]) await openTab(workbook.pane(), tab);
  expect(
    await workbook
      .pane()
      .getByText(/couldn't load|was updated/)
      .count(),
  ).toBe(0);
  expect(workbook.complaints).toEqual([]);
});
