/**
 * The relay's routes: exactly three operations to configured addresses, because a browser may not call the service itself. Only
 * pages of this server may ask. Bodies are limited in both directions, and redirects aren't followed.
 */
import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { SteadyClock } from "../shared-quota/clock";
import type { Company } from "../shared-quota/company";
import { createCancel, type CancelSignal } from "../shared-quota/cancel-signal";
import { networkOf } from "../edge/network";
import { requireOwnPage } from "../edge/own-page";
import type { AnsweredCall } from "../operations/metrics";
import { failureOf, refusal, type RelayedAnswer, relayHeaders } from "../answer";
import { createDataOperations } from "./data-operations";
import type { PageRequest, RelayTarget } from "./page-request";
import type { PageTokens } from "./page-tokens";
import { createTokenOperation } from "./token-operation";
import type { TokenRefusals } from "./token-refusals";

export interface RelayOptions {
  readonly targets: readonly RelayTarget[];
  readonly company: Company;
  readonly tokens: PageTokens;
  readonly refusals: TokenRefusals;
  readonly clock: SteadyClock;
  /** Called after each call. */
  readonly answered: (call: AnsweredCall) => void;
  readonly maxAnswerBytes?: number;
}

const maxRequestBytes = 64 * 1024;
const defaultMaxAnswerBytes = 4 * 1024 * 1024;

export async function relay(fastify: FastifyInstance, options: RelayOptions): Promise<void> {
  const { clock, answered, maxAnswerBytes = defaultMaxAnswerBytes } = options;
  const operations = {
    token: createTokenOperation({ ...options, maxAnswerBytes }),
    ...createDataOperations({ ...options, maxAnswerBytes }),
  };
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    "*",
    { parseAs: "buffer", bodyLimit: maxRequestBytes },
    (_request, body, done) => done(null, body),
  );
  fastify.addHook("onRequest", (request, reply, done) => {
    reply.headers(relayHeaders);
    requireOwnPage(request, reply, done);
  });

  for (const target of options.targets) {
    const handle =
      (operation: AnsweredCall["operation"]) =>
      (request: FastifyRequest, reply: FastifyReply): void => {
        const startedAtMs = clock.now();
        // Made by the server, never taken from a page. It is short, because people read it out.
        const id = randomBytes(6).toString("hex");
        reply.header("inv-request-id", id);
        const answer = async (): Promise<void> => {
          const given = (await operations[operation](pageRequest(target, request, reply))) ?? hasLeft;
          give(reply, given);
          const durationMs = clock.now() - startedAtMs;
          const { status } = given;
          const failure = given === hasLeft ? null : failureOf(given);
          answered({ id, environment: target.id, operation, status, durationMs, failure });
        };
        answer().catch((error: unknown) => void reply.send(error));
      };
    const path = `/relay/${target.id}`;
    fastify.post(`${path}/token`, handle("token"));
    fastify.post(`${path}/search-items`, handle("search"));
    // Fastify would answer HEAD too.
    fastify.get(`${path}/events`, { exposeHeadRoute: false }, handle("events"));
  }
  await Promise.resolve();
}

/** Nobody reads it, but the figures count it. */
const hasLeft = refusal(499, "The page has left.");

function pageRequest(target: RelayTarget, request: FastifyRequest, reply: FastifyReply): PageRequest {
  const mark = request.raw.url?.indexOf("?") ?? -1;
  return {
    target,
    address: () => networkOf(request.ip),
    header(name) {
      const value = request.headers[name];
      return typeof value === "string" ? value : undefined;
    },
    query: mark < 0 ? "" : (request.raw.url ?? "").slice(mark),
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    signal: cancelOf(reply),
  };
}

/** Aborted when the page no longer waits. */
function cancelOf(reply: FastifyReply): CancelSignal {
  const { signal, cancel } = createCancel();
  if (reply.raw.closed) cancel();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) cancel();
  });
  return signal;
}

function give(reply: FastifyReply, { status, headers, body }: RelayedAnswer): void {
  // A server that stops has already answered.
  if (reply.sent) return;
  void reply.code(status).headers(headers).send(body);
}
