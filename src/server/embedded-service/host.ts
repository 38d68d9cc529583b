/**
 * Passes HTTP requests unchanged to the embedded service as web Requests, and sends its Responses back. The
 * service checks everything, including content type and size. If the service rejects, because the caller
 * left, the connection is dropped without an answer.
 */
import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { errorsBase } from "../../embedded-service/answers";
import { maxBodyBytes } from "../../embedded-service/body";
import type { Service } from "../../embedded-service/service";
import { readBounded } from "../bounded-body";

/** A placeholder, because the service uses only paths. */
const origin = "http://service.invalid";

const unsupportedMethods: ReadonlySet<string> = new Set(["CONNECT", "TRACE", "TRACK"]);

/** A service, and the path prefix that is removed before the service sees a request. */
export interface Mount {
  readonly service: Service;
  readonly prefix: string;
}

/** Answers a request with the service. `request.body` must be the unread stream, or missing. */
export async function answerWith(
  { service, prefix }: Mount,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const abort = new AbortController();
  reply.raw.once("close", () => abort.abort());
  const webRequest = await toWebRequest(request, { prefix, signal: abort.signal });
  if (webRequest === null) {
    const status = unsupportedMethods.has(request.method) ? 405 : 400;
    // The service's problem format, without a trace ID, because the service hasn't seen the request.
    return reply.code(status).send({
      type: `${errorsBase}/invalid-request`,
      title: "The request is not well-formed, is syntactically incorrect, or violates the schema.",
      trace_id: "",
      status,
      detail: "The request's address or method is not valid.",
      instance: "",
    });
  }
  try {
    const response = await service(webRequest);
    return await reply
      .code(response.status)
      .headers(Object.fromEntries(response.headers))
      .send(Buffer.from(await response.arrayBuffer()));
  } catch {
    reply.hijack();
    request.raw.socket.resetAndDestroy();
    return reply;
  }
}

/** Reads a request's body. One that is over the service's limit stays over it, so that the service refuses it. */
export async function readBody(body: unknown): Promise<Buffer<ArrayBuffer>> {
  return isStream(body) ? readBounded(body, maxBodyBytes) : Buffer.alloc(0);
}

async function toWebRequest(
  request: FastifyRequest,
  { prefix, signal }: { readonly prefix: string; readonly signal: AbortSignal },
): Promise<Request | null> {
  const { method } = request;
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value] as [string, string]],
  );
  const body = method === "GET" || method === "HEAD" ? null : await readBody(request.body);
  try {
    return new Request(origin + (request.raw.url ?? "/").slice(prefix.length), {
      method,
      headers,
      body,
      signal,
    });
  } catch {
    return null;
  }
}

function isStream(body: unknown): body is Readable {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}
