/**
 * The plug-in of the relay: the environments that people can choose, the connections to their services, and
 * what a company shares, its quota and its answers.
 */
import type { FastifyInstance } from "fastify";
import { unawaited } from "../../domain/unawaited";
import { defaultRatePerMinute, tokenPath } from "../../embedded-service/service";
import { notCached } from "../answer";
import type { Core } from "../core";
import { type Embedded, type EmbeddedWorld, offeredWorlds } from "../embedded";
import { listEnvironments } from "../environments";
import type { Metrics } from "../monitoring/metrics";
import type { RealEnvironment } from "../settings/read";
import type { Account } from "../shared-quota/call";
import { type Company, createCompany } from "../shared-quota/company";
import { createRedisAnswers } from "../shared-quota/in-redis/redis-answers";
import { createSharedWindow } from "../shared-quota/in-redis/shared-window";
import { createKnownAnswers } from "../shared-quota/known-answers";
import { createMemoryQuotaStore } from "../shared-quota/quota-store";
import { sendTo } from "./outgoing";
import { parseAddresses, type RelayTarget } from "./page-request";
import { createPageTokens } from "./page-tokens";
import { relayRoutes } from "./routes";
import { createTokenRefusals } from "./token-refusals";
import { createEnvironmentUpstream } from "./upstream";

export interface RelayOptions {
  readonly embedded: Pick<Embedded, "worlds">;
}

const bytesOfMegabyte = 1_000_000;

export async function relay(fastify: FastifyInstance, { embedded }: RelayOptions): Promise<void> {
  const { config, clock, log, metrics, store, bind } = fastify.core;
  const worlds = offeredWorlds(embedded, config);
  await fastify.register(relayRoutes, {
    targets: [
      ...worlds.map((world) => embeddedTarget(world, metrics)),
      ...config.environments.map((environment) => configuredTarget(fastify, environment)),
    ],
    company: openCompany(fastify.core, worlds),
    tokens: createPageTokens({ store, bind }),
    refusals: createTokenRefusals(clock),
    clock,
    answered(call) {
      metrics.answered(call);
      log.call(call);
    },
  });
  const environments = listEnvironments(
    worlds.map(({ environment }) => environment),
    config,
  );
  fastify.get("/environments.json", notCached, () => environments);
}

/** Opens the company's quota and answers: in this process, or in Redis, which several servers share. */
function openCompany(
  { config, clock, metrics, redis, silence }: Core,
  worlds: readonly EmbeddedWorld[],
): Company {
  const limitOf = (id: string, operation: Account["operation"]) =>
    (worlds.some(({ environment }) => environment.id === id) ? defaultRatePerMinute : undefined) ??
    config.environments.find((environment) => environment.id === id)?.quota[operation] ??
    1;
  const maxBytes = config.cacheMegabytes * bytesOfMegabyte;
  const shared = redis && createSharedWindow({ redis, clock, limitOf, onShut: silence.begin });
  if (shared !== null) redis?.whenAvailable(() => unawaited(shared.look()));
  return createCompany({
    clock,
    observer: metrics.company,
    quotaStore: shared ?? createMemoryQuotaStore({ clock, limitOf }),
    known:
      redis === null
        ? createKnownAnswers({ clock, maxBytes, onEvict: metrics.evicted })
        : createRedisAnswers({ redis, maxBytes }),
  });
}

function embeddedTarget({ environment: { id }, service }: EmbeddedWorld, metrics: Metrics): RelayTarget {
  return {
    id,
    // Each has its own origin, because the relay counts refused token requests by address.
    ...parseAddresses({
      tokenUrl: `http://${id}.invalid${tokenPath}`,
      searchUrl: `http://${id}.invalid/search-items`,
      eventsUrl: `http://${id}.invalid/events`,
    }),
    authorization: "bearer",
    send: sendTo(service),
    tokenAsked: (status) => metrics.tokenAsked(id, status),
  };
}

function configuredTarget(fastify: FastifyInstance, environment: RealEnvironment): RelayTarget {
  const { config, metrics } = fastify.core;
  const { id, authorization, credentials } = environment;
  const upstream = createEnvironmentUpstream(environment, config.outgoing);
  fastify.addHook("onClose", () => upstream.close());
  const target = {
    id,
    authorization,
    ...parseAddresses(environment),
    send: upstream.send,
    tokenAsked: (status: number) => metrics.tokenAsked(id, status),
  };
  if (credentials === "user") return target;
  // `readSettings` refuses such settings.
  if (fastify.signIn === undefined) throw new Error("There is no sign-in for the server's credentials.");
  return { ...target, serverCredentials: fastify.signIn.credentialsFor(environment, target) };
}
