/**
 * A supplier's outgoing calls: through the company's proxy, to a portal with a private certificate authority, with the token
 * in the portal's form. The configuration is as IT writes it, and the sockets are real.
 */
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { createLog } from "../../../src/server/monitoring/log";
import type { OutgoingCall } from "../../../src/server/relay/outgoing";
import { createUpstream } from "../../../src/server/relay/upstream";
import { readSettings } from "../../../src/server/settings/read";
import { tryConnections } from "../../../src/server/try-connections";
import { openApp } from "../beds";
import { selfSigned } from "../../helpers/certificate";
import { type ConnectProxy, startConnectProxy } from "../../helpers/connect-proxy";
import { ownFolder } from "../../helpers/own-folder";
import { until } from "../../helpers/until";

const secret = "s3cret-of-the-company";
const token = "token-of-the-company";
const folder = ownFolder();
const { cert, key } = selfSigned();
const authority = () => ({ ca: folder.write("authority.pem", cert) });
let service: Server;
let serviceHost: string;
/** Authorization headers that the service received, by path. */
let received: [string, string | undefined][];
let proxy: ConnectProxy;
let app: FastifyInstance | null = null;
let logged: string;

beforeAll(async () => {
  service = createServer({ cert, key }, (request, response) => {
    received.push([request.url ?? "", request.headers.authorization]);
    request.resume();
    const answer = request.url === "/token" ? { access_token: token, expires_in: 900 } : { items: [] };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  serviceHost = `localhost:${(service.address() as AddressInfo).port}`;
});
afterAll(() => service.close());
beforeEach(async () => {
  received = [];
  logged = "";
  proxy = await startConnectProxy();
});
afterEach(async () => {
  await app?.close();
  app = null;
  service.closeAllConnections();
  await proxy.close();
});

/** Starts the server with these settings of `outgoing`. */
async function start(
  outgoing: Readonly<Record<string, unknown>>,
  authorization?: "bearer" | "bare",
): Promise<FastifyInstance> {
  const [tokenUrl, searchUrl, eventsUrl] = ["token", "search", "events"].map(
    (path) => `https://${serviceHost}/${path}`,
  );
  const live = {
    id: "live",
    label: "Live",
    kind: "production",
    tokenUrl,
    searchUrl,
    eventsUrl,
    authorization,
  };
  const path = folder.write("inv.json", { environments: [live], outgoing });
  app = await openApp({
    config: readSettings({ path, variables: {} }),
    now: () => performance.now(),
    log: createLog("info", (line) => (logged += line)),
  });
  return app;
}

const exchange = (server: FastifyInstance) =>
  server.inject({
    method: "POST",
    url: "/relay/live/token",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: `grant_type=client_credentials&client_id=us&client_secret=${secret}`,
  });
const tokenOf = (answer: { json(): unknown }) => (answer.json() as { access_token: string }).access_token;
const search = (server: FastifyInstance, pageToken: string) =>
  server.inject({
    method: "POST",
    url: "/relay/live/search-items",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${pageToken}`,
      "wm_consumer.id": "us",
    },
    payload: '{"item_type":"gtin","store_nbr":1234,"item_type_values":["00012345678905"]}',
  });

describe("a portal behind a private authority", () => {
  it("is called when its authority is configured", async () => {
    const server = await start(authority());
    const answer = await exchange(server);
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { expires_in: 900 }]);
    expect((await search(server, tokenOf(answer))).statusCode).toBe(200);
  });

  it("gets no secret before that", async () => {
    const server = await start({});
    const answer = await exchange(server);
    expect([answer.statusCode, answer.json()]).toMatchObject([502, { title: "Relay" }]);
    expect(received).toEqual([]);
  });
});

describe("the token", () => {
  it.each([
    ["bare", token],
    ["bearer", `Bearer ${token}`],
    [undefined, `Bearer ${token}`],
  ] as const)("goes out as configured: %s", async (authorization, sent) => {
    const server = await start(authority(), authorization);
    const pageToken = tokenOf(await exchange(server));
    await search(server, pageToken);
    await server.inject({
      url: "/relay/live/events?store_nbr=1234&gtin=1",
      headers: { authorization: `Bearer ${pageToken}` },
    });
    expect(received).toEqual([
      ["/token", undefined],
      ["/search", sent],
      ["/events?store_nbr=1234&gtin=1", sent],
    ]);
  });
});

describe("the company's proxy", () => {
  it("is named where it can't be reached, instead of the service's host", async () => {
    const { origin } = proxy;
    await proxy.close();
    const server = await start({ ...authority(), proxy: origin });
    const answer = await exchange(server);
    expect([answer.statusCode, answer.json()]).toMatchObject([
      502,
      { detail: expect.stringContaining("outgoing proxy") as string },
    ]);
    expect(logged).toContain('"code":"PROXY_ECONNREFUSED","phase":"connect"');
    const [tried] = await tryConnections(server.core.config, server.core.clock);
    expect(tried?.faults).toEqual(["outgoing.proxy can't be reached: ECONNREFUSED."]);
  });

  it("tunnels every call: it sees the host, but no path, header or secret", async () => {
    const server = await start({ ...authority(), proxy: proxy.origin });
    expect((await search(server, tokenOf(await exchange(server)))).statusCode).toBe(200);
    expect(received).toHaveLength(2);
    expect(new Set(proxy.asked.map(({ host }) => host))).toEqual(new Set([serviceHost]));
    expect(proxy.strayed).toEqual([]);
  });

  it("gets the credentials of its address, which never appear in the log", async () => {
    const server = await start({
      ...authority(),
      proxy: `file:${folder.write("proxy", proxy.origin.replace("//", "//clerk:p%40ss-of-the-proxy@"))}`,
    });
    const pageToken = tokenOf(await exchange(server));
    const credentials = `Basic ${Buffer.from("clerk:p@ss-of-the-proxy").toString("base64")}`;
    expect(proxy.asked).toEqual([{ host: serviceHost, credentials }]);
    proxy.status = 502;
    service.closeAllConnections();
    await search(server, pageToken);
    for (const known of [secret, token, pageToken, "ss-of-the-proxy", credentials, serviceHost]) {
      expect(logged).not.toContain(known);
    }
    expect(logged).toContain('"operation":"token"');
  });

  it("isn't used for the hosts of noProxy", async () => {
    const server = await start({
      ...authority(),
      proxy: proxy.origin,
      noProxy: ["elsewhere.example", "localhost"],
    });
    expect((await exchange(server)).statusCode).toBe(200);
    expect([received.length, proxy.asked]).toEqual([1, []]);
  });

  it("doesn't replace the private authority, which is still needed", async () => {
    const server = await start({ proxy: proxy.origin });
    expect((await exchange(server)).statusCode).toBe(502);
    expect(proxy.asked).toHaveLength(1);
    expect(received).toEqual([]);
  });

  it.each([407, 403, 502])(
    "that answers %i isn't bypassed: pages get a 502 until it forwards calls",
    async (status) => {
      const server = await start({ ...authority(), proxy: proxy.origin });
      proxy.status = status;
      const refused = await exchange(server);
      expect([refused.statusCode, refused.json()]).toMatchObject([
        502,
        { detail: "The relay cannot reach the service." },
      ]);
      expect(received).toEqual([]);
      proxy.status = 200;
      expect((await exchange(server)).statusCode).toBe(200);
    },
  );

  it("that doesn't answer times out, and works again when it answers", async () => {
    const upstream = createUpstream({ proxy: proxy.origin, ca: [cert], connectTimeoutMs: 3_000 });
    proxy.status = null;
    const silent = await Promise.allSettled(Array.from({ length: 20 }, () => upstream.send(aCall())));
    expect(silent.map(({ status }) => status)).toEqual(silent.map(() => "rejected"));
    proxy.status = 200;
    expect((await upstream.send(aCall())).status).toBe(200);
    await upstream.close();
  });

  it("that doesn't answer doesn't keep the server from stopping", async () => {
    const upstream = createUpstream({ proxy: proxy.origin, ca: [cert], connectTimeoutMs: 600_000 });
    proxy.status = null;
    const asked = upstream.send(aCall()).catch((error: unknown) => error);
    await until(() => proxy.asked.length > 0);
    await upstream.close();
    expect(await asked).toHaveProperty("message");
  });
});

const aCall = (): OutgoingCall => ({
  url: new URL(`https://${serviceHost}/events`),
  method: "GET",
  headers: {},
  body: null,
  maxAnswerBytes: 1_000_000,
  signal: new AbortController().signal,
});
