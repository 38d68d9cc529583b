/**
 * Limits of both servers against clients that send or read slowly, or that open connections and send nothing.
 * Fastify closes connections that don't speak HTTP, send headers that are too large, or take too long. If a
 * request is answered before its body has arrived, its connection is closed, because nothing reads the rest.
 */
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyServerOptions,
} from "fastify";
import { refusal, sendAnswer } from "../answer";
import { commonHeaders } from "./headers";

export interface Limits {
  readonly requestMs: number;
  readonly headersMs: number;
  /** Time without traffic on a connection. Longer than the relay waits for an answer. */
  readonly idleMs: number;
  readonly checkEveryMs: number;
  readonly connections: number;
}

export const defaultLimits: Limits = {
  requestMs: 60_000,
  headersMs: 20_000,
  idleMs: 120_000,
  checkEveryMs: 5_000,
  connections: 4_096,
};

export type Tls = { readonly cert: string; readonly key: string } | null;

export function limitsOf(changes: Partial<Limits>): Limits {
  return { ...defaultLimits, ...changes };
}

/** Returns the options of a Fastify server with these limits, over TLS if there is a certificate. */
export function limitedServer(tls: Tls, limits: Limits = defaultLimits): FastifyServerOptions {
  const node = { headersTimeout: limits.headersMs, connectionsCheckingInterval: limits.checkEveryMs };
  const options: FastifyServerOptions = {
    logger: false,
    // Fastify's limit of ten seconds also applies to closing, and would end the process during its drain.
    pluginTimeout: 0,
    forceCloseConnections: true,
    requestTimeout: limits.requestMs,
    connectionTimeout: limits.idleMs,
    frameworkErrors: refuseAddress,
  };
  return {
    ...options,
    ...(tls === null ? { http: node } : { https: { cert: tls.cert, key: tls.key, ...node } }),
  };
}

/**
 * Applies the remaining limits to a server with the options of `limitedServer`. `onRefused` is called for each connection beyond
 * the limit.
 */
export function limitConnections(
  fastify: FastifyInstance,
  limits: Limits = defaultLimits,
  onRefused: () => void = () => undefined,
): void {
  fastify.server.maxConnections = limits.connections;
  fastify.server.on("drop", onRefused);
  // Uses a callback instead of a promise, so that an answer is sent in the same event-loop turn.
  fastify.addHook("onSend", (request, reply, ...[, done]) => {
    const { headers, complete } = request.raw;
    const hasBody = headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
    if (hasBody && !complete) reply.header("connection", "close");
    done();
  });
}

/** Handles a path that can't be decoded. No hook has set the headers yet. */
function refuseAddress(_error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  sendAnswer(reply.headers(commonHeaders), refusal(400, "The address is not valid."));
}
