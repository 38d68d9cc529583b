/** What a server says of itself when something is wrong: health, a metric, and a few lines of the log. */
import { once } from "node:events";
import { rmSync } from "node:fs";
import { type AddressInfo, connect, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { connectionsWithin } from "../../../src/server/edge/descriptors";
import { ownFolder } from "../../helpers/own-folder";
import { until } from "../../helpers/until";
import { openApp } from "../beds";
import { settings, silentLog } from "../parts";

const folder = ownFolder();
folder.write("taskpane.html", "");

let app: FastifyInstance;
let warnings: (readonly [unknown, string])[];
let nowMs: number;
let linesLost: number;
beforeEach(() => {
  [warnings, nowMs, linesLost] = [[], 0, 0];
});
afterEach(() => app.close());

async function open(changes: Parameters<typeof settings>[0]): Promise<void> {
  app = await openApp({
    config: settings(changes),
    folder: folder.path,
    now: () => nowMs,
    log: {
      ...silentLog,
      warn: (fields, message) => void warnings.push([fields, message]),
      linesLost: () => linesLost,
    },
  });
}

const ready = async () => (await app.inject({ url: "/readyz" })).json<unknown>();
const figure = async (name: string) =>
  new RegExp(`^${name.replace(/[{}]/g, "\\$&")} (\\d+)$`, "m").exec(await app.core.metrics.text())?.[1];

test("a secret that is gone is seen within a minute, not when somebody signs in", async () => {
  const password = folder.write("password", "x");
  await open({
    redis: { url: "redis://localhost:1", prefix: "inv:", ca: null, password: `file:${password}` },
  });
  app.core.rounds.now();
  expect(await figure('inv_degraded{reason="secrets"}')).toBe("0");
  rmSync(password);
  app.core.rounds.now();
  app.core.rounds.now();
  expect(warnings.filter(([, message]) => message.startsWith("redis.password"))).toEqual([
    [{}, "redis.password names a file that can't be used: it doesn't exist."],
  ]);
  expect(await ready()).toEqual({ ok: true, degraded: true, because: ["redis", "secrets"] });
  expect(await figure('inv_degraded{reason="secrets"}')).toBe("1");
  folder.write("password", "x");
  app.core.rounds.now();
  expect(await figure('inv_degraded{reason="secrets"}')).toBe("0");
});

test("connections that are full are counted, and logged once a minute", async () => {
  await open({ maxConnections: 16 });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const sockets: Socket[] = [];
  const connectOne = async () => {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    sockets.push(socket);
    await once(socket, "connect");
  };
  for (let count = 0; count < 19; count += 1) await connectOne();
  await until(() => sockets.filter(({ destroyed }) => destroyed).length === 3);
  expect(await figure("inv_connections_refused_total")).toBe("3");
  const words = "A connection was refused, because as many as allowed are open (maxConnections).";
  expect(warnings).toEqual([[{ open: 16 }, words]]);
  nowMs += 60_000;
  await connectOne();
  await until(() => warnings.length === 2);
  expect(warnings[1]).toEqual([{ open: 16, leftOut: 2 }, words]);
  for (const socket of sockets) socket.destroy();
});

test("lost lines of the log are counted, each once", async () => {
  await open({});
  for (linesLost of [0, 3, 3, 5]) expect(await figure("inv_log_lines_lost_total")).toBe(String(linesLost));
});

test("fewer connections are accepted than the process may open files", () => {
  expect([connectionsWithin(4_096, 256), connectionsWithin(4_096, 1_048_576)]).toEqual([128, 4_096]);
  expect(connectionsWithin(20, Infinity)).toBe(20);
});

test("metrics have an address of their own, under any name, and without the sessions", async () => {
  await open({ metricsAddress: "127.0.0.1:0" });
  const port = app.metricsPort;
  expect(port?.listeningOrigin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const answered = await port?.inject({ url: "/metrics", headers: { host: "inv-1:9465" } });
  expect([answered?.statusCode, answered?.body]).toEqual([200, expect.stringContaining("inv_build_info")]);
  for (const method of ["GET", "DELETE"] as const) {
    expect((await port?.inject({ method, url: "/sessions" }))?.statusCode).toBe(404);
  }
});
