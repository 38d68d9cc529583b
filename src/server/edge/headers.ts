/**
 * What every answer says to browsers, whoever gives it: take the type as it is said, show it in no frame,
 * load nothing for it. Pages replace the policy with their own. Under TLS also: never again without, save
 * on this machine, where other programs serve the same name without TLS.
 */
import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { isLoopback, nameOf } from "./hosts";

export const commonHeaders: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
};

const yearSeconds = 31_536_000;
const strictHeaders = { ...commonHeaders, "strict-transport-security": `max-age=${yearSeconds}` };

/** The headers for the answer to a request. */
export function headersFor(request: IncomingMessage, tls: boolean): Readonly<Record<string, string>> {
  return tls && !isLoopback(nameOf(request)) ? strictHeaders : commonHeaders;
}

export function sendCommonHeaders(fastify: FastifyInstance, { tls }: { readonly tls: boolean }): void {
  fastify.addHook("onRequest", (request, reply, done) => {
    // On the raw answer, so that files and plugins which write there can replace them as routes do.
    const headers = Object.entries(headersFor(request.raw, tls));
    for (const [name, value] of headers) reply.raw.setHeader(name, value);
    done();
  });
}
