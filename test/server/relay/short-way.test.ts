/** The short way of a plain lookup says what the long one says, and whatever is not plain goes the long one. */
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import Fastify, { type FastifyInstance } from "fastify";
import { Agent, request } from "undici";
import { createApp } from "../../../src/server/app";
import { drainOnClose } from "../../../src/server/edge/drain";
import { defaultLimits } from "../../../src/server/edge/limits";
import { type Destination, openShortWay } from "../../../src/server/relay/short-way";
import { createDemoService } from "../../../src/service/demo/demo-service";
import { settings, silentLog } from "../parts";

const path = "/relay/live/search-items";
const body = '{"item_type":"gtin","store_nbr":1234,"item_type_values":["00012345678905"]}';
const json = { "content-type": "application/json" };
const demo = createDemoService({ now: () => 0, random: () => 0.5, sleep: () => Promise.resolve() });

let service: Server;
let app: FastifyInstance;
let agent: Agent;
let origin: string;
/** Bodies that have reached the service. */
let sent: string[];
/** What to answer; null leaves the call waiting. */
let answer: { readonly status: number; readonly text: string } | null;
/** Calls whose connection the server has closed before it had an answer. */
let left: number;
let longWays: number;

beforeEach(async () => {
  [sent, answer, left, longWays] = [[], { status: 200, text: '{"items":[]}' }, 0, 0];
  service = createServer((incoming, response) => {
    let text = "";
    incoming.on("data", (chunk) => (text += String(chunk)));
    incoming.on("end", () => {
      sent.push(text);
      if (answer !== null) {
        response.writeHead(answer.status, { ...json, "retry-after": "7" }).end(answer.text);
      }
    });
    response.on("close", () => (left += response.writableFinished ? 0 : 1));
  });
  const searchUrl = await listening(service);
  const live = { id: "live", label: "Live", kind: "production" as const, authorization: "bearer" as const };
  const urls = { tokenUrl: searchUrl, searchUrl, eventsUrl: searchUrl };
  app = await createApp({
    config: settings({ environments: [{ ...live, ...urls, quota: { search: 600, events: 60 } }] }),
    folder: tmpdir(),
    demo: { ...demo, faultSwitches: false },
    now: () => performance.now(),
    log: silentLog,
    limits: { ...defaultLimits, requestMs: 400, headersMs: 200, checkEveryMs: 50 },
  });
  app.addHook("onRequest", (_request, _reply, done) => {
    longWays += 1;
    done();
  });
  origin = await app.listen({ host: "127.0.0.1", port: 0 });
  agent = new Agent();
});
afterEach(async () => {
  await agent.destroy();
  await app.close();
  service.closeAllConnections();
  service.close();
});

async function ask(changes: Partial<Parameters<typeof request>[1]> = {}) {
  const options = { method: "POST", headers: json, body, dispatcher: agent } as const;
  const response = await request(origin + path, { ...options, ...changes });
  return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
}

it.each([200, 204, 400, 503])("hands on status %i with the same headers on either way", async (status) => {
  answer = { status, text: status === 204 ? "" : '{"a":"ü"}' };
  const short = await ask();
  expect(longWays).toBe(0);
  const long = await app.inject({ method: "POST", url: path, headers: json, payload: body });
  expect(longWays).toBe(1);
  expect([short.status, short.text]).toEqual([long.statusCode, long.body]);
  // Fastify says no type where there is nothing that could have one.
  const typed = status === 204 ? { "content-type": undefined } : {};
  expect({ ...contentOf(short.headers), ...typed }).toEqual(contentOf(long.headers));
  expect(sent).toEqual([body, body]);
});

it.each<[string, Parameters<typeof ask>[0], number]>([
  ["another site's page", { headers: { ...json, "sec-fetch-site": "cross-site" } }, 403],
  ["another name", { headers: { ...json, host: "evil.example" } }, 421],
  ["a body that is too large", { body: "x".repeat(70_000) }, 413],
  ["another method", { method: "PUT" }, 404],
  ["a method that only looks", { method: "OPTIONS", headers: {}, body: null }, 404],
])("leaves %s to the long way, and nothing is sent", async (_what, changes, status) => {
  expect((await ask(changes)).status).toBe(status);
  expect(sent).toEqual([]);
});

it.each<[string, string[]]>([
  [
    "in pieces of unknown length",
    ["transfer-encoding: chunked", "", body.length.toString(16), body, "0", "", ""],
  ],
  ["announced first", ["expect: 100-continue", `content-length: ${body.length}`, "", body]],
  ["of no named type", [`content-length: ${body.length}`, "", body]],
])("takes a body %s the long way", async (_what, lines) => {
  const named =
    lines.some((line) => line.startsWith("content-length")) && lines.length === 3
      ? []
      : ["content-type: application/json"];
  const heard = await raw(["connection: close", ...named, ...lines]);
  expect(heard).toMatch(/HTTP\/1\.1 200 OK/);
  expect([longWays, sent]).toEqual([1, [body]]);
});

it("ends a body that does not come, and sends nothing", async () => {
  const heard = await raw(["content-type: application/json", "content-length: 100", "", "{"]);
  expect(heard).toMatch(/^HTTP\/1\.1 408 /);
  expect(sent).toEqual([]);
});

it("sends nothing of a body that broke off, and answers whoever comes next", async () => {
  const { port } = new URL(origin);
  const socket = connect(Number(port), "127.0.0.1");
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{`,
  );
  await new Promise((resolve) => app.server.once("request", resolve));
  socket.destroy();
  expect((await ask()).status).toBe(200);
  expect(sent).toEqual([body]);
});

it("lets go of the service when the page leaves", async () => {
  answer = null;
  const leave = new AbortController();
  const asked = ask({ signal: leave.signal }).catch(() => "left");
  await until(() => sent.length === 1);
  leave.abort();
  expect(await asked).toBe("left");
  await until(() => left === 1);
});

it("ends what is under way before it closes, and takes nothing more meanwhile", async () => {
  answer = null;
  let give = (): void => undefined;
  service.once(
    "request",
    (_incoming, response) => (give = () => void response.writeHead(200, json).end("{}")),
  );
  const asked = ask();
  await until(() => sent.length === 1);
  const closed = app.close();
  const late = await ask().then(
    ({ status }) => status,
    () => "closed",
  );
  expect([503, "closed"]).toContain(late);
  give();
  expect((await asked).status).toBe(200);
  await closed;
  expect(sent).toHaveLength(1);
});

describe("alone", () => {
  const errors: unknown[] = [];
  async function open(destination: Destination["answer"]): Promise<FastifyInstance> {
    const fastify = Fastify({ forceCloseConnections: true });
    const drain = drainOnClose(fastify, 50);
    openShortWay(fastify.server, {
      isKnownHost: () => true,
      headersFor: () => ({}),
      drain,
      onError: (error) => errors.push(error),
    }).add("/", { maxBytes: 1_000, answer: destination });
    await fastify.listen({ host: "127.0.0.1", port: 0 });
    return fastify;
  }
  const post = (fastify: FastifyInstance) =>
    request(fastify.listeningOrigin, { method: "POST", headers: json, body: "{}", dispatcher: agent });

  it("tells who still waits at a stop that it stops", async () => {
    let begun = (): void => undefined;
    const waits = new Promise<void>((resolve) => (begun = resolve));
    const fastify = await open(() => {
      begun();
      return new Promise(() => undefined);
    });
    const asked = post(fastify);
    await waits;
    await fastify.close();
    const { statusCode, headers } = await asked;
    expect([statusCode, headers["retry-after"], headers.connection]).toEqual([503, "5", "close"]);
  });

  it("answers 500 where the relay fails, and tells of the error", async () => {
    const fault = new Error("a fault of ours");
    const fastify = await open(() => Promise.reject(fault));
    expect((await post(fastify)).statusCode).toBe(500);
    expect(errors).toEqual([fault]);
    await fastify.close();
  });
});

/** What is said of the answer itself, not of its connection or hour. */
function contentOf(headers: object): Record<string, unknown> {
  const {
    date,
    connection,
    "keep-alive": alive,
    "inv-quota": quota,
    ...content
  } = Object.fromEntries(Object.entries(headers));
  expect([typeof date, typeof connection, typeof alive].sort()).toContain("string");
  expect(quota).toMatch(/^\d+\/600$/);
  return content;
}

/** All that comes for a request of these lines until the connection is closed. */
function raw(lines: readonly string[]): Promise<string> {
  const { port } = new URL(origin);
  return new Promise((resolve) => {
    let heard = "";
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("data", (chunk) => (heard += chunk.toString("latin1")));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(heard));
    socket.write([`POST ${path} HTTP/1.1`, "host: localhost", ...lines].join("\r\n"));
  });
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/search`;
}
