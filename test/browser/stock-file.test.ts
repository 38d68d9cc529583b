/** Follows docs/exports.md as a reader would: its own two files and lines, from an export to a planning sheet. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServerProcess, startServer } from "../helpers/server-process";
import { openTab } from "./pane-parts";
import { problemsInBothThemes } from "./support";
import { openWorkbook, type WorkbookPage } from "./workbook-page";

const root = join(__dirname, "..", "..");
const blocks = [
  ...readFileSync(join(root, "docs", "exports.md"), "utf8").matchAll(/```(csv|sh)\n(.*?)```/gs),
];
const [inventory = "", events = "", commands = ""] = blocks.map(([, , text = ""]) => text);

let folder: string;
let server: ServerProcess;
let account: { readonly consumerId: string; readonly secret: string };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "inv-exports-"));
  writeFileSync(join(folder, "inventory.csv"), inventory);
  writeFileSync(join(folder, "events.csv"), events);
  const [importing = [], starting = []] = commands
    .replaceAll("\\\n", " ")
    .trim()
    .split("\n")
    .map((line) => wordsOf(line).slice(wordsOf(line).indexOf("--") + 1));
  const done = spawnSync(process.execPath, [join(root, "dist", "import.js"), ...importing], {
    cwd: folder,
    encoding: "utf8",
  });
  const [, consumerId = "", secret = ""] =
    /Consumer ID +(\S+)[^]*Client secret +(\S+) /.exec(done.stdout) ?? [];
  expect({ consumerId, errors: done.stderr }).toEqual({
    consumerId: expect.stringMatching(/^file-acme-/) as string,
    errors: expect.not.stringContaining("cannot") as string,
  });
  account = { consumerId, secret };
  const args = starting.map((word) => (word === "stock.db" ? join(folder, word) : word));
  server = await startServer("server", { arguments: args });
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Splits a line into words and quoted strings, as a shell does. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
}

async function connect({ pane }: WorkbookPage): Promise<void> {
  await openTab(pane(), "Settings");
  await pane().getByText("Stores to try: 1234, 2345. Items: 00012345678905").waitFor();
  await pane().locator("#inv-consumer-id").fill(account.consumerId);
  await pane().locator("#inv-client-secret").fill(account.secret);
  await pane().locator(".button", { hasText: "Connect to ACME" }).click();
  await pane()
    .getByText(/Connected to ACME/)
    .waitFor();
}

test("from the two files to a planning sheet", async () => {
  const workbook = await openWorkbook(`${server.origin}/`);
  await workbook.page
    .locator("#environment", { hasText: /Environment: file-acme-/ })
    .waitFor({ state: "attached" });
  const selectedSheet = await workbook.port(
    (port) => new Promise<string>((resolve) => port.onSelection(([{ sheet }]) => resolve(sheet))),
    null,
  );
  expect(selectedSheet).toBe("Planning");
  const before = await workbook.values("Planning", 1, 0, 1, 3);
  expect(String(before[0]?.[2])).toMatch(/#VALUE!/);
  await connect(workbook);
  await workbook.until(async () => (await workbook.values("Planning", 1, 2, 1, 1))[0]?.[0] === 17);
  const header = workbook.pane().locator(".header");
  expect(await header.innerText()).toMatch(
    /File[^]*ACME \(stock\.db\), at 2026-11-20 12:00 UTC: imported figures/,
  );
  const { page } = workbook;
  const formulas = [
    "=INV.QTY(1234, 12345678905)",
    '=INV.EVENTQTY(1234, 12345678905, "SALES", "2026-11-14", "2026-11-20")',
    "=INV.QTY(2345, 12345678905)",
    "=INV.QTY(2345, 12345678912)",
  ];
  await workbook.write(["Try here", 12, 0], [formulas]);
  await workbook.until(async () => {
    const [row = []] = await workbook.values("Try here", 12, 0, 1, 4);
    return JSON.stringify(row.slice(0, 3)) === "[17,3,4.5]" && String(row[3]).startsWith("#N/A");
  });
  expect(await problemsInBothThemes(page)).toEqual([]);
  expect(workbook.complaints).toEqual([]);
});

test("counts are for who has the credentials, the lists for who is on this machine", async () => {
  const listed = await (await fetch(`${server.origin}/demo-data`)).text();
  expect(listed).toContain("00012345678905");
  for (const secret of [account.secret, "17", "4.5"]) expect(listed).not.toContain(`"${secret}"`);
  const environments = await (await fetch(`${server.origin}/environments.json`)).text();
  expect(environments).not.toContain(account.secret);
  const refused = await fetch(`${server.origin}/relay/${account.consumerId}/token`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: `grant_type=client_credentials&client_id=${account.consumerId}&client_secret=wrong`,
  });
  expect(refused.status).toBe(401);
});
