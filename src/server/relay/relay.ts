/**
 * The relay: exactly three operations to configured addresses, because a browser may not call the service itself. It
 * chooses the host; the caller chooses none of path, host or headers beyond those named here. Only pages of this
 * server may ask it. Bodies are bounded both ways, redirects are not followed. What a company's people share, and
 * what is remembered for it, is `company`'s.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { CompanyCall } from "../company/call";
import type { Company } from "../company/company";
import { readAsked } from "../company/headers";
import { createLeaving, type LeaveSignal } from "../company/leaving";
import { isOwnPage } from "../edge/own-page";
import type { AnsweredCall } from "../metrics";
import { failed, passedOn, refusal, type RelayedAnswer, relayHeaders } from "./answer";
import type { OutgoingCall, Send } from "./outgoing";
import { createTokenRefusals } from "./token-refusals";

export interface RelayTarget {
  readonly id: string;
  readonly tokenUrl: string;
  readonly searchUrl: string;
  readonly eventsUrl: string;
  /** How the access token is sent: behind the word `Bearer`, or alone. */
  readonly authorization: "bearer" | "bare";
  /** Sends to this environment: over HTTP, or into the embedded service. */
  readonly send: Send;
}

export interface RelayOptions {
  readonly targets: readonly RelayTarget[];
  readonly company: Company;
  readonly now: () => number;
  /** Told of every call, and of nothing more about it. */
  readonly answered: (call: AnsweredCall) => void;
  readonly maxAnswerBytes?: number;
}

const maxRequestBytes = 64 * 1024;
const defaultMaxAnswerBytes = 4 * 1024 * 1024;
const forwardedHeaders = ["authorization", "wm_consumer.id", "content-type", "accept"];

export async function relay(fastify: FastifyInstance, options: RelayOptions): Promise<void> {
  const { company, now, answered, maxAnswerBytes = defaultMaxAnswerBytes } = options;
  const tokenRefusals = createTokenRefusals(options);
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    "*",
    { parseAs: "buffer", bodyLimit: maxRequestBytes },
    (_request, body, done) => done(null, body),
  );
  fastify.addHook("onRequest", (request, reply, done) => {
    reply.headers(relayHeaders);
    if (isOwnPage(request.headers)) done();
    else give(reply, refusal(403, "The relay answers only to the pages of its own server."));
  });

  /** Never rejects: what goes wrong is an answer too. */
  async function send(call: Call, body: Buffer, signal: LeaveSignal): Promise<RelayedAnswer> {
    try {
      return passedOn(await call.target.send({ ...outgoing(call, body), signal, maxAnswerBytes }));
    } catch (error) {
      return failed(error);
    }
  }

  async function exchangeToken(call: Call): Promise<RelayedAnswer> {
    const { request, target } = call;
    const who = `${request.ip} ${call.url.href} ${clientId(request)}`;
    const waitSeconds = await tokenRefusals.admit(who);
    if (waitSeconds !== null) {
      return refusal(429, "Too many refused token requests for this client ID.", waitSeconds);
    }
    const given = await send(call, bodyOf(request), call.signal);
    tokenRefusals.settle(who, [400, 401, 403].includes(given.status));
    await company.exchanged(target.id, {
      requestHeaders: {
        authorization: request.headers.authorization,
        "content-type": request.headers["content-type"],
      },
      requestBody: bodyOf(request).toString(),
      status: given.status,
      answerBody: given.body.toString(),
    });
    return given;
  }

  function companyCall(call: Call): CompanyCall {
    const { request, target, signal } = call;
    return {
      environment: target.id,
      consumerId: headerOf(request, "wm_consumer.id") ?? "",
      token: /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? null,
      ...readAsked((name) => headerOf(request, name)),
      body: bodyOf(request),
      signal,
      send: (body, sendSignal) => send(call, body, sendSignal),
    };
  }

  const answers = {
    token: exchangeToken,
    search: (call: Call) => company.search(companyCall(call)),
    events: (call: Call) => company.events(companyCall(call)),
  };

  for (const target of options.targets) {
    const handle =
      (operation: AnsweredCall["operation"], url: URL) =>
      (request: FastifyRequest, reply: FastifyReply): void => {
        const startedAtMs = now();
        const call: Call = { request, target, url: withQuery(url, request), signal: leaving(reply) };
        const answer = async (): Promise<void> => {
          const given = (await answers[operation](call)) ?? hasLeft;
          give(reply, given);
          const durationMs = now() - startedAtMs;
          answered({ environment: target.id, operation, status: given.status, durationMs });
        };
        answer().catch((error: unknown) => void reply.send(error));
      };
    const path = `/relay/${target.id}`;
    fastify.post(`${path}/token`, handle("token", new URL(target.tokenUrl)));
    fastify.post(`${path}/search-items`, handle("search", new URL(target.searchUrl)));
    // HEAD, which Fastify would answer as well, is none of the three operations.
    fastify.get(`${path}/events`, { exposeHeadRoute: false }, handle("events", new URL(target.eventsUrl)));
  }
  await Promise.resolve();
}

interface Call {
  readonly request: FastifyRequest;
  readonly target: RelayTarget;
  readonly url: URL;
  readonly signal: LeaveSignal;
}

/** Nobody reads it; the figures count it. */
const hasLeft = refusal(499, "The page has left.");

/** Aborted when the page no longer waits. */
function leaving(reply: FastifyReply): LeaveSignal {
  const { signal, leave } = createLeaving();
  if (reply.raw.closed) leave();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) leave();
  });
  return signal;
}

function outgoing(
  { request, target, url }: Call,
  body: Buffer,
): Omit<OutgoingCall, "signal" | "maxAnswerBytes"> {
  const headers: Record<string, string> = {};
  for (const name of forwardedHeaders) {
    const value = headerOf(request, name);
    if (value !== undefined) headers[name] = value;
  }
  if (target.authorization === "bare" && headers.authorization !== undefined) {
    headers.authorization = headers.authorization.replace(/^Bearer /i, "");
  }
  return request.method === "GET"
    ? { url, method: "GET", headers, body: null }
    : { url, method: "POST", headers, body };
}

function give(reply: FastifyReply, { status, headers, body }: RelayedAnswer): void {
  // A server that stops has told the page so already.
  if (reply.sent) return;
  void reply.code(status).headers(headers).send(body);
}

function withQuery(url: URL, request: FastifyRequest): URL {
  const mark = request.method === "GET" ? (request.raw.url?.indexOf("?") ?? -1) : -1;
  return mark < 0 ? url : new URL(url.href + (request.raw.url ?? "").slice(mark));
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}

function bodyOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** As the token form names it; "" when it names none or several, or is not a form: those are one caller. */
function clientId(request: FastifyRequest): string {
  const [id = "", ...more] = new URLSearchParams(bodyOf(request).toString("utf8")).getAll("client_id");
  return more.length > 0 ? "" : id.slice(0, 200);
}
