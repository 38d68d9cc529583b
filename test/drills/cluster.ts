/**
 * The environment of one drill: a stub of the service, a real Redis, real servers with a pipe between each and Redis, and
 * people's pages. Each is its own process with its own ports, so that drills can run at the same time.
 */
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fetch } from "undici";
import { type RedisOptions, type RedisProcess, startRedis } from "../helpers/redis-process";
import { type ServerProcess, startServer } from "../helpers/server-process";
import { tokenFrom } from "../helpers/token-from";
import type { Load, PagesOptions, PagesReport } from "./pages";
import { openPipe, type Pipe } from "./pipe";
import type { SharingOptions, SharingReport, Team } from "./sharing-pages";
import type { StubReport } from "./stub";

export const environmentId = "drill";
/** The pages' account. Another account has another quota. */
export const account = { consumer_id: "drill", client_secret: "drill" };

export interface LookedUp {
  readonly status: number;
  /** Age of each record that a server had in its cache. */
  readonly ages: string | null;
  readonly quota: string | null;
}

export interface ClusterOptions {
  readonly limit: number;
  readonly servers: number;
  /** Default: forty. */
  readonly people?: number;
  /** Null for no Redis: then the servers share nothing. */
  readonly redis: RedisOptions | null;
  readonly isStubQuick?: boolean;
  /** Node's arguments for the server with this number, for example another clock. */
  readonly nodeArguments?: (server: number) => readonly string[];
  /** Settings in addition to the environment and Redis. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, string>>;
  /** Settings for an address of Redis other than `redis://127.0.0.1:PORT`. */
  readonly redisSettings?: (port: number) => Readonly<Record<string, unknown>>;
}

export interface Cluster {
  readonly options: ClusterOptions;
  readonly servers: readonly Member[];
  readonly redis: RedisProcess | null;
  /** Starts a server that replaces one that ended, on the same port unless it needs a new one. */
  replace(index: number): Promise<Member>;
  stub(): Promise<StubReport>;
  /** Resolves when a new Redis opens: once no call that it doesn't know can still count. */
  opened(): Promise<void>;
  /** Opens the people's pages, which call the servers in turn or through the given balancer. */
  openPages(
    load: Load,
    balancer: { readonly origin: string; readonly caPath: string } | null,
  ): Promise<Pages>;
  /** Opens the pages of a company, which call the servers in turn. */
  openTeam(team: Team): Promise<{ report(): Promise<SharingReport> }>;
  close(): Promise<void>;
}

interface Member extends Omit<ServerProcess, "output"> {
  readonly output: ServerProcess["output"];
  /** The pipe between this server and Redis; null without Redis. */
  readonly pipe: Pipe | null;
  /** Number of this server's lookups that the service has answered. */
  calls(): Promise<number>;
}

export interface Pages {
  report(): Promise<PagesReport>;
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
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
    // Processes that did start would outlive the drill.
    killAll();
    for (const pipe of pipes) pipe.close();
    await redis?.kill();
    throw failed.reason;
  }

  async function start(index: number, port = "0"): Promise<Member> {
    const pipe = pipes[index] ?? null;
    const server = await startServer("server", {
      folder: join(process.cwd(), "dist"),
      arguments: ["--unattended"],
      settings: settingsOf(pipe),
      nodeArguments: options.nodeArguments?.(index) ?? [],
      variables: { PORT: port, ...options.variables },
    });
    return { ...server, pipe, calls: () => callsOf(server) };
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
      let token = "";
      let status = 401;
      while (status !== 200) {
        // A server that hasn't reached Redis yet gives no token.
        if (status === 401) token = await tokenFrom(origin, environmentId, account);
        ({ status } = await lookUp(origin, token, 900_000));
        await sleep(500);
      }
    },
    async openPages(load, balancer) {
      const origins = balancer ? [balancer.origin] : servers.map(({ origin }) => origin);
      const { limit, people = 40 } = options;
      const given: PagesOptions = { origins, people, load, limit };
      const variables = balancer && { NODE_EXTRA_CA_CERTS: balancer.caPath };
      const pages = forkPart("pages", [JSON.stringify(given)], { children, variables });
      await firstWord(pages);
      return { report: () => ask(pages) as Promise<PagesReport> };
    },
    async openTeam(team) {
      const origins = servers.map(({ origin }) => origin);
      const given: SharingOptions = { origins, limit: options.limit, team };
      const pages = forkPart("sharing-pages", [JSON.stringify(given)], { children });
      await firstWord(pages);
      return { report: () => ask(pages) as Promise<SharingReport> };
    },
    async close() {
      killAll();
      process.off("exit", killAll);
      await Promise.all(servers.map((server) => server.kill()));
      for (const pipe of pipes) pipe.close();
      await redis?.kill();
    },
  };
}

/** Starts a part that is compiled beside this file. */
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

/** Looks up one item that no page requests. */
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
