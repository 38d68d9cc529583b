/** Attacks on the server from a page of another site, in Chromium. Its service returns the requests it receives. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { type ServerProcess, startServer } from "../helpers/server-process";
import { tokenFrom } from "../helpers/token-from";
import { eventually, newContext } from "./support";

/** The configured service. It answers every request with a page that contains the request. */
let service: Server;
let asked: string[];
let inv: ServerProcess;
/** The other site: to browsers, 127.0.0.1 and localhost are different sites. */
let evil: Server;
let page: Page;

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Starts a server that returns this page for each address. */
const pagesOf = (page: (url: string) => string) =>
  new Promise<Server>((resolve) => {
    const server = createServer(({ url = "" }, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end(page(url)),
    );
    server.listen(0, "127.0.0.1", () => resolve(server));
  });

beforeAll(async () => {
  service = await pagesOf((url) => {
    asked.push(url);
    if (url === "/t") return '{"access_token":"token-of-the-service"}';
    return `<!doctype html><body>${decodeURIComponent(url)}</body>`;
  });
  evil = await pagesOf(() => "<p>evil");
  const [tokenUrl, searchUrl, eventsUrl] = ["t", "s", "e"].map((path) => `${addressOf(service)}/${path}`);
  const live = { id: "live", label: "Live", kind: "production", tokenUrl, searchUrl, eventsUrl };
  inv = await startServer("server", { settings: { environments: [live], demo: true } });
});
afterAll(async () => {
  await inv.stop();
  service.close();
  evil.close();
});
beforeEach(async () => {
  asked = [];
  page = await (await newContext()).newPage();
  await page.goto(addressOf(evil));
});
afterEach(() => page.context().close());

const script = "<script>window.ran=1;document.title='ran'</script>";

describe("a page of another site", () => {
  it.each(["token", "search-items"])("cannot post a form to %s", async (operation) => {
    await page.setContent(
      `<form method="post" action="${inv.origin}/relay/live/${operation}"><input name="client_id" value="guess"></form>`,
    );
    await page.evaluate(() => document.forms[0]?.submit());
    await page.waitForURL(`${inv.origin}/**`);
    expect(await page.textContent("body")).toContain("403");
    expect(asked).toEqual([]);
  });

  it("cannot make the service's page run here: by a link, an address typed, a frame, or a script", async () => {
    const address = `${inv.origin}/relay/live/events?q=${encodeURIComponent(script)}`;
    await page.evaluate((href) => location.assign(href), address);
    await page.waitForURL(`${inv.origin}/**`);
    expect(await page.evaluate((): unknown => Reflect.get(window, "ran"))).toBeUndefined();
    await page.goto(address);
    expect(await page.evaluate((): unknown => Reflect.get(window, "ran"))).toBeUndefined();
    await page.goto(addressOf(evil));
    const loaded = await page.evaluate(async (src) => {
      const element = Object.assign(document.createElement("script"), { src });
      const ended = new Promise((resolve) => {
        element.onload = () => resolve("ran");
        element.onerror = () => resolve("refused");
      });
      document.body.append(element);
      return ended;
    }, address);
    expect(loaded).toBe("refused");
    expect(asked).toEqual([]);
  });

  it("cannot read or send anything by fetch, with or without CORS", async () => {
    const outcomes = await page.evaluate(async (origin) => {
      const tries: [string, RequestInit][] = [
        ["/relay/live/events", {}],
        ["/relay/live/events", { mode: "no-cors" }],
        ["/relay/live/events", { headers: { authorization: "Bearer guess" } }],
        ["/relay/live/token", { method: "POST", body: "client_id=guess" }],
        ["/relay/live/token", { method: "POST", body: "client_id=guess", mode: "no-cors" }],
        ["/environments.json", {}],
        ["/environments.json", { mode: "no-cors" }],
        ["/service/faults", { method: "PUT", body: "{}" }],
        ["/demo-data", {}],
        ["/demo-data", { mode: "no-cors" }],
      ];
      const read = ([path, init]: [string, RequestInit]) =>
        fetch(origin + path, init).then(
          (response) => response.text(),
          () => "",
        );
      return Promise.all(tries.map(read));
    }, inv.origin);
    expect(outcomes).toEqual(Array(10).fill(""));
    expect(asked).toEqual([]);
  });

  it("cannot show anything of INV in a frame", async () => {
    const paths = ["/", "/workbook.html", "/taskpane.html", "/help/qty.html", "/relay/live/events"];
    await page.setContent(paths.map((path) => `<iframe src="${inv.origin}${path}"></iframe>`).join(""));
    // The browser shows its own error page when framing is forbidden.
    const refused = paths.map(() => "chrome-error://chromewebdata/");
    const frames = () => page.frames().slice(1);
    await eventually(() => expect(frames().map((frame) => frame.url())).toEqual(refused));
  });
});

it("a page that the service sends reaches INV's pages only as text, and runs nothing in a window of its own", async () => {
  const address = `/relay/live/events?q=${encodeURIComponent(script)}`;
  await page.goto(`${inv.origin}/workbook-pane.html`);
  const authorization = `Bearer ${await tokenFrom(inv.origin, "live")}`;
  asked = [];
  const answer = await page.evaluate(
    async ([url, own]) => {
      const response = await fetch(url!, { headers: { authorization: own! } });
      return [response.status, response.headers.get("content-type"), await response.text()];
    },
    [address, authorization],
  );
  expect(answer).toEqual([200, "text/plain; charset=utf-8", expect.stringContaining("<script>")]);
  await page.evaluate((url) => location.assign(url), address);
  await page.waitForURL("**/relay/live/events**");
  expect(await page.title()).not.toBe("ran");
  // A navigation sends no token, so the server doesn't pass the request to the service.
  expect(asked).toHaveLength(1);
});
