/** The administrator's loopback port: metrics, and the sessions, which it lists and ends. */
import { request, type RequestOptions } from "node:http";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { monitoringHost } from "../../../src/server/edge/hosts";
import { createMetrics } from "../../../src/server/monitoring/metrics";
import { createMonitoringPort } from "../../../src/server/monitoring/port";
import type { Sessions, SignInSession } from "../../../src/server/sign-in/sessions";
import { memoryStores } from "../../helpers/memory-stores";
import { expectKind } from "../../helpers/outcome";
import { openApp } from "../beds";
import { clockOf, settings } from "../parts";

const hourMs = 3_600_000;

let nowMs: number;
let port: number;
let ended: SignInSession[];
let sessions: Sessions;
let monitoring: FastifyInstance;

const signedIn = (name: string) => ({ subject: name, name, refreshToken: null, mayPublish: false });
const begin = async (name: string, environment = "production") =>
  expectKind("begun", await sessions.begin(environment, signedIn(name))).text;

async function open(changes: Partial<Sessions> = {}): Promise<void> {
  const clock = clockOf(() => nowMs);
  const lasts = { idleMs: 8 * hourMs, totalMs: 12 * hourMs };
  sessions = { ...memoryStores(clock, lasts).sessions, ...changes };
  const onSessionEnded = (session: SignInSession) => void ended.push(session);
  monitoring = createMonitoringPort({ metrics: createMetrics(), sessions, onSessionEnded });
  await monitoring.listen({ host: monitoringHost, port: 0 });
  ({ port } = monitoring.server.address() as AddressInfo);
}

/** The response's status; null if nothing listens. */
function statusOf(options: RequestOptions): Promise<number | null> {
  return new Promise((resolve) => {
    const asked = request({ host: monitoringHost, port, ...options }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on("error", () => resolve(null));
    asked.end();
  });
}

/** What `curl` prints, as JSON. */
async function ask(method: "GET" | "DELETE", path: string): Promise<unknown> {
  return (await fetch(`http://${monitoringHost}:${port}${path}`, { method })).json();
}

beforeEach(async () => {
  nowMs = 0;
  ended = [];
  await open();
});
afterEach(() => monitoring.close());

test("lists sessions, newest first, with times and without secrets", async () => {
  const text = await begin("Jane Doe");
  nowMs += hourMs;
  await begin("Joe Bloggs", "sandbox");
  nowMs += hourMs / 2;
  await sessions.find("production", text);
  const listed = await ask("GET", "/sessions");
  const times = { signedInSecondsAgo: 1_800, usedSecondsAgo: 1_800, endsInSeconds: 11.5 * 3_600 };
  expect(listed).toEqual([
    {
      id: expect.stringMatching(/^[\w-]{16}$/) as string,
      name: "Joe Bloggs",
      environment: "sandbox",
      ...times,
    },
    expect.objectContaining({
      ...{ name: "Jane Doe", environment: "production" },
      ...{ signedInSecondsAgo: 5_400, usedSecondsAgo: 0, endsInSeconds: 10.5 * 3_600 },
    }),
  ]);
  expect(JSON.stringify(listed)).not.toContain(text);
});

test("ends one session by its ID, then all, and reports each", async () => {
  const [first, second] = [await begin("Jane"), await begin("Joe")];
  const { person } = expectKind("found", await sessions.find("production", first)).session;
  expect(await ask("DELETE", `/sessions/${person}`)).toMatchObject([{ name: "Jane" }]);
  expect((await sessions.find("production", first)).kind).toBe("unknown");
  expect((await sessions.find("production", second)).kind).toBe("found");
  expect(await ask("DELETE", `/sessions/${person}`)).toEqual([]);
  expect(await ask("DELETE", "/sessions")).toMatchObject([{ name: "Joe" }]);
  expect(await ask("DELETE", "/sessions")).toEqual([]);
  expect(await ask("GET", "/sessions")).toEqual([]);
  expect(ended.map(({ name }) => name)).toEqual(["Jane", "Joe"]);
});

test.each(["Jane Doe", "../sessions", "x".repeat(65), "?all", ""])(
  "%p as an ID ends no session",
  async (id) => {
    await begin("Jane");
    await ask("DELETE", `/sessions/${encodeURIComponent(id)}`);
    expect(expectKind("listed", await sessions.list()).sessions).toHaveLength(1);
  },
);

test.each([
  ["a name that resolves here", { method: "GET", path: "/metrics", headers: { host: "evil.example.com" } }],
  [
    "one like this machine's",
    { method: "DELETE", path: "/sessions", headers: { host: "localhost.evil.com" } },
  ],
])("refuses requests under %s", async (_name, options) => {
  await begin("Jane");
  expect(await statusOf(options)).toBe(421);
  expect(expectKind("listed", await sessions.list()).sessions).toHaveLength(1);
});

test("doesn't let another origin read or end anything", async () => {
  const headers = { origin: "https://evil.example.com", "access-control-request-method": "DELETE" };
  const asked = await monitoring.inject({ method: "OPTIONS", url: "/sessions", headers });
  const read = await monitoring.inject({ url: "/sessions", headers });
  for (const answer of [asked, read]) expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
  expect(asked.statusCode).toBe(404);
});

test("says so while it can't reach Redis", async () => {
  await monitoring.close();
  await open({ list: () => Promise.resolve({ kind: "away" as const }) });
  const asked = await fetch(`http://${monitoringHost}:${port}/sessions`);
  expect(asked.status).toBe(503);
  expect(await asked.json()).toEqual({ error: "The server can't reach Redis, which contains the sessions." });
});

test("counts only sessions that haven't expired", async () => {
  const figure = async () =>
    /^inv_sessions (\d+)$/m.exec((await monitoring.inject({ url: "/metrics" })).body)?.[1];
  expect(await figure()).toBe("0");
  await begin("Jane");
  await begin("Joe", "sandbox");
  expect(await figure()).toBe("2");
  nowMs += 9 * hourMs;
  expect(await figure()).toBe("0");
});

test("only the monitoring port has figures and sessions, and it is open to this machine alone", async () => {
  const app = await openApp({ config: settings({ monitoringPort: 0 }) });
  expect(app.monitoring?.server.address()).toMatchObject({ address: "127.0.0.1" });
  for (const url of ["/metrics", "/sessions"]) {
    expect([url, (await app.inject({ url })).statusCode]).toEqual([url, 404]);
    expect([url, (await app.monitoring?.inject({ url }))?.statusCode]).toEqual([url, 200]);
  }
  for (const url of ["/healthz", "/readyz"]) {
    expect((await app.inject({ url })).body).not.toMatch(/inv_/);
  }
  await app.close();
});
