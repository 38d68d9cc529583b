/**
 * Limits of both servers against clients that send or read slowly, or open connections and send nothing. Fastify closes
 * connections that don't speak HTTP, have too large headers, or take too long. A request that is answered before its body has
 * arrived ends its connection, because nobody reads the rest.
 */
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyServerOptions,
} from "fastify";
import { commonHeaders } from "./headers";
import { refusalBody } from "../embedded-service/refusal";

export interface Limits {
  /** For a whole request to arrive. */
  readonly requestMs: number;
  /** For its headers. */
  readonly headersMs: number;
  /** For a connection without traffic. Longer than the relay waits for an answer. */
  readonly idleMs: number;
  /** How often Node looks for requests that take too long. */
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

/** Options of a Fastify server with these limits, over TLS where there is a certificate. */
export function limitedServer(tls: Tls, limits: Limits = defaultLimits): FastifyServerOptions {
  const node = { headersTimeout: limits.headersMs, connectionsCheckingInterval: limits.checkEveryMs };
  const options: FastifyServerOptions = {
    logger: false,
    // Fastify's limit of ten seconds would also apply to a close, and end the process during its drain.
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

/** The rest of the limits, on a server made with those options. */
export function limitConnections(fastify: FastifyInstance, limits: Limits = defaultLimits): void {
  fastify.server.maxConnections = limits.connections;
  // With a callback instead of a promise, so that an answer leaves in the same turn.
  fastify.addHook("onSend", (request, reply, ...[, done]) => {
    const { headers, complete } = request.raw;
    const hasBody = headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
    if (hasBody && !complete) reply.header("connection", "close");
    done();
  });
}

/** For a path that can't be decoded. No hook has set the headers yet. */
function refuseAddress(_error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  void reply
    .code(400)
    .headers(commonHeaders)
    .type("application/json; charset=utf-8")
    .send(refusalBody(400, "The address is not valid."));
}
