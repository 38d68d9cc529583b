/**
 * Security headers of every answer: browsers respect its content type, never frame it, and load nothing for
 * it. Pages replace this policy with their own. Over TLS, HSTS is added, except for loopback names, where
 * other programs use the same name without TLS.
 */
import type { FastifyInstance } from "fastify";
import { isLoopback } from "./hosts";

export const commonHeaders: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
};

const commonEntries = Object.entries(commonHeaders);
const yearSeconds = 31_536_000;

export function sendCommonHeaders(fastify: FastifyInstance, { tls }: { readonly tls: boolean }): void {
  fastify.addHook("onRequest", (request, reply, done) => {
    // Set on the raw response, where static files and plugins write, so that they can replace these headers
    // as routes do.
    for (const [name, value] of commonEntries) reply.raw.setHeader(name, value);
    if (tls && !isLoopback(request.hostname)) {
      reply.raw.setHeader("strict-transport-security", `max-age=${yearSeconds}`);
    }
    done();
  });
}
