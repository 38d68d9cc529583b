/** Calls to a real environment end, whatever the service does. */
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createRawServer, type AddressInfo, type Server as RawServer } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { openRelay } from "../beds";
import { asHolder, clockOf } from "../parts";
import { until, wait } from "../../helpers/until";
import { createUpstream, type Upstream, type UpstreamOptions } from "../../../src/server/relay/upstream";

const silent: RequestListener = () => undefined;
const breaksOff: RequestListener = (_request, response) => {
  response.write("{", () => response.destroy());
};
const drops: RequestListener = (_request, response) => {
  const timer = setInterval(() => response.write(" "), 20);
  response.once("close", () => clearInterval(timer));
};

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

let server: Server | RawServer;
let upstream: Upstream;
let fastify: FastifyInstance;

async function before(service: Server | RawServer, options: UpstreamOptions, maxAnswerBytes = 1_000_000) {
  server = service.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  upstream = createUpstream(options);
  const targets = [{ id: "trial", tokenUrl: url, searchUrl: url, eventsUrl: url }];
  fastify = await openRelay({ send: upstream.send, targets, clock: clockOf(), maxAnswerBytes });
}

afterEach(async () => {
  await fastify.close();
  await upstream.close().catch(() => undefined); // closed by its test already
  if ("closeAllConnections" in server) server.closeAllConnections();
  server.close();
});

const search = () =>
  fastify.inject({ method: "POST", url: "/relay/trial/search-items", headers: asHolder, payload: "{}" });

describe("the relay with a service", () => {
  it.each<[string, RequestListener]>([
    ["that is silent reports a timeout", silent],
    ["that answers byte by byte without end reports a timeout", drops],
  ])("%s", async (_, listener) => {
    await before(createServer(listener), { answerTimeoutMs: 300, totalTimeoutMs: 900 });
    expect((await search()).statusCode).toBe(504);
  });

  it("that breaks off its answer reports that the service can't be reached", async () => {
    await before(createServer(breaksOff), {});
    expect((await search()).statusCode).toBe(502);
  });

  it("ends sixteen answers that arrive byte by byte, even after a garbage collection", async () => {
    await before(createServer(drops), { totalTimeoutMs: 900 });
    const answers = Array.from({ length: 16 }, search);
    const collecting = setInterval(collectGarbage, 50);
    const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode);
    clearInterval(collecting);
    expect(statuses).toEqual(Array.from({ length: 16 }, () => 504));
  });

  it("drops an answer whose caller has left, even after a garbage collection", async () => {
    const left = signalled();
    const begun = signalled();
    const listener: RequestListener = (request, response) => {
      begun.resolve();
      response.once("close", () => left.resolve());
      drops(request, response);
    };
    await before(createServer(listener), { totalTimeoutMs: 60_000 });
    await fastify.listen({ host: "127.0.0.1", port: 0 });
    const { port } = fastify.server.address() as AddressInfo;
    const leave = new AbortController();
    const asked = fetch(`http://127.0.0.1:${port}/relay/trial/events`, {
      headers: asHolder,
      signal: leave.signal,
    });
    await begun.promise;
    const collecting = setInterval(collectGarbage, 50);
    await wait(300);
    leave.abort();
    await expect(asked).rejects.toThrow();
    await left.promise;
    clearInterval(collecting);
  });

  it("aborts calls in flight when the server stops", async () => {
    await before(createServer(silent), { totalTimeoutMs: 60_000, answerTimeoutMs: 60_000 });
    const asked = search();
    await new Promise((resolve) => server.once("request", resolve));
    await upstream.close();
    expect((await asked).statusCode).toBe(502);
  });
});

describe("a call that waits for a connection", () => {
  it("and is aborted never reaches the service, and later calls do", async () => {
    const held: ServerResponse[] = [];
    let asked = 0;
    await before(
      createServer((_request, response) => {
        asked += 1;
        held.push(response);
        if (asked > connections) response.end("{}");
      }),
      {},
    );
    const call = (signal = new AbortController().signal) =>
      upstream.send({
        url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
        method: "GET",
        headers: {},
        body: null,
        signal,
        maxAnswerBytes: 100,
      });
    const leaves = new AbortController();
    const first = Array.from({ length: connections }, () => call());
    await until(() => asked === connections);
    const left = call(leaves.signal);
    const behind = call();
    leaves.abort();
    await expect(left).rejects.toThrow("GIVEN_UP");
    for (const response of held.slice()) response.end("{}");
    await Promise.all([...first, behind]);
    expect(asked).toBe(connections + 1);
  });
});

/** The number of connections that the relay opens to one address. */
const connections = 16;

describe("an answer of the service", () => {
  const answers = (write: (response: ServerResponse) => void) =>
    createServer((_request, response) => write(response));

  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ] as const)("that comes as %s is read", async (encoding, compress) => {
    const json = { "content-type": "application/json", "content-encoding": encoding };
    await before(
      answers((response) => response.writeHead(200, json).end(compress('{"ok":true}'))),
      {},
    );
    const { statusCode, headers, body } = await search();
    expect([statusCode, headers["content-type"], body]).toEqual([200, "application/json", '{"ok":true}']);
    expect(headers["content-encoding"]).toBeUndefined();
  });

  it("is limited by its uncompressed size; broken compression is a 502", async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    let sent = bomb;
    await before(
      answers((response) => response.writeHead(200, { "content-encoding": "gzip" }).end(sent)),
      {},
    );
    const large = await search();
    expect([large.statusCode, large.json<{ detail: string }>().detail]).toEqual([
      502,
      expect.stringContaining("larger"),
    ]);
    sent = Buffer.from("not packed at all");
    expect((await search()).statusCode).toBe(502);
  });

  it.each([600, 700, 999])("with status %i is a 502, because HTTP has no such status", async (status) => {
    const raw = createRawServer((socket) =>
      socket.once("data", () => socket.end(`HTTP/1.1 ${status} Odd\r\nContent-Length: 2\r\n\r\n{}`)),
    );
    await before(raw, {});
    const response = await search();
    expect(response.statusCode).toBe(502);
    expect(response.json()).toMatchObject({ title: "Relay", status: 502 });
  });

  it("after an informational response is the one that counts", async () => {
    await before(
      answers((response) => {
        response.writeEarlyHints({ link: "</style.css>; rel=preload" }, () =>
          response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}'),
        );
      }),
      {},
    );
    const { statusCode, body } = await search();
    expect([statusCode, body]).toEqual([200, '{"ok":true}']);
  });

  it.each([204, 205, 304])("with status %i has no body and is forwarded", async (status) => {
    await before(
      answers((response) => response.writeHead(status).end()),
      {},
    );
    const response = await search();
    expect([response.statusCode, response.body]).toEqual([status, ""]);
  });
});

function signalled(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
