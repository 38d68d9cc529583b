/**
 * One drill's own world: a stub of the service, a real Redis, real servers with a pipe each between them and Redis, and forty
 * people's pages; each of them a process of its own on ports of its own, so that drills can run beside each other.
 */
import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fetch } from "undici";
import { type RedisOptions, type RedisProcess, startRedis } from "../helpers/redis-process";
import { type ServerProcess, startServer } from "../helpers/server-process";
import { tokenFrom } from "../helpers/token-from";
import type { Load, PagesOptions, PagesReport } from "./pages";
import { openPipe, type Pipe } from "./pipe";
import type { StubReport } from "./stub";

export const environmentId = "drill";
/** The pages' own: who asks as another has another quota. */
export const account = { consumer_id: "drill", client_secret: "drill" };

export interface LookedUp {
  readonly status: number;
  /** How old each record is, where a server knew it. */
  readonly ages: string | null;
  readonly quota: string | null;
}

export interface ClusterOptions {
  /** Calls in any 60 seconds. */
  readonly limit: number;
  readonly servers: number;
  /** Null without: then each server is on its own. */
  readonly redis: RedisOptions | null;
  readonly isStubQuick?: boolean;
  /** Of Node, for the server of this number: another clock. */
  readonly nodeArguments?: (server: number) => readonly string[];
  /** Beside the environment and Redis. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, string>>;
  /** For an address of Redis that is not `redis://127.0.0.1:PORT`. */
  readonly redisSettings?: (port: number) => Readonly<Record<string, unknown>>;
}

export interface Cluster {
  readonly options: ClusterOptions;
  readonly servers: readonly Member[];
  readonly redis: RedisProcess | null;
  /** Starts another in the place of one that ended, on its port unless it is to have a new one. */
  replace(index: number): Promise<Member>;
  stub(): Promise<StubReport>;
  /** A Redis that nobody knows is used once no call can count that it does not know of: resolves then. */
  opened(): Promise<void>;
  /** Pages of forty people that go to the servers in turns, or to what leads them there. */
  openPages(load: Load, leader: { readonly origin: string; readonly caPath: string } | null): Promise<Pages>;
  close(): Promise<void>;
}

export interface Member extends Omit<ServerProcess, "output"> {
  readonly output: ServerProcess["output"];
  readonly configPath: string;
  /** Between it and Redis; null without. */
  readonly pipe: Pipe | null;
  /** Lookups that the service has answered it. */
  calls(): Promise<number>;
}

export interface Pages {
  report(): Promise<PagesReport>;
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "inv-drill-"));
  const children: ChildProcess[] = [];
  const killAll = () => {
    for (const child of children) child.kill("SIGKILL");
    for (const server of servers) void server.kill();
  };
  let redis: RedisProcess | null = null;
  const servers: Member[] = [];
  process.once("exit", killAll);
  const kind = options.isStubQuick ? "quick" : "slow";
  const stub = forkPart("stub", [String(options.limit), kind], { children });
  redis = options.redis && (await startRedis(options.redis));
  const redisPort = redis?.port ?? 0;
  const service = `http://127.0.0.1:${String(await firstWord(stub))}`;
  const range = Array.from({ length: options.servers }, (_, index) => index);
  const pipes = redis === null ? [] : await Promise.all(range.map(() => openPipe(redisPort)));
  const started = await Promise.allSettled(range.map((index) => start(index)));
  servers.push(...started.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])));
  const failed = started.find((each) => each.status === "rejected");
  if (failed !== undefined) {
    // Those that did start would outlive the drill.
    killAll();
    for (const pipe of pipes) pipe.close();
    await redis?.kill();
    throw failed.reason;
  }

  async function start(index: number, port = "0"): Promise<Member> {
    const pipe = pipes[index] ?? null;
    const configPath = join(folder, `inv-${index}.json`);
    writeFileSync(configPath, JSON.stringify(settingsOf(pipe)));
    const server = await startServer("server", {
      folder: join(process.cwd(), "dist"),
      arguments: ["--unattended", "--config", configPath],
      nodeArguments: options.nodeArguments?.(index) ?? [],
      variables: { PORT: port, ...options.variables },
    });
    return { ...server, configPath, pipe, calls: () => callsOf(server) };
  }

  function settingsOf(pipe: Pipe | null): Readonly<Record<string, unknown>> {
    const [tokenUrl, searchUrl, eventsUrl] = ["token", "search-items", "events"].map(
      (name) => `${service}/${name}`,
    );
    const quota = { search: options.limit, events: options.limit };
    const kind = "sandbox";
    const drill = { id: environmentId, label: "Drill", kind, tokenUrl, searchUrl, eventsUrl, quota };
    const redisAt = options.redisSettings ?? ((port) => ({ url: `redis://127.0.0.1:${port}` }));
    const shared = pipe && { redis: redisAt(pipe.port) };
    return { host: "127.0.0.1", environments: [drill], ...shared, ...options.settings };
  }

  return {
    options,
    servers,
    redis,
    async replace(index) {
      const port = new URL(servers[index]?.origin ?? "").port;
      return (servers[index] = await start(index, port));
    },
    stub: () => ask(stub) as Promise<StubReport>,
    async opened() {
      const [{ origin } = { origin: "" }] = servers;
      const token = await tokenFrom(origin, environmentId, account);
      for (let status = 0; status !== 200; status = (await lookUp(origin, token, 900_000)).status) {
        await sleep(500);
      }
    },
    async openPages(load, leader) {
      const origins = leader ? [leader.origin] : servers.map(({ origin }) => origin);
      const given: PagesOptions = { origins, load, limit: options.limit };
      const variables = leader && { NODE_EXTRA_CA_CERTS: leader.caPath };
      const pages = forkPart("pages", [JSON.stringify(given)], { children, variables });
      await firstWord(pages);
      return { report: () => ask(pages) as Promise<PagesReport> };
    },
    async close() {
      killAll();
      process.off("exit", killAll);
      await Promise.all(servers.map((server) => server.kill()));
      for (const pipe of pipes) pipe.close();
      await redis?.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Compiled beside this file. */
function forkPart(
  name: string,
  args: readonly string[],
  {
    children,
    variables,
  }: { readonly children: ChildProcess[]; readonly variables?: Readonly<Record<string, string>> | null },
): ChildProcess {
  const child = fork(join(__dirname, `${name}.js`), args, {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { ...process.env, ...variables },
  });
  children.push(child);
  return child;
}

function firstWord(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) =>
      reject(new Error(`A part of the drill ended with ${String(code)}.`));
    child.once("exit", onExit);
    child.once("message", (word) => {
      child.off("exit", onExit);
      resolve(word);
    });
  });
}

function ask(child: ChildProcess, question: object = {}): Promise<unknown> {
  const answer = firstWord(child);
  child.send(question);
  return answer;
}

/** A lookup of one item that no page asks for. */
export async function lookUp(origin: string, token: string, store: number): Promise<LookedUp> {
  const answer = await fetch(`${origin}/relay/${environmentId}/search-items`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "wm_consumer.id": account.consumer_id,
      "content-type": "application/json",
      "inv-edit": "1",
      "inv-max-age": "3600",
    },
    body: JSON.stringify({ item_type: "gtin", store_nbr: store, item_type_values: ["00000000000017"] }),
  });
  await answer.text();
  const { status, headers } = answer;
  return { status, ages: headers.get("inv-ages"), quota: headers.get("inv-quota") };
}

async function callsOf(server: ServerProcess): Promise<number> {
  const text = await server.metrics();
  const counts = [...text.matchAll(/^inv_service_calls_total\{.*operation="search".*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
