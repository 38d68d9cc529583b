/**
 * A stop that loses nothing: a server that is told to close takes no new requests and lets those under way end. Who
 * still waits after a while is told so with a 503, and the server closes.
 * Invariant: nobody who was waiting loses the connection without an answer.
 */
import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply } from "fastify";
import { refusal, type RelayedAnswer } from "../relay/answer";

export interface Drain {
  isStopping(): boolean;
  /** A request is under way until its answer is closed. `give` answers it, unless it has been. */
  enter(response: ServerResponse, give: (answer: RelayedAnswer) => void): void;
}

const defaultGraceMs = 10_000;
/** For the last answers to leave; a reader that does not read is not waited for. */
const lastWordMs = 1_000;
const restartsInSeconds = 5;

export function drainOnClose(fastify: FastifyInstance, graceMs = defaultGraceMs): Drain {
  /** By answer, how to give it. */
  const open = new Map<ServerResponse, (answer: RelayedAnswer) => void>();
  let isStopping = false;
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

  function enter(response: ServerResponse, give: (answer: RelayedAnswer) => void): void {
    open.set(response, give);
    // Also when the page leaves before its answer.
    response.once("close", () => {
      open.delete(response);
      if (open.size === 0) whenEmpty?.();
    });
  }

  fastify.addHook("onRequest", (_request, reply, done) => {
    enter(reply.raw, (answer) => sendOnce(reply, answer));
    done();
  });
  fastify.addHook("preClose", async () => {
    isStopping = true;
    await emptyWithin(graceMs);
    for (const give of open.values()) give(wordOfTheStop());
    await emptyWithin(lastWordMs);
  });
  return { isStopping: () => isStopping, enter };
}

function wordOfTheStop(): RelayedAnswer {
  const answer = refusal(
    503,
    "The server was stopped before the service had answered. Try again in a moment.",
    restartsInSeconds,
  );
  return { ...answer, headers: { ...answer.headers, connection: "close" } };
}

/** Unless it was answered before. */
export function sendOnce(reply: FastifyReply, { status, headers, body }: RelayedAnswer): void {
  if (!reply.sent) void reply.code(status).headers(headers).send(body);
}
