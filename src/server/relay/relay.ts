/**
 * The relay: exactly three operations to configured addresses, because a browser may not call the
 * service itself. It chooses the host; the caller chooses none of path, host or headers beyond those
 * named here. Only pages of this server may ask it. Bodies are bounded both ways, redirects are not
 * followed, nothing is kept, and a log line holds no more than method, operation, status and duration.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Transport } from "../../api/transport";
import { isOwnPage } from "../edge/own-page";
import { failed, passedOn, refusal, type RelayedAnswer, relayHeaders } from "./answer";
import { createTokenRefusals, type TokenRefusals } from "./token-refusals";

export interface RelayTarget {
  readonly id: string;
  readonly tokenUrl: string;
  readonly searchUrl: string;
  readonly eventsUrl: string;
  /** Sends to this environment: over HTTP, or into the embedded service. */
  readonly send: Transport;
}

export interface RelayOptions {
  readonly targets: readonly RelayTarget[];
  readonly now: () => number;
  readonly log: ((line: string) => void) | null;
  readonly maxAnswerBytes?: number;
}

const maxRequestBytes = 64 * 1024;
const defaultMaxAnswerBytes = 4 * 1024 * 1024;
const forwardedHeaders = ["authorization", "wm_consumer.id", "content-type", "accept"];

export async function relay(fastify: FastifyInstance, options: RelayOptions): Promise<void> {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    "*",
    { parseAs: "buffer", bodyLimit: maxRequestBytes },
    (_request, body, done) => done(null, body),
  );
  fastify.addHook("onRequest", async (request, reply) => {
    reply.headers(relayHeaders);
    if (!isOwnPage(request.headers)) {
      await give(reply, refusal(403, "The relay answers only to the pages of its own server."));
    }
  });
  const tokenRefusals = createTokenRefusals(options);
  for (const target of options.targets) {
    const path = `/relay/${target.id}`;
    fastify.post(`${path}/token`, (request, reply) =>
      forward(
        { request, reply, send: target.send, operation: "token", url: target.tokenUrl },
        { ...options, tokenRefusals },
      ),
    );
    fastify.post(`${path}/search-items`, (request, reply) =>
      forward(
        { request, reply, send: target.send, operation: "search-items", url: target.searchUrl },
        options,
      ),
    );
    // HEAD, which Fastify would answer as well, is none of the three operations.
    fastify.get(`${path}/events`, { exposeHeadRoute: false }, (request, reply) =>
      forward(
        { request, reply, send: target.send, operation: "events", url: withQuery(target.eventsUrl, request) },
        options,
      ),
    );
  }
  await Promise.resolve();
}

interface Call {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly send: Transport;
  readonly operation: string;
  readonly url: string;
}

async function forward(
  call: Call,
  options: RelayOptions & { readonly tokenRefusals?: TokenRefusals },
): Promise<void> {
  const startedAtMs = options.now();
  const { tokenRefusals, maxAnswerBytes = defaultMaxAnswerBytes } = options;
  const given = await (tokenRefusals === undefined
    ? answer(call, maxAnswerBytes)
    : guardedAnswer(call, maxAnswerBytes, tokenRefusals));
  const durationMs = Math.round(options.now() - startedAtMs);
  options.log?.(`${call.request.method} ${call.operation} ${given.status} ${durationMs} ms`);
  await give(call.reply, given);
}

async function guardedAnswer(
  call: Call,
  maxBytes: number,
  tokenRefusals: TokenRefusals,
): Promise<RelayedAnswer> {
  const who = `${call.request.socket.remoteAddress ?? ""} ${call.url} ${clientId(call.request)}`;
  const waitSeconds = await tokenRefusals.admit(who);
  if (waitSeconds !== null) {
    return refusal(429, "Too many refused token requests for this client ID.", waitSeconds);
  }
  let status = 0;
  try {
    const given = await answer(call, maxBytes);
    ({ status } = given);
    return given;
  } finally {
    tokenRefusals.settle(who, status === 400 || status === 401 || status === 403);
  }
}

async function answer({ request, reply, send, url }: Call, maxBytes: number): Promise<RelayedAnswer> {
  const abort = new AbortController();
  if (reply.raw.closed) abort.abort();
  reply.raw.once("close", () => abort.abort());
  try {
    return await passedOn(await send(outgoing(request, url, abort.signal)), maxBytes);
  } catch (error) {
    return failed(error);
  }
}

function outgoing(request: FastifyRequest, url: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const name of forwardedHeaders) {
    const value = request.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  const body = Buffer.isBuffer(request.body) ? new Uint8Array(request.body) : null;
  return new Request(url, { method: request.method, headers, body, redirect: "manual", signal });
}

async function give(reply: FastifyReply, { status, headers, body }: RelayedAnswer): Promise<void> {
  await reply.code(status).headers(headers).send(body);
}

function withQuery(url: string, request: FastifyRequest): string {
  const mark = request.raw.url?.indexOf("?") ?? -1;
  return mark < 0 ? url : url + (request.raw.url ?? "").slice(mark);
}

/** As the token form names it; "" when it names none or several, or is not a form: those are one caller. */
function clientId({ body }: FastifyRequest): string {
  if (!Buffer.isBuffer(body)) return "";
  const [id = "", ...more] = new URLSearchParams(body.toString("utf8")).getAll("client_id");
  return more.length > 0 ? "" : id.slice(0, 200);
}
