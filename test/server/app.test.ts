/** The whole server: its pages and their headers, the list of environments, and the demo behind the relay. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { ownFolder } from "../helpers/own-folder";
import { openApp } from "./beds";
import { settings } from "./parts";

it("accepts as many connections of people as the settings say", async () => {
  const app = await openApp({ config: settings({ maxConnections: 20 }) });
  expect(app.server.maxConnections).toBe(20);
  await app.close();
});

describe("the server", () => {
  const folder = ownFolder();
  let app: FastifyInstance;
  let isStopping = false;

  beforeAll(async () => {
    const pages = [
      "workbook.html",
      "workbook-pane.html",
      "taskpane.html",
      "help/qty.html",
      "help/index.html",
    ];
    for (const name of [...pages, "assets/icon-32.png"]) {
      folder.write(name, `<p>${name}</p>`);
    }
    folder.write("taskpane.html.br", "compressed");
    folder.write("manifest.xml", readFileSync(join(__dirname, "../../manifest.xml"), "utf8"));
    folder.write(
      "functions.json",
      '{ "functions": [{ "helpUrl": "https://localhost:3000/help/qty.html" }] }',
    );
    const production = {
      id: "live",
      label: "Live",
      kind: "production" as const,
      tokenUrl: "https://auth.example.com/t",
      searchUrl: "https://api.example.com/s",
      eventsUrl: "https://api.example.com/e",
      credentials: "user" as const,
      authorization: "bearer" as const,
      quota: { search: 600, events: 60 },
    };
    app = await openApp({
      config: settings({
        environments: [production],
        demo: true,
        frames: ["https://portal.example.com"],
        hosts: ["inv.example.com"],
      }),
      folder: folder.path,
      isStopping: () => isStopping,
    });
  });
  afterAll(() => app.close());

  it("isn't ready after a stop signal, and still answers", async () => {
    const statusOf = async (url: string) => (await app.inject({ url })).statusCode;
    expect(await statusOf("/readyz")).toBe(200);
    isStopping = true;
    const stopping = [
      await statusOf("/readyz"),
      await statusOf("/healthz"),
      await statusOf("/taskpane.html"),
    ];
    isStopping = false;
    expect(stopping).toEqual([503, 200, 200]);
  });

  it("lets Excel on the web frame only the pane, and only the pane load Office's script", async () => {
    const policy = async (url: string) =>
      String((await app.inject({ url })).headers["content-security-policy"]);
    expect(await policy("/taskpane.html")).toMatch(
      /frame-ancestors 'self' https:\/\/\*\.officeapps\.live\.com/,
    );
    // Teams shows workbooks in its own frame (listed in Microsoft's URLs for Microsoft 365).
    expect(await policy("/taskpane.html")).toMatch(
      /frame-ancestors [^;]* https:\/\/teams\.microsoft\.com[ ;]/,
    );
    expect(await policy("/taskpane.html")).toContain(
      "script-src 'self' https://appsforoffice.microsoft.com;",
    );
    expect(await policy("/")).toMatch(/script-src 'self';.*frame-ancestors 'none'/);
    expect(await policy("/workbook-pane.html")).toMatch(
      /script-src 'self';.*connect-src 'self'; frame-ancestors 'self'$/,
    );
  });

  it("lets Excel cache icons and read functions.json from its own pages", async () => {
    const icon = await app.inject({ url: "/assets/icon-32.png" });
    expect(icon.headers["cache-control"]).toBe("public, max-age=86400");
    const metadata = await app.inject({ url: "/functions.json" });
    expect(metadata.headers["access-control-allow-origin"]).toBe("*");
  });

  it("names itself in what Excel reads, for whoever asks under its name", async () => {
    const textFor = async (host: string) => {
      const answers = ["/manifest.xml", "/functions.json"].map((url) =>
        app.inject({ url, headers: { host } }),
      );
      return (await Promise.all(answers)).map(({ body }) => body).join("\n");
    };
    const served = await textFor("inv.example.com:8443");
    expect(served).toContain("https://inv.example.com:8443/taskpane.html");
    expect(served).toContain("https://inv.example.com:8443/help/qty.html");
    expect(served).not.toMatch(/localhost|\(development\)/);
    expect(await textFor("localhost:3000")).toContain("https://localhost:3000/taskpane.html");
    // A foreign name gets nothing.
    expect(await textFor("evil.example.com")).not.toContain("OfficeApp");
  });

  it("forbids caching of current state, with any query in the address", async () => {
    for (const url of ["/environments.json", "/templates.json", "/healthz", "/readyz", "/healthz?x"]) {
      expect([url, (await app.inject({ url })).headers["cache-control"]]).toEqual([url, "no-store"]);
    }
  });

  it("lists configured environments with relay addresses, unconfigured ones with a sentence, and the demo last", async () => {
    const response = await app.inject({ url: "/environments.json" });
    const { environments } = response.json<{ environments: Record<string, unknown>[] }>();
    expect(environments.map(({ id, kind }) => [id, kind])).toEqual([
      ["live", "production"],
      ["sandbox", "sandbox"],
      ["demo", "demo"],
    ]);
    expect(environments[0]).toEqual({
      id: "live",
      label: "Live",
      kind: "production",
      tokenUrl: "/relay/live/token",
      searchUrl: "/relay/live/search-items",
      eventsUrl: "/relay/live/events",
      quota: { search: 600, events: 60 },
      pacedBy: "server",
      credentials: "user",
    });
    expect(environments[1]).toMatchObject({
      configured: false,
      missing: expect.stringContaining("npm run --silent serve -- --example > inv.json") as string,
    });
    expect(response.body).not.toContain("example.com");
  });

  it.each(["/", "/workbook.html", "/taskpane.html", "/help/qty", "/help/index.html"])(
    "serves %s, which keeps its connection to windows that it opens",
    async (url) => {
      const { statusCode, headers } = await app.inject({ url });
      expect([statusCode, headers["cross-origin-opener-policy"]]).toEqual([200, "same-origin-allow-popups"]);
    },
  );

  it.each([
    ["GET", "/"],
    ["GET", "/workbook.html"],
    ["GET", "/taskpane.html"],
    ["GET", "/help/qty"],
    ["GET", "/environments.json"],
    ["GET", "/functions.json"],
    ["GET", "/assets/icon-32.png"],
    ["GET", "/nowhere"],
    ["GET", "/%E0%A4%A"],
    ["GET", "/help"],
    ["GET", "/demo-data"],
    ["GET", "/openapi.json"],
    ["GET", "/healthz"],
    ["GET", "/service/faults"],
    ["PUT", "/service/faults"],
    ["POST", "/search-items"],
    ["GET", "/relay/nobody/events"],
    ["DELETE", "/taskpane.html"],
  ] as const)("forbids type sniffing and foreign frames in the answer to %s %s", async (method, url) => {
    const { headers } = await app.inject({ method, url });
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none';.*frame-ancestors '(none|self)'/);
    expect(headers["content-security-policy"]).not.toMatch(/unsafe|\*;|data: 'self' \*/);
  });

  it("sends a compressed file to a browser that accepts it, with the page's own headers", async () => {
    const [plain, compressed] = await Promise.all(
      ["identity", "gzip, br"].map((encoding) =>
        app.inject({ url: "/taskpane.html", headers: { "accept-encoding": encoding } }),
      ),
    );
    expect([compressed?.body, compressed?.headers["content-encoding"]]).toEqual(["compressed", "br"]);
    expect(plain?.headers["content-encoding"]).toBeUndefined();
    for (const name of ["content-type", "content-security-policy", "cache-control", "vary"]) {
      expect(compressed?.headers[name]).toBe(plain?.headers[name]);
    }
    expect(plain?.headers["vary"]).toBe("accept-encoding");
  });

  it.each([
    "https://onedrive.live.com",
    "https://*.office.net",
    "https://*.online.office365.us",
    "https://*.sharepoint.us",
    "https://portal.example.com",
  ])("lets the pane be framed by %s, Office's or configured", async (origin) => {
    const { headers } = await app.inject({ url: "/taskpane.html" });
    expect(String(headers["content-security-policy"]).split(/[ ;]/)).toContain(origin);
  });

  it("has fault switches only if started with them", async () => {
    const local = { host: "localhost:3000" };
    const set = await app.inject({
      method: "PUT",
      url: "/service/faults",
      headers: local,
      payload: '{"fail":"500=100%"}',
    });
    expect(set.statusCode).toBe(404);
    const read = await app.inject({ url: "/service/faults", headers: local });
    expect(read.json()).toMatchObject({ description: null });
  });

  it.each(["/help", "/help/"])("redirects %s to the index of the help pages", async (url) => {
    const response = await app.inject({ url });
    expect([response.statusCode, response.headers.location]).toEqual([302, "/help/index.html"]);
  });

  it("serves no listing, no source and nothing outside its folder", async () => {
    for (const url of ["/assets/", "/../package.json", "/..%2fpackage.json", "/help/..%2f..%2fserver.js"]) {
      expect((await app.inject({ url })).statusCode).toBeGreaterThanOrEqual(400);
    }
  });
});
