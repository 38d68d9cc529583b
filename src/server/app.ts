/**
 * Assembles the server from its plug-ins. Each owns its routes, hooks and resources, and the server starts
 * without any of them. What applies to every request is here: limits, headers, known hosts, errors, and a stop
 * without losses. It opens no public port and reads no settings file, which `main` does.
 */
import Fastify, { type FastifyError, type FastifyInstance, type FastifyPluginAsync } from "fastify";
import { refusal, sendAnswer } from "./answer";
import { core, type CoreOptions } from "./core";
import { connectionsWithin } from "./edge/descriptors";
import { drainOnClose } from "./edge/drain";
import { sendCommonHeaders } from "./edge/headers";
import { requireKnownHost } from "./edge/hosts";
import { limitConnections, limitedServer, type Limits, limitsOf } from "./edge/limits";
import { embeddedService, type EmbeddedServiceOptions } from "./embedded-service/routes";
import { createFewWarnings } from "./monitoring/few-warnings";
import { monitoring, type MonitoringOptions } from "./monitoring/monitoring";
import { pages, type PagesOptions } from "./pages";
import { relay, type RelayOptions } from "./relay/relay";
import { signIn } from "./sign-in/sign-in";
import { templates } from "./templates/templates";

export type AppOptions = CoreOptions &
  PagesOptions &
  RelayOptions &
  EmbeddedServiceOptions &
  MonitoringOptions & { readonly limits?: Partial<Limits> };

/** Those that use another's decoration come after it. */
export const plugIns: readonly FastifyPluginAsync<AppOptions>[] = [
  signIn,
  relay,
  embeddedService,
  templates,
  monitoring,
  pages,
];

/** If a plug-in can't start, everything that was opened before is closed again. */
export async function createApp(options: AppOptions, used = plugIns): Promise<FastifyInstance> {
  const { config } = options;
  const limits = limitsOf({ connections: connectionsWithin(config.maxConnections), ...options.limits });
  const fastify = Fastify({ ...limitedServer(config.tls, limits), trustProxy: [...config.trustProxy] });
  try {
    await fastify.register(core, options);
    guardEveryRequest(fastify, limits);
    for (const plugIn of used) await fastify.register(plugIn, options);
  } catch (error) {
    await fastify.close();
    throw error;
  }
  return fastify;
}

function guardEveryRequest(fastify: FastifyInstance, limits: Limits): void {
  const { config, clock, log, metrics } = fastify.core;
  const warn = createFewWarnings(log, { clock, perMinute: 1 });
  limitConnections(fastify, limits, () => {
    metrics.connectionRefused();
    const words = "A connection was refused, because as many as allowed are open (maxConnections).";
    warn({ open: limits.connections }, words);
  });
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
}
