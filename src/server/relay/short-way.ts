/**
 * The short way of the inventory lookup, which is nearly every call: from Node's server straight to the relay. The way
 * through Fastify takes a tenth of a millisecond or more (docs/decisions.md).
 * Invariant: only a plain, good call goes this way. Whatever is unusual or to be refused is left to Fastify, so that each
 * refusal stands in one place.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { createLeaving, type LeaveSignal } from "../company/leaving";
import type { Drain } from "../edge/drain";
import { isOwnPage } from "../edge/own-page";
import { refusal, type RelayedAnswer, relayHeaders } from "./answer";

export interface ShortWay {
  /** Posts of JSON to exactly this path. */
  add(path: string, destination: Destination): void;
}

export interface Destination {
  readonly maxBytes: number;
  answer(call: ShortCall, give: (answer: RelayedAnswer) => void): Promise<void>;
}

export interface ShortCall {
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly signal: LeaveSignal;
}

export interface ShortWayOptions {
  readonly isKnownHost: (request: IncomingMessage) => boolean;
  /** What every answer of the server says. */
  readonly headersFor: (request: IncomingMessage) => Readonly<Record<string, string>>;
  readonly drain: Drain;
  readonly onError: (error: unknown) => void;
}

/** Stands before what the server did with requests so far. */
export function openShortWay(server: Server, options: ShortWayOptions): ShortWay {
  const { isKnownHost, headersFor, drain, onError } = options;
  const destinations = new Map<string, Destination>();

  function destinationOf(request: IncomingMessage): Destination | undefined {
    const { method, url = "", headers } = request;
    const destination = method === "POST" ? destinations.get(url) : undefined;
    if (destination === undefined || drain.isStopping() || !isPlain(headers, destination.maxBytes)) return;
    return isKnownHost(request) && isOwnPage(headers) ? destination : undefined;
  }

  function take(request: IncomingMessage, response: ServerResponse, destination: Destination): void {
    const { signal, leave } = createLeaving();
    const give = (answer: RelayedAnswer): void => write(response, answer, headersFor(request));
    drain.enter(response, give);
    response.once("close", () => {
      if (!response.writableFinished) leave();
    });
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.once("end", () => {
      destination.answer({ request, body: Buffer.concat(chunks), signal }, give).catch((error: unknown) => {
        onError(error);
        give(refusal(500, "The server failed. Try again later."));
      });
    });
  }

  const [longWay] = server.listeners("request") as RequestListener[];
  server.removeAllListeners("request");
  server.on("request", (...[request, response]: Parameters<RequestListener>) => {
    const destination = destinationOf(request);
    if (destination === undefined) longWay?.(request, response);
    else take(request, response, destination);
  });
  return { add: (path, destination) => void destinations.set(path, destination) };
}

/** As INV's pages send it: of a length that Node holds it to, and JSON by its name alone. */
function isPlain(headers: IncomingMessage["headers"], maxBytes: number): boolean {
  return (
    headers["content-type"] === "application/json" &&
    headers.expect === undefined &&
    Number(headers["content-length"] ?? Infinity) <= maxBytes
  );
}

function write(
  response: ServerResponse,
  { status, headers, body }: RelayedAnswer,
  common: Readonly<Record<string, string>>,
): void {
  // A server that stops has told the page so already; or the page has left.
  if (response.headersSent || response.destroyed) return;
  const length = withoutBody.has(status) ? {} : { "content-length": String(body.length) };
  response.writeHead(status, { ...common, ...relayHeaders, ...headers, ...length });
  response.end(body);
}

const withoutBody: ReadonlySet<number> = new Set([204, 304]);
