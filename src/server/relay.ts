/**
 * The relay: exactly three operations to configured addresses, because a browser may not call the
 * service itself. It chooses the host; the caller chooses none of path, host or headers beyond those
 * named here. Bodies are bounded both ways, redirects are not followed, nothing is kept, and a log
 * line holds no more than method, operation, status and duration.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Transport } from "../api/transport";

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
const returnedHeaders = ["content-type", "retry-after"];

export async function relay(fastify: FastifyInstance, options: RelayOptions): Promise<void> {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    "*",
    { parseAs: "buffer", bodyLimit: maxRequestBytes },
    (_request, body, done) => done(null, body),
  );
  for (const target of options.targets) {
    const path = `/relay/${target.id}`;
    fastify.post(`${path}/token`, (request, reply) =>
      forward({ request, reply, send: target.send, operation: "token", url: target.tokenUrl }, options),
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

async function forward(call: Call, options: RelayOptions): Promise<void> {
  const startedAtMs = options.now();
  const abort = new AbortController();
  call.reply.raw.once("close", () => abort.abort());
  const { status, headers, body } = await answer(
    call,
    abort.signal,
    options.maxAnswerBytes ?? defaultMaxAnswerBytes,
  );
  const durationMs = Math.round(options.now() - startedAtMs);
  options.log?.(`${call.request.method} ${call.operation} ${status} ${durationMs} ms`);
  await call.reply.code(status).headers(headers).send(body);
}

interface RelayedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

async function answer(
  { request, send, url }: Call,
  signal: AbortSignal,
  maxBytes: number,
): Promise<RelayedAnswer> {
  try {
    const response = await send(outgoing(request, url, signal));
    const body = await readBounded(response, maxBytes);
    if (body === null) return refusal(502, "The service's answer is larger than the relay passes on.");
    const headers: Record<string, string> = {};
    for (const name of returnedHeaders) {
      const value = response.headers.get(name);
      if (value !== null) headers[name] = value;
    }
    return { status: response.status, headers, body };
  } catch (error) {
    return isTimeout(error)
      ? refusal(504, "The service did not answer the relay in time.")
      : refusal(502, "The relay cannot reach the service.");
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

function withQuery(url: string, request: FastifyRequest): string {
  const mark = request.raw.url?.indexOf("?") ?? -1;
  return mark < 0 ? url : url + (request.raw.url ?? "").slice(mark);
}

/** The body, or null when it is larger than allowed: reading stops there. */
async function readBounded(response: Response, maxBytes: number): Promise<Buffer | null> {
  if (response.body === null) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = response.body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    bytes += next.value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      return null;
    }
    chunks.push(next.value);
  }
  return Buffer.concat(chunks);
}

/** The relay's own refusals have the service's problem shape, without a trace id: it is not the service's. */
function refusal(status: number, detail: string): RelayedAnswer {
  const body = JSON.stringify({ type: "about:blank", title: "Relay", status, detail });
  return { status, headers: { "content-type": "application/problem+json" }, body };
}

/** undici names its timeouts in the error's code, one or two causes deep; a signal's is known by its name. */
function isTimeout(error: unknown): boolean {
  for (let cause = error; typeof cause === "object" && cause !== null; cause = Reflect.get(cause, "cause")) {
    if (Reflect.get(cause, "name") === "TimeoutError") return true;
    const code: unknown = Reflect.get(cause, "code");
    if (typeof code === "string" && code.endsWith("TIMEOUT")) return true;
  }
  return false;
}
