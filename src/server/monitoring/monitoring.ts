/**
 * The plug-in of monitoring: health, the ports for metrics and sessions, and what is looked at each minute: a certificate that can be
 * renewed without a restart, and secrets.
 */
import { access } from "node:fs/promises";
import { Server } from "node:https";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import fastifyPlugin from "fastify-plugin";
import packageFacts from "../../../package.json";
import { notCached } from "../answer";
import { openPort } from "../open-port";
import { type CertificatePair, judgeCertificate, validUntilMs } from "../settings/certificate";
import { portsOf, type ServerConfig } from "../settings/read";
import { faultOfSecret, secretsOf } from "../settings/secret-faults";
import { readTextNow } from "../sign-in/secret";
import type { SignInSession } from "../sign-in/sessions";
import { whyUnusable } from "../system-error";
import type { Log } from "./log";
import { createMetricsPort, createMonitoringPort } from "./port";

declare module "fastify" {
  interface FastifyInstance {
    /** The administrator's port. Missing if none is configured. */
    readonly monitoring?: FastifyInstance;
    /** Missing if no `metricsAddress` is configured. */
    readonly metricsPort?: FastifyInstance;
  }
}

export interface MonitoringOptions {
  /** The folder of the pages. A server without them isn't ready. */
  readonly folder: string;
  /** Whether the server is about to stop. It still answers requests then. */
  readonly isStopping?: () => boolean;
}

export const monitoring = fastifyPlugin(async (fastify, options: MonitoringOptions) => {
  addHealthRoutes(fastify, options);
  lookAtSecrets(fastify);
  const { config, log, metrics, health, rounds } = fastify.core;
  if (config.tls !== null && fastify.server instanceof Server) {
    const { tls, hosts } = config;
    const validUntil = metrics.certificateValidUntil;
    const certificate = followCertificate(fastify.server, { tls, hosts, log, validUntil });
    health.add("certificate", certificate.isFaulty);
    rounds.add(certificate.look);
  }
  const { signIn } = fastify;
  const shown = { metrics, sessions: signIn?.sessions ?? null };
  const onSessionEnded = (session: SignInSession) => signIn?.administratorEnded(session);
  for (const given of portsOf(config)) {
    if (given.setting === "port") continue;
    const isWhole = given.setting === "monitoringPort";
    const port = isWhole ? createMonitoringPort({ ...shown, onSessionEnded }) : createMetricsPort(shown);
    fastify.decorate(isWhole ? "monitoring" : "metricsPort", port);
    fastify.addHook("onClose", () => port.close());
    await openPort(port, given);
  }
});

/** A secret is read when it is needed, which may be hours later. */
function lookAtSecrets(fastify: FastifyInstance): void {
  const { config, log, health, rounds } = fastify.core;
  let faults: readonly string[] = [];
  health.add("secrets", () => faults.length > 0);
  rounds.add(() => {
    const before = faults;
    const source = { variables: process.env, warn: () => undefined };
    faults = secretsOf(config).flatMap((secret) => faultOfSecret(secret, source) ?? []);
    for (const fault of faults) if (!before.includes(fault)) log.warn({}, fault);
  });
}

function addHealthRoutes(
  fastify: FastifyInstance,
  { folder, isStopping = () => false }: MonitoringOptions,
): void {
  const { health } = fastify.core;
  fastify.get("/healthz", notCached, () => ({ ok: true, version: packageFacts.version }));
  // While the server closes, Fastify answers 503 to everything.
  fastify.get("/readyz", notCached, async (_request, reply) => {
    const hasPages = await access(join(folder, "taskpane.html")).then(
      () => true,
      () => false,
    );
    const isReady = hasPages && !isStopping();
    // All servers may be degraded at once, for example while Redis is away, and a load balancer must not drop them all.
    const because = [...health.look()].flatMap(([condition, isNow]) => (isNow ? [condition] : []));
    const degraded = because.length > 0 && { degraded: true, because };
    return reply.code(isReady ? 200 : 503).send({ ok: isReady, ...degraded });
  });
}

interface CertificateOptions {
  readonly tls: NonNullable<ServerConfig["tls"]>;
  readonly hosts: readonly string[];
  readonly log: Pick<Log, "info" | "warn">;
  /** Called at startup and at each renewal, with milliseconds since 1970. */
  readonly validUntil: (ms: number) => void;
  readonly wallNow?: () => number;
}

const dayMs = 86_400_000;

/**
 * `look` reads the certificate's files again, and judges what is served once a day. New files that can't be served, for example in the
 * middle of a renewal, change nothing until they can; the log says why.
 */
export function followCertificate(
  server: Pick<Server, "setSecureContext">,
  { tls, hosts, log, validUntil, wallNow = Date.now }: CertificateOptions,
): { readonly look: () => void; readonly isFaulty: () => boolean } {
  const { certFile, keyFile } = tls;
  let served: CertificatePair = tls;
  let untilMs = validUntilMs(tls);
  let judgedAtMs = wallNow();
  let reported: string | null = null;

  function judge(pair: CertificatePair) {
    return judgeCertificate(pair, hosts, wallNow());
  }

  function faultsOfNew(pair: CertificatePair): readonly string[] {
    if (pair.cert === served.cert && pair.key === served.key) return [];
    const { faults, warnings } = judge(pair);
    if (faults.length > 0) return faults;
    server.setSecureContext(pair);
    served = pair;
    judgedAtMs = wallNow();
    untilMs = validUntilMs(pair);
    validUntil(untilMs);
    log.info({}, "The server uses the renewed certificate.");
    for (const warning of warnings) log.warn({}, warning);
    return [];
  }

  function readNew(): readonly string[] {
    try {
      return faultsOfNew({
        cert: readTextNow(certFile, { fatal: false }),
        key: readTextNow(keyFile, { fatal: false }),
      });
    } catch (error) {
      return [whyUnusable(error)];
    }
  }

  validUntil(untilMs);
  return {
    look() {
      const faults = readNew();
      const reason = faults.length === 0 ? null : faults.join(" ");
      if (reason !== null && reason !== reported) {
        log.warn({ reason }, "The server can't use the new certificate, so it uses the previous one.");
      }
      reported = reason;
      if (wallNow() - judgedAtMs < dayMs) return;
      judgedAtMs = wallNow();
      const { faults: certificateFaults, warnings } = judge(served);
      for (const each of [...certificateFaults, ...warnings]) log.warn({}, each);
    },
    isFaulty: () => wallNow() >= untilMs,
  };
}
