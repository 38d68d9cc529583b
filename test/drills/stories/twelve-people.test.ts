/**
 * Twelve people in one Chromium before one team's server. Each has a pane with its own functions and engine, and all open
 * one template at once. The server sends the service about as many calls as for one person.
 */
import type { Page } from "playwright-core";
import { type ServerProcess, startServer, trialEnvironment } from "../../helpers/server-process";
import { serveHost } from "../../browser/pane-host";
import { eventually, openPage } from "../../browser/support";

/** Browsers with separate connection pools, and the number of people in each. */
const groups = 3;
const peopleInGroup = 4;
const storesInTemplate = 8;

let service: ServerProcess;
let inv: ServerProcess;

beforeAll(async () => {
  service = await startServer("service");
  inv = await startServer("server", {
    settings: { environments: [trialEnvironment(service.origin)], demo: true },
    arguments: [],
  });
});
afterAll(async () => {
  await Promise.all([inv.stop(), service.stop()]);
});

interface Listed {
  readonly id: string;
  readonly tokenUrl: string;
  readonly searchUrl: string;
  readonly eventsUrl: string;
}

const fetched = async <T>(path: string) => (await (await fetch(`${inv.origin}/${path}`)).json()) as T;

/** Opens frames with a workbook of these formulas and the pane, with the demo's account at the trial's addresses. */
async function openGroup(formulas: readonly string[], people: number) {
  const { page, complaints } = await openPage(`${inv.origin}/environments.json`);
  const listed = await fetched<{ environments: Listed[] }>("environments.json");
  const [own, trial] = ["demo", "trial"].map((id) => listed.environments.find((entry) => entry.id === id)!);
  const { tokenUrl, searchUrl, eventsUrl } = trial!;
  const environments = [{ ...own, tokenUrl, searchUrl, eventsUrl }];
  await page.route("**/environments.json", (route) => route.fulfill({ json: { environments } }));
  await serveHost(page, { formulas });
  const frames = '<iframe src="/pane-host.html" title="A person"></iframe>'.repeat(people);
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

/** Every person's cells, once all have their final value. */
async function settledValues(page: Page, cells: number): Promise<unknown[][]> {
  const isEnd = (value: unknown) => typeof value === "number" || String(value).startsWith("#N/A");
  let values: unknown[][] = [];
  await eventually(async () => {
    const people = page.frames().filter((frame) => frame.url().endsWith("/pane-host.html"));
    values = await Promise.all(people.map((frame) => frame.evaluate(() => window.testHost.values())));
    expect(values.map((own) => own.filter(isEnd).length)).toEqual(people.map(() => cells));
  });
  return values;
}

test("twelve people who open one template cost the calls of about one", async () => {
  const { stores, items } = await fetched<{ stores: number[]; items: { gtin: string }[] }>("demo-data");
  const formulas = stores
    .slice(40, 40 + storesInTemplate)
    .flatMap((store) => items.slice(0, 10).map(({ gtin }) => `=INV.QTY(${store},"${gtin}")`));
  const opened = await Promise.all(Array.from({ length: groups }, () => openGroup(formulas, peopleInGroup)));
  const values = (await Promise.all(opened.map(({ page }) => settledValues(page, formulas.length)))).flat();

  // Twelve people did ask, each with their own token and for every store …
  const callers = opened.flatMap((group) => group.callers);
  expect(new Set(callers).size).toBe(groups * peopleInGroup);
  expect(callers.length).toBeGreaterThanOrEqual(groups * peopleInGroup * storesInTemplate);
  // … but the service received each request about once.
  const figures = await inv.metrics();
  const asked = [...figures.matchAll(/^inv_service_calls_total\{.*operation="search".*\} (\d+)$/gm)]
    .map(([, calls]) => Number(calls))
    .reduce((sum, calls) => sum + calls, 0);
  expect(asked).toBeGreaterThanOrEqual(storesInTemplate);
  expect(asked).toBeLessThanOrEqual(storesInTemplate * 1.25);
  // Everybody has all values, and the same ones.
  expect(values).toHaveLength(groups * peopleInGroup);
  for (const own of values) expect(own).toEqual(values[0]);
  expect(new Set(values[0]).size).toBeGreaterThan(10);
  expect(opened.flatMap(({ complaints }) => complaints)).toEqual([]);
});
