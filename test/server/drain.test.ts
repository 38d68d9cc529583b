/** A server that is stopped while people wait: they get their answers, new callers are refused, and it exits normally. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, fetch } from "undici";
import { selfSigned, type SelfSigned } from "../helpers/certificate";
import { type ServerProcess, startServer } from "../helpers/server-process";
import { tokenFrom } from "../helpers/token-from";
import { until } from "../helpers/until";

let settings: { readonly environments: readonly object[] };
let headers: Record<string, string>;
let service: Server;
let server: ServerProcess;
/** Calls that have reached the service and wait for its answer. */
let held: ServerResponse[];
let agent: Agent;

beforeEach(async () => {
  held = [];
  service = createServer((request, response) => {
    request.resume();
    if (request.url === "/token") response.end('{"access_token":"token-of-the-service"}');
    else held.push(response);
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const live = {
    id: "live",
    label: "Live",
    kind: "production",
    tokenUrl: `${base}/token`,
    searchUrl: `${base}/search`,
    eventsUrl: `${base}/events`,
  };
  settings = { environments: [live] };
  agent = new Agent({ keepAliveTimeout: 60_000, connections: 1 });
});
afterEach(async () => {
  await server.kill();
  await agent.destroy();
  service.closeAllConnections();
  service.close();
});

/** Starts the server, which runs this script first. */
async function start(changes: object = {}, script = ""): Promise<void> {
  server = await startServer("server", {
    arguments: ["--unattended"],
    nodeArguments: ["--import", `data:text/javascript,${encodeURIComponent(script)}`],
    settings: { ...settings, ...changes },
  });
  headers = { authorization: `Bearer ${await tokenFrom(server.origin, "live")}` };
}

const ask = (item: number, dispatcher?: Agent) =>
  fetch(`${server.origin}/relay/live/events?store_nbr=1234&gtin=${item}`, {
    headers,
    ...(dispatcher && { dispatcher }),
  });
/** The readiness that a load balancer receives over an already open connection. */
const readiness = () =>
  fetch(`${server.origin}/readyz`, { dispatcher: agent }).then(
    ({ status }) => status,
    () => "closed",
  );

it.each(["SIGTERM", "SIGINT"] as const)(
  "tells a load balancer of %s before its port closes, and answers everything until then",
  async (signal) => {
    await start({ stopNoticeSeconds: 3 });
    /** Asks as a load balancer does: each time over a new connection. */
    const look = async () => {
      const own = new Agent({ keepAliveTimeout: 1 });
      const status = await fetch(`${server.origin}/readyz`, { dispatcher: own }).then(
        (answer) => answer.status,
        () => "closed",
      );
      await own.close();
      return status;
    };
    const ended = server.stop(signal);
    const seen: (number | string)[] = [];
    await until(async () => {
      seen.push(await look());
      return seen.at(-1) !== 200;
    });
    expect(seen.at(-1)).toBe(503);
    const newcomer = ask(1);
    await until(() => held.length === 1);
    held[0]?.writeHead(200).end("{}");
    expect((await newcomer).status).toBe(200);
    await until(async () => (await look()) === "closed");
    expect(await ended).toBe(0);
  },
);

it("goes on after SIGHUP, and looks at its certificate at once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "inv-reload-"));
  const lay = ({ cert, key }: SelfSigned) => {
    writeFileSync(join(folder, "cert.pem"), cert);
    writeFileSync(join(folder, "key.pem"), key);
  };
  lay(selfSigned());
  const tls = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  server = await startServer("server", {
    arguments: ["--unattended"],
    settings: { ...settings, host: "127.0.0.1", tls },
  });
  lay(selfSigned());
  server.signal("SIGHUP");
  await until(() => server.output().includes("The server uses the renewed certificate."));
  const ofThisServer = new Agent({ connect: { rejectUnauthorized: false } });
  expect((await fetch(`${server.origin}/healthz`, { dispatcher: ofThisServer })).status).toBe(200);
  await ofThisServer.destroy();
  expect(await server.stop()).toBe(0);
  rmSync(folder, { recursive: true });
});

it("lets calls in flight end, refuses new ones, and exits with 0", async () => {
  await start();
  expect(await readiness()).toBe(200);
  const answers = [1, 2, 3].map((item) => ask(item));
  await until(() => held.length === 3);
  const ended = server.stop();
  await until(async () => (await readiness()) !== 200);
  const late = await ask(4).then(
    ({ status }) => status,
    () => "closed",
  );
  expect([503, "closed"]).toContain(late);
  expect(held).toHaveLength(3);
  for (const [index, response] of held.entries()) response.writeHead(200).end(`{"call":${index}}`);
  const texts = await Promise.all(answers.map(async (answer) => (await answer).text()));
  expect(texts.sort()).toEqual(['{"call":0}', '{"call":1}', '{"call":2}']);
  expect(await ended).toBe(0);
});

it("doesn't wait for a page that has left", async () => {
  await start();
  const leave = new AbortController();
  const left = fetch(`${server.origin}/relay/live/events`, { headers, signal: leave.signal }).catch(
    () => "left",
  );
  await until(() => held.length === 1);
  const ended = server.stop();
  leave.abort();
  expect([await left, await ended]).toEqual(["left", 0]);
});

/** From a stop signal on, a wait of ten seconds takes one, and the server says so. */
const hurriedAtStop = `process.once("SIGTERM", () => {
  const unhurried = setTimeout;
  globalThis.setTimeout = (run, waitMs, ...given) => {
    if (waitMs === 10_000) console.log("ten seconds pass");
    return unhurried(run, waitMs === 10_000 ? 1_000 : waitMs, ...given);
  };
});`;

it("exits ten seconds later even if the service never answers, and answers the calls that wait", async () => {
  await start({}, hurriedAtStop);
  const asked = [1, 2].map((item) => ask(item));
  await until(() => held.length === 2);
  expect(await server.stop()).toBe(0);
  await until(() => server.output().includes("ten seconds pass"));
  for (const answer of await Promise.all(asked)) {
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining("stopped") as string });
  }
  // The log has the status that the pages got, and why.
  const logged = /"status":(\d+),.*"code":"GIVEN_UP"/g;
  await until(() => server.output().match(logged)?.length === 2);
  expect([...server.output().matchAll(logged)].map(([, status]) => status)).toEqual(["503", "503"]);
});

it("answers the calls in flight after an unexpected error too, logs it, and exits with 1", async () => {
  await start({}, `process.on("SIGWINCH", () => { throw new Error("planted"); });`);
  const asked = ask(1);
  await until(() => held.length === 1);
  const ended = server.stop("SIGWINCH");
  await until(() => server.output().includes("INV stops because of an error"));
  held[0]?.writeHead(200).end("{}");
  expect((await asked).status).toBe(200);
  expect(await ended).toBe(1);
  expect(server.output()).toContain("Error: planted");
});
