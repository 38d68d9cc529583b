/**
 * The plug-in of operations: health, the administrator's port with metrics and sessions, and a certificate
 * that can be renewed without a restart.
 */
import { access } from "node:fs/promises";
import { Server } from "node:https";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import fastifyPlugin from "fastify-plugin";
import packageFacts from "../../../package.json";
import { messageOf } from "../../domain/errors";
import { notCached } from "../answer";
import { ConfigError } from "../settings/config-error";
import { followCertificate } from "./follow-certificate";
import { createOperationsPort, operationsHost } from "./port";

declare module "fastify" {
  interface FastifyInstance {
    /** The administrator's port. Missing if none is configured. */
    readonly operations?: FastifyInstance;
  }
}

export interface OperationsOptions {
  /** The folder of the pages. A server without them isn't ready. */
  readonly folder: string;
  /** Whether the server is about to stop. It still answers requests then. */
  readonly isStopping?: () => boolean;
}

export const operations = fastifyPlugin(async (fastify, options: OperationsOptions) => {
  addHealthRoutes(fastify, options);
  const { config, clock, log, metrics } = fastify.core;
  if (config.tls !== null && fastify.server instanceof Server) {
    const validUntil = metrics.certificateValidUntil;
    const stop = followCertificate(fastify.server, { tls: config.tls, clock, log, validUntil });
    fastify.addHook("onClose", (_fastify, done) => {
      stop();
      done();
    });
  }
  if (config.operationsPort !== undefined) await openPort(fastify, config.operationsPort);
});

async function openPort(fastify: FastifyInstance, port: number): Promise<void> {
  const { metrics } = fastify.core;
  const { signIn } = fastify;
  const server = createOperationsPort({
    metrics,
    sessions: signIn?.sessions ?? null,
    onSessionEnded: (session) => signIn?.administratorEnded(session),
  });
  fastify.decorate("operations", server);
  fastify.addHook("onClose", () => server.close());
  await server.listen({ host: operationsHost, port }).catch((error: unknown) => {
    throw new ConfigError(`operationsPort ${port} can't be opened: ${messageOf(error)}.`);
  });
}

function addHealthRoutes(
  fastify: FastifyInstance,
  { folder, isStopping = () => false }: OperationsOptions,
): void {
  const { redis } = fastify.core;
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
