/** Assembles the server. It opens no port and reads no settings file, which `main` does. */
import { access } from "node:fs/promises";
import { Server } from "node:https";
import { join } from "node:path";
import Fastify, { type FastifyError, type FastifyInstance, type RouteShorthandOptions } from "fastify";
import packageFacts from "../../package.json";
import { createCompany } from "./shared-quota/company";
import type { Account } from "./shared-quota/call";
import { refusal, sendAnswer } from "./answer";
import { drainOnClose } from "./edge/drain";
import { sendCommonHeaders } from "./edge/headers";
import { requireKnownHost } from "./edge/hosts";
import { followCertificate } from "./operations/follow-certificate";
import { defaultLimits, limitConnections, limitedServer, type Limits } from "./edge/limits";
import type { Embedded, EmbeddedWorld } from "./embedded";
import { isOffered, listEnvironments } from "./environments";
import type { Log } from "./operations/log";
import { createMetrics, type Metrics } from "./operations/metrics";
import { createOperations } from "./operations/operations";
import { pages } from "./pages";
import { readAddresses, type RelayTarget } from "./relay/page-request";
import { redisAddress, redisLogin } from "./redis/configured";
import { connectRedis } from "./redis/connect";
import type { Redis, RedisObserver } from "./redis/redis";
import { publishedTemplates } from "./published-templates";
import { relay } from "./relay/relay";
import { sendTo } from "./relay/outgoing";
import { createTokenRefusals } from "./relay/token-refusals";
import { createEnvironmentUpstream } from "./relay/upstream";
import { createSignIn, type SignIn } from "./sign-in/sign-in";
import { tokenPath } from "../embedded-service/service";
import { serviceRoutes, type ServiceRoutesOptions } from "./embedded-service/routes";
import type { RealEnvironment, ServerConfig } from "./settings/read";
import { createSteadyClock, type SteadyClock } from "./steady-clock";
import { createStores } from "./stores";
import { createTeamTemplates } from "./team-templates";

export interface AppOptions {
  readonly config: ServerConfig;
  readonly folder: string;
  readonly embedded: Pick<Embedded, "worlds"> & Omit<ServiceRoutesOptions, "worlds">;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly log: Log;
  readonly limits?: Partial<Limits>;
  /** Whether the server is about to stop. It still answers requests then. */
  readonly isStopping?: () => boolean;
}

export interface App {
  /** The public server, for people's browsers and Excel. */
  readonly app: FastifyInstance;
  /** The administrator's port on this machine. Closes with `app`. */
  readonly operations: FastifyInstance;
}

/** If a part can't start, everything that was opened before is closed again. */
export async function createApp(options: AppOptions): Promise<App> {
  const fastify = createEdge(options);
  try {
    return await addParts(fastify, options);
  } catch (error) {
    await fastify.close();
    throw error;
  }
}

async function addParts(fastify: FastifyInstance, options: AppOptions): Promise<App> {
  const { config, folder, embedded, now, log } = options;
  const metrics = createMetrics();
  const clock = createSteadyClock(now);
  followCertificateOf(fastify, { config, clock, log, metrics });
  const redis =
    config.redis === null
      ? null
      : await connectRedis({
          address: redisAddress(config.redis),
          readLogin: redisLogin(config.redis),
          prefix: config.redis.prefix,
          clock,
          observer: redisObserver(log, metrics),
        });
  fastify.addHook("onClose", () => redis?.close());

  const worlds = embedded.worlds.filter(({ environment }) => isOffered(environment, config));
  const limitOf = (id: string, operation: Account["operation"]) =>
    worlds.find(({ environment }) => environment.id === id)?.environment.ratePerMinute ??
    config.environments.find((environment) => environment.id === id)?.quota[operation] ??
    1;
  const stores = createStores(redis, {
    config,
    clock,
    limitOf,
    onShut: warnOfUnknownQuota(clock, log),
    onEvict: metrics.evicted,
  });
  const company = createCompany({
    clock,
    quotaStore: stores.quota,
    known: stores.known,
    observer: metrics.company,
  });
  const signIn =
    config.signIn === undefined
      ? null
      : createSignIn({ config, settings: config.signIn, clock, log, stores });

  const targets = [
    ...worlds.map((world) => embeddedTarget(world, metrics)),
    ...config.environments.map((environment) => {
      const upstream = createEnvironmentUpstream(environment, config.outgoing);
      fastify.addHook("onClose", () => upstream.close());
      return configuredTarget(environment, { send: upstream.send, signIn, metrics });
    }),
  ];
  if (signIn !== null) await signIn.register(fastify);
  await fastify.register(relay, {
    targets,
    company,
    tokens: stores.tokens,
    refusals: createTokenRefusals(clock),
    clock,
    answered(call) {
      metrics.answered(call);
      log.call(call);
    },
  });
  if (worlds.length > 0) await fastify.register(serviceRoutes, { ...embedded, worlds });

  const templates = createTeamTemplates({ folder: config.templates ?? null, log, clock });
  if (signIn !== null) {
    await fastify.register(publishedTemplates, {
      folder: config.signIn?.templates?.folder ?? null,
      environments: config.environments.map(({ id }) => id),
      who: signIn.who,
      administrators: templates,
      log,
      audit: config.signIn?.audit ?? false,
    });
  }
  const environments = listEnvironments(
    worlds.map(({ environment }) => environment),
    config,
  );
  fastify.get("/environments.json", notCached, () => environments);
  fastify.get("/templates.json", notCached, async () => ({ templates: await templates.list() }));
  addHealthRoutes(fastify, options, redis);
  await fastify.register(pages, { folder, frames: config.frames });
  const operations = createOperations({
    metrics,
    sessions: stores.sessions,
    onSessionEnded: (session) => signIn?.administratorEnded(session),
  });
  fastify.addHook("onClose", () => operations.close());
  return { app: fastify, operations };
}

/** Creates the Fastify server with everything that applies to all its routes. */
function createEdge({ config, log, limits: given }: AppOptions): FastifyInstance {
  const limits = { ...defaultLimits, connections: config.maxConnections, ...given };
  const fastify = Fastify({ ...limitedServer(config.tls, limits), trustProxy: [...config.trustProxy] });
  limitConnections(fastify, limits);
  drainOnClose(fastify);
  sendCommonHeaders(fastify, { tls: config.tls !== null });
  requireKnownHost(fastify, config);
  fastify.addHook("onError", async (_request, _reply, error) => {
    if ((error.statusCode ?? 500) >= 500) log.error(error, "A request could not be answered.");
    await Promise.resolve();
  });
  // Fastify would send the error's message, which may contain paths of this machine.
  fastify.setErrorHandler((error: FastifyError, _request, reply) =>
    (error.statusCode ?? 500) < 500
      ? reply.send(error)
      : sendAnswer(reply, refusal(500, "INV's server failed. Tell your administrator to look at its log.")),
  );
  return fastify;
}

function followCertificateOf(
  fastify: FastifyInstance,
  {
    config,
    clock,
    log,
    metrics,
  }: {
    readonly config: ServerConfig;
    readonly clock: SteadyClock;
    readonly log: Log;
    readonly metrics: Metrics;
  },
): void {
  if (config.tls === null || !(fastify.server instanceof Server)) return;
  const validUntil = metrics.certificateValidUntil;
  const stop = followCertificate(fastify.server, { tls: config.tls, clock, log, validUntil });
  fastify.addHook("onClose", (_fastify, done) => {
    stop();
    done();
  });
}

function embeddedTarget({ environment: { id }, service }: EmbeddedWorld, metrics: Metrics): RelayTarget {
  return {
    id,
    // Each has its own origin, because the relay counts refused token requests by address.
    ...readAddresses({
      tokenUrl: `http://${id}.invalid${tokenPath}`,
      searchUrl: `http://${id}.invalid/search-items`,
      eventsUrl: `http://${id}.invalid/events`,
    }),
    authorization: "bearer",
    send: sendTo(service),
    tokenAsked: (status) => metrics.tokenAsked(id, status),
  };
}

function configuredTarget(
  environment: RealEnvironment,
  {
    send,
    signIn,
    metrics,
  }: { readonly send: RelayTarget["send"]; readonly signIn: SignIn | null; readonly metrics: Metrics },
): RelayTarget {
  const { id, authorization, credentials } = environment;
  const target = {
    id,
    authorization,
    ...readAddresses(environment),
    send,
    tokenAsked: (status: number) => metrics.tokenAsked(id, status),
  };
  if (credentials === "user") return target;
  // `readSettings` refuses such settings.
  if (signIn === null) throw new Error("There is no sign-in for the server's credentials.");
  return { ...target, serverCredentials: signIn.credentialsFor(environment, target) };
}

function addHealthRoutes(
  fastify: FastifyInstance,
  { folder, isStopping = () => false }: AppOptions,
  redis: Redis | null,
): void {
  fastify.get("/healthz", notCached, () => ({ ok: true, version: packageFacts.version }));
  // While the server closes, Fastify answers 503 to everything.
  fastify.get("/readyz", notCached, async (_request, reply) => {
    const hasPages = await access(join(folder, "taskpane.html")).then(
      () => true,
      () => false,
    );
    const isReady = hasPages && !isStopping();
    // When Redis is away, all servers are degraded, and a load balancer must not drop them all.
    const isDegraded = redis?.isAvailable === false;
    return reply.code(isReady ? 200 : 503).send({ ok: isReady, ...(isDegraded && { degraded: true }) });
  });
}

const notCached: RouteShorthandOptions = {
  onRequest(_request, reply, done) {
    reply.header("cache-control", "no-store");
    done();
  },
};

/** Warns once for all affected accounts. */
function warnOfUnknownQuota(
  clock: Pick<SteadyClock, "now">,
  log: Log,
): (account: Account, opensInMs: number) => void {
  let warnedUntilMs = -Infinity;
  return (_account, opensInMs) => {
    const untilMs = clock.now() + opensInMs;
    if (untilMs < warnedUntilMs + 1_000) return;
    warnedUntilMs = untilMs;
    const seconds = Math.ceil(opensInMs / 1_000);
    log.warn(
      { seconds },
      "Redis has lost the log of sent requests. INV sends nothing until they no longer count.",
    );
  };
}

function redisObserver(log: Log, metrics: Metrics): RedisObserver {
  return {
    available() {
      metrics.redis.setAway(false);
      log.info({}, "Redis answers.");
    },
    away(reason) {
      metrics.redis.setAway(true);
      log.warn({ reason }, "Redis doesn't answer. INV sends nothing to the service until it does.");
    },
    doubtful: (reason) => log.warn({ reason }, "Redis may lose requests that count against the quota."),
  };
}
