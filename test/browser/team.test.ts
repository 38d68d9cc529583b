/**
 * Forty people in one Chromium, before one team's server: each is a pane with functions and an engine of its own, and
 * all open one template at once. The service, which counts for itself, sees the calls of about one person.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { createDemoService } from "../../src/service/demo/demo-service";
import { movedNow } from "../helpers/moved-date";
import { type ServerProcess, startServer, trialEnvironment } from "../helpers/server-process";
import { serveHost } from "./pane-host";
import { openPage } from "./support";

/** Browsers with a connection pool of their own, and people in each. */
const groups = 4;
const peopleInGroup = 10;
const people = groups * peopleInGroup;

let service: Server;
let inv: ServerProcess;
let folder: string;
/** Store numbers that the service was asked for, call by call. */
let asked: number[];

beforeAll(async () => {
  asked = [];
  service = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  folder = mkdtempSync(join(tmpdir(), "inv-team-"));
  writeFileSync(join(folder, "inv.json"), JSON.stringify({ environments: [trialEnvironment(base)] }));
  inv = await startServer("server", { arguments: ["--config", join(folder, "inv.json")] });
});
afterAll(async () => {
  await inv.stop();
  service.closeAllConnections();
  service.close();
  rmSync(folder, { recursive: true });
});

const demo = createDemoService({ now: movedNow, random: Math.random, sleep: () => Promise.resolve() });

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  if (request.url === "/search-items") asked.push((JSON.parse(body) as { store_nbr: number }).store_nbr);
  const given = await demo.service(
    new Request(`http://service.invalid${request.url ?? ""}`, {
      method: request.method ?? "GET",
      headers: request.headers as Record<string, string>,
      body: request.method === "POST" ? body : null,
    }),
  );
  response.writeHead(given.status, Object.fromEntries(given.headers)).end(await given.text());
}

interface DemoData {
  readonly stores: readonly number[];
  readonly items: readonly {
    readonly gtin: string;
    readonly supplier_name: string;
    readonly stores_without_data: readonly number[];
  }[];
}

/** So many stores of the demo, each with the same ten items. */
async function template(fromStore: number, storeCount: number): Promise<string[]> {
  const { stores, items } = (await (await fetch(`${inv.origin}/demo-data`)).json()) as DemoData;
  const chosen = stores.slice(fromStore, fromStore + storeCount);
  const known = items.filter(
    ({ supplier_name, stores_without_data }) =>
      supplier_name === items[0]?.supplier_name &&
      !chosen.some((store) => stores_without_data.includes(store)),
  );
  return chosen.flatMap((store) => known.slice(0, 10).map(({ gtin }) => `=INV.QTY(${store},"${gtin}")`));
}

interface Group {
  readonly page: Page;
  readonly complaints: readonly string[];
  /** By whose token each call was made. */
  readonly callers: string[];
}

/** Frames that each hold a workbook with these formulas, and the pane. The demo's account, at the trial's addresses. */
async function openGroup(formulas: readonly string[], size: number): Promise<Group> {
  const { page, complaints } = await openPage(`${inv.origin}/environments.json`);
  const listed = (await (await fetch(`${inv.origin}/environments.json`)).json()) as {
    environments: { id: string; tokenUrl: string; searchUrl: string; eventsUrl: string }[];
  };
  const [own, trial] = ["demo", "trial"].map((id) => listed.environments.find((entry) => entry.id === id)!);
  const { tokenUrl, searchUrl, eventsUrl } = trial!;
  const environments = [{ ...own, tokenUrl, searchUrl, eventsUrl }];
  await page.route("**/environments.json", (route) => route.fulfill({ json: { environments } }));
  await serveHost(page, { formulas, settings: {}, theme: "light", losesResults: false, spillsOver: 1 });
  const frames = '<iframe src="/pane-host.html" title="A person"></iframe>'.repeat(size);
  await page.route("**/people.html", (route) =>
    route.fulfill({ contentType: "text/html", body: `<!doctype html><title>People</title>${frames}` }),
  );
  const callers: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/search-items")) callers.push(request.headers().authorization ?? "");
  });
  await page.goto(`${inv.origin}/people.html`);
  return { page, complaints, callers };
}

/** Every person's cells, once all have a number. */
async function settledValues({ page }: Group, cells: number): Promise<unknown[][]> {
  await page.waitForFunction(
    (count) =>
      Array.from({ length: window.frames.length }, (_, index) =>
        (window.frames[index] as Partial<Window> | undefined)?.testHost?.values(),
      ).every((values) => values?.length === count && values.every((value) => typeof value === "number")),
    cells,
    { polling: 200 },
  );
  return page.evaluate(() =>
    Array.from({ length: window.frames.length }, (_, index) => window.frames[index]!.testHost.values()),
  );
}

test("forty people who open one template cost the calls of about one", async () => {
  const alone = await template(20, 8);
  const one = await openGroup(alone, 1);
  await settledValues(one, alone.length);
  const ofOne = asked.length;
  expect(ofOne).toBeGreaterThanOrEqual(8);
  await one.page.context().close();

  asked = [];
  const formulas = await template(40, 8);
  const opened = await Promise.all(Array.from({ length: groups }, () => openGroup(formulas, peopleInGroup)));
  const values = (await Promise.all(opened.map((group) => settledValues(group, formulas.length)))).flat();

  // Forty people did ask, each with a token of their own and for every store …
  const callers = opened.flatMap((group) => group.callers);
  expect(new Set(callers).size).toBe(people);
  expect(callers.length).toBeGreaterThanOrEqual(people * 8);
  // … and the service heard of it about once, of every store.
  expect(new Set(asked).size).toBe(8);
  expect(asked.length).toBeLessThanOrEqual(Math.ceil(ofOne * 1.25));
  // Everybody has all of the numbers, and the same.
  expect(values).toHaveLength(people);
  for (const own of values) expect(own).toEqual(values[0]);
  expect(new Set(values[0]).size).toBeGreaterThan(10);
  expect(opened.flatMap(({ complaints }) => complaints)).toEqual([]);
  await Promise.all(opened.map(({ page }) => page.context().close()));
});
