/**
 * How long and how many: the limits of both servers against callers that send or read drop by drop, or open connections and
 * say nothing. Fastify closes the connection of what is not HTTP, has too large headers, or took too long. A connection whose
 * request was answered before its end is closed too: nobody reads the rest.
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
  /** For a request to arrive whole. */
  readonly requestMs: number;
  /** For its headers. */
  readonly headersMs: number;
  /** A connection on which nothing moves either way; more than the relay waits for an answer. */
  readonly idleMs: number;
  /** How often Node looks for requests that took too long. */
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
    // Fastify's own limit of ten seconds counts for a close as well, and would end the process amid its drain.
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
  // With a callback, so that an answer leaves at once and not behind what else its request brings about.
  fastify.addHook("onSend", (request, reply, ...[, done]) => {
    const { headers, complete } = request.raw;
    const hasBody = headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
    if (hasBody && !complete) reply.header("connection", "close");
    done();
  });
}

/** A path that does not decode: no hook has run that would have set the headers. */
function refuseAddress(_error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  void reply
    .code(400)
    .headers(commonHeaders)
    .type("application/json; charset=utf-8")
    .send(refusalBody(400, "The address is not valid."));
}
