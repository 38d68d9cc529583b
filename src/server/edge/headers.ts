/**
 * Security headers of every answer: browsers keep to its type, show it in no frame and load nothing for it. Pages replace the
 * policy with their own. With TLS, HSTS too, except for names of this machine, where other programs serve the same name
 * without TLS.
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
    // On the raw response, so that files and plugins, which write there, can replace them as routes do.
    for (const [name, value] of commonEntries) reply.raw.setHeader(name, value);
    if (tls && !isLoopback(request.hostname)) {
      reply.raw.setHeader("strict-transport-security", `max-age=${yearSeconds}`);
    }
    done();
  });
}
