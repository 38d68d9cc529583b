/**
 * The plug-in of operations: health, the administrator's port with metrics and sessions, and a certificate
 * that can be renewed without a restart.
 */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { access } from "node:fs/promises";
import { Server } from "node:https";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import fastifyPlugin from "fastify-plugin";
import packageFacts from "../../../package.json";
import { messageOf } from "../../domain/errors";
import { notCached } from "../answer";
import { ConfigError } from "../settings/config-error";
import type { ServerConfig } from "../settings/read";
import type { SteadyClock } from "../steady-clock";
import type { Log } from "./log";
import { createOperationsPort, operationsHost } from "./port";

const lookAgainMs = 60_000;

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
  const { redis, silence } = fastify.core;
  fastify.get("/healthz", notCached, () => ({ ok: true, version: packageFacts.version }));
  // While the server closes, Fastify answers 503 to everything.
  fastify.get("/readyz", notCached, async (_request, reply) => {
    const hasPages = await access(join(folder, "taskpane.html")).then(
      () => true,
      () => false,
    );
    const isReady = hasPages && !isStopping();
    // When Redis is away or was replaced, all servers are degraded, and a load balancer must not drop them all.
    const isDegraded = redis?.isAvailable === false || silence.leftMs() > 0;
    return reply.code(isReady ? 200 : 503).send({ ok: isReady, ...(isDegraded && { degraded: true }) });
  });
}

interface CertificateOptions {
  readonly tls: NonNullable<ServerConfig["tls"]>;
  readonly clock: Pick<SteadyClock, "setTimeout" | "clearTimeout">;
  readonly log: Log;
  /** Called at startup and at each renewal, with milliseconds since 1970. */
  readonly validUntil: (ms: number) => void;
}

/**
 * Reloads the TLS certificate from its files every minute. If they aren't a matching certificate and key, for example in the middle of
 * a renewal, it only logs a warning. Returns a function that stops the checks.
 */
export function followCertificate(
  server: Pick<Server, "setSecureContext">,
  { tls, clock, log, validUntil }: CertificateOptions,
): () => void {
  const { certFile, keyFile } = tls;
  let seen = tls.cert + tls.key;
  let timer: unknown = null;

  function look(): void {
    try {
      const [cert, key] = [readFileSync(certFile, "utf8"), readFileSync(keyFile, "utf8")];
      if (cert + key !== seen) {
        seen = cert + key;
        server.setSecureContext({ cert, key });
        reportValidity(cert);
        log.info({}, "The server uses the renewed certificate.");
      }
    } catch (error) {
      log.warn(
        { reason: messageOf(error) },
        "The server can't read the new certificate, so it uses the previous one.",
      );
    }
    timer = clock.setTimeout(look, lookAgainMs);
  }

  function reportValidity(cert: string): void {
    validUntil(Date.parse(new X509Certificate(cert).validTo));
  }

  reportValidity(tls.cert);
  timer = clock.setTimeout(look, lookAgainMs);
  return () => clock.clearTimeout(timer);
}
