/**
 * Shuts the server down without losing requests. A closing server accepts no new requests and lets the
 * current ones finish. Requests that still wait after the grace period get a 503.
 * Invariant: no waiting request loses its connection without an answer.
 */
import type { FastifyInstance, FastifyReply } from "fastify";
import { refusal, sendAnswer } from "../answer";

const graceMs = 10_000;
/** Leaves time to send the last answers. A client that doesn't read may lose its answer. */
const lastWordMs = 1_000;
const restartsInSeconds = 5;
export const longestDrainMs = graceMs + lastWordMs;

export function drainOnClose(fastify: FastifyInstance): void {
  const open = new Set<FastifyReply>();
  let whenEmpty: (() => void) | null = null;

  function emptyWithin(waitMs: number): Promise<void> {
    if (open.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      whenEmpty = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  fastify.addHook("onRequest", (_request, reply, done) => {
    open.add(reply);
    // The event also fires if the page closes the request early.
    reply.raw.once("close", () => {
      open.delete(reply);
      if (open.size === 0) whenEmpty?.();
    });
    done();
  });
  fastify.addHook("preClose", async () => {
    await emptyWithin(graceMs);
    for (const reply of open) if (!reply.sent) sendStopped(reply);
    await emptyWithin(lastWordMs);
  });
}

function sendStopped(reply: FastifyReply): void {
  const words = "The server was stopped before the service answered. Try again in a moment.";
  sendAnswer(reply.header("connection", "close"), refusal(503, words, restartsInSeconds));
}
