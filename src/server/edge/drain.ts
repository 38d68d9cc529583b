/**
 * A stop that loses nothing: a server that is told to close takes no new requests, lets those under way end, and
 * closes then; after a while it closes all the same.
 */
import type { FastifyInstance } from "fastify";

const defaultGraceMs = 10_000;

export function drainOnClose(fastify: FastifyInstance, graceMs = defaultGraceMs): void {
  const open = new Set<unknown>();
  let whenEmpty: (() => void) | null = null;
  fastify.addHook("onRequest", (request, reply, done) => {
    open.add(request);
    // Also when the page leaves before its answer.
    reply.raw.once("close", () => {
      open.delete(request);
      if (open.size === 0) whenEmpty?.();
    });
    done();
  });
  fastify.addHook("preClose", async () => {
    if (open.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      whenEmpty = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  });
}
