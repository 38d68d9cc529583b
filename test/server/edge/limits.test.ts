/** Both servers end requests that are too slow, too large or too frequent, over real sockets. */
import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { defaultLimits, type Limits } from "../../../src/server/edge/limits";
import { createServiceServer } from "../../helpers/service/server";
import { maxBodyBytes } from "../../../src/embedded-service/body";
import { embeddedAt } from "../../helpers/embedded";
import { openApp } from "../beds";
import { settings } from "../parts";

const limits: Limits = { requestMs: 400, headersMs: 200, idleMs: 1000, checkEveryMs: 50, connections: 8 };

/** Limits for callers that must not be ended, however slow the machine is. */
const patient = { requestMs: 60_000, headersMs: 50_000, idleMs: 60_000 };

const embedded = embeddedAt(() => 0);
const main = (own: Limits) => openApp({ config: settings({ host: "localhost", hosts: [] }), limits: own });
const alone = (own: Limits) => createServiceServer({ ...embedded, faultSwitches: true }, own);

describe.each([
  ["the main server", main],
  ["the service alone", alone],
])("%s", (_name, create) => {
  let server: FastifyInstance;
  const sockets: Socket[] = [];

  async function start(own: Partial<Limits> = {}): Promise<void> {
    server = await create({ ...limits, ...own });
    await server.listen({ host: "127.0.0.1", port: 0 });
  }
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await server.close();
  });

  function open(): Socket {
    const socket = connect((server.server.address() as AddressInfo).port, "127.0.0.1");
    sockets.push(socket);
    return socket;
  }
  /** Everything received until the other side closed the connection. */
  const untilClosed = (socket: Socket) =>
    new Promise<string>((resolve) => {
      let heard = "";
      socket.on("data", (chunk) => (heard += chunk.toString("latin1")));
      socket.on("error", () => undefined);
      socket.on("close", () => resolve(heard));
    });
  const post = (length: number) =>
    `POST /search-items HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  it("ends a body that arrives byte by byte", async () => {
    await start();
    const socket = open();
    socket.write(post(100_000));
    const dripping = setInterval(() => socket.write(" "), 50);
    const heard = await untilClosed(socket);
    clearInterval(dripping);
    expect(heard).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("ends headers that arrive byte by byte", async () => {
    await start({ requestMs: 60_000 });
    const socket = open();
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n");
    const dripping = setInterval(() => socket.write("X: 1\r\n"), 50);
    const heard = await untilClosed(socket);
    clearInterval(dripping);
    expect(heard).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("ends a connection on which nothing arrives", async () => {
    await start();
    await untilClosed(open());
  });

  it("accepts no more connections than its limit", async () => {
    await start(patient);
    const held = Array.from({ length: limits.connections }, open);
    await Promise.all(held.map((socket) => new Promise((resolve) => socket.once("connect", resolve))));
    expect(await untilClosed(open())).toBe("");
    expect(held.every(({ destroyed }) => !destroyed)).toBe(true);
  });

  it("answers a body over its limit and closes the connection without reading the rest", async () => {
    await start(patient);
    const socket = open();
    const closed = untilClosed(socket);
    socket.write(post(1_000_000_000) + "x".repeat(maxBodyBytes + 1));
    // The rest is sent later, because it causes a reset, which may discard an unread answer.
    await once(socket, "data");
    const piece = "x".repeat(100_000);
    let written = 0;
    const pumping = setInterval(() => {
      written += piece.length;
      socket.write(piece);
    }, 5);
    const heard = await closed;
    clearInterval(pumping);
    expect(heard).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(heard.toLowerCase()).toContain("connection: close");
    expect(written).toBeLessThan(1_000_000_000);
  });

  it("refuses an absolute request address, as to a proxy", async () => {
    await start(patient);
    const socket = open();
    socket.write(
      "GET http://evil.example/relay/demo/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    );
    expect(await untilClosed(socket)).toMatch(/^HTTP\/1\.1 4(21|04) /);
  });

  it("keeps an honest caller's connection", async () => {
    await start(patient);
    const { port } = server.server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/search-items`, { method: "POST", body: "{}" });
    expect(response.headers.get("connection")).toBe("keep-alive");
    await response.text();
  });
});

it("the default limits give the relay its minute, and end a slow request within two", () => {
  expect(defaultLimits.idleMs).toBeGreaterThan(60_000);
  expect(defaultLimits.requestMs + defaultLimits.checkEveryMs).toBeLessThanOrEqual(120_000);
  expect(defaultLimits.headersMs).toBeLessThanOrEqual(defaultLimits.requestMs);
});
