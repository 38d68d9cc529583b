/**
 * Real HTTP to a configured environment, through undici: connections are kept alive and shared, every
 * wait has an end. What is sent and what comes back is the relay's business.
 *
 * A call that is under way stands in `open` until its answer has been read to the end or given up. That
 * set is what keeps its timer and its listener alive: `AbortSignal.any` and `AbortSignal.timeout` are held weakly by
 * Node (nodejs/node issue 57736), and once such a signal has been collected, nothing ends an answer that comes
 * drop by drop.
 */
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import type { OutgoingCall, Send, ServiceAnswer } from "./outgoing";

export interface UpstreamOptions {
  /** All certificates to trust, as PEM; null for Node's own. */
  readonly ca?: readonly string[] | null;
  /** The proxy that https calls go through; null for none. */
  readonly proxy?: string | null;
  /** Hosts that are called without it, comma-separated. */
  readonly noProxy?: string;
  readonly connectTimeoutMs?: number;
  /** For the headers, and between two pieces of the body. */
  readonly answerTimeoutMs?: number;
  /** For all of it: an answer that comes drop by drop would never be too late for the other. */
  readonly totalTimeoutMs?: number;
}

export interface Upstream {
  readonly send: Send;
  /** Gives up every call that is under way, then closes the connections. */
  close(): Promise<void>;
}

/** Answers with these have no body, whatever the other side sends. */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

const decoders = { gzip: createGunzip, br: createBrotliDecompress };
const acceptEncoding = Object.keys(decoders).join(", ");

export function createUpstream(options: UpstreamOptions = {}): Upstream {
  const { connectTimeoutMs = 10_000, answerTimeoutMs = 30_000, totalTimeoutMs = 60_000 } = options;
  const tls = options.ca ? { ca: [...options.ca] } : {};
  const agentOptions: Agent.Options = {
    connect: { timeout: connectTimeoutMs, ...tls },
    headersTimeout: answerTimeoutMs,
    bodyTimeout: answerTimeoutMs,
    keepAliveTimeout: 30_000,
    connections: 16,
  };
  const agent = options.proxy
    ? new EnvHttpProxyAgent({
        ...agentOptions,
        // Plain http goes to this machine alone.
        httpProxy: "",
        httpsProxy: options.proxy,
        noProxy: options.noProxy ?? "",
        requestTls: { timeout: connectTimeoutMs, ...tls },
        proxyTls: { timeout: connectTimeoutMs, ...tls },
        // The proxy's word on a tunnel belongs to connecting; undici would wait five minutes for it.
        clientFactory: (origin, given) => new Pool(origin, { ...given, headersTimeout: connectTimeoutMs }),
      })
    : new Agent(agentOptions);
  const open = new Set<OpenCall>();
  return {
    send: async (outgoing) => {
      const call = openCall(outgoing.signal, totalTimeoutMs, open);
      try {
        return toAnswer(await agent.request(toRequest(outgoing, call.signal)), call);
      } catch (error) {
        call.end();
        throw error;
      }
    },
    close: async () => {
      for (const call of open) call.giveUp(aborted());
      // Not `close`, which waits for connections that are only being opened.
      await agent.destroy();
    },
  };
}

interface OpenCall {
  readonly signal: AbortSignal;
  giveUp(reason: DOMException): void;
  end(): void;
}

function openCall(asked: AbortSignal, totalTimeoutMs: number, open: Set<OpenCall>): OpenCall {
  const abort = new AbortController();
  const leave = () => abort.abort(aborted());
  const timer = setTimeout(() => abort.abort(new DOMException("Too slow.", "TimeoutError")), totalTimeoutMs);
  const call: OpenCall = {
    signal: abort.signal,
    giveUp: (reason) => abort.abort(reason),
    end() {
      clearTimeout(timer);
      asked.removeEventListener("abort", leave);
      open.delete(call);
    },
  };
  if (asked.aborted) leave();
  asked.addEventListener("abort", leave);
  open.add(call);
  return call;
}

function aborted(): DOMException {
  return new DOMException("The call was given up.", "AbortError");
}

function toRequest(
  { url, method, headers, body }: OutgoingCall,
  signal: AbortSignal,
): Dispatcher.RequestOptions {
  const { origin, pathname, search } = new URL(url);
  return {
    origin,
    path: pathname + search,
    method,
    headers: { ...headers, "accept-encoding": acceptEncoding },
    body,
    signal,
  };
}

/** Throws for what HTTP does not have, such as a status above 599. */
function toAnswer({ statusCode, headers, body }: Dispatcher.ResponseData, call: OpenCall): ServiceAnswer {
  body.once("close", () => call.end());
  // Whoever reads the body hears of its errors; nobody else needs to.
  body.once("error", () => undefined);
  const isNone = withoutBody.has(statusCode);
  if (isNone || statusCode > 599) body.destroy();
  if (statusCode > 599) throw new Error(`The service answered with status ${statusCode}.`);
  return {
    status: statusCode,
    contentType: textOf(headers["content-type"]),
    retryAfter: textOf(headers["retry-after"]),
    body: isNone ? null : decode(body, textOf(headers["content-encoding"]) ?? ""),
  };
}

function textOf(value: string | string[] | undefined): string | null {
  return value === undefined ? null : String(value);
}

/** The body as it was before it was packed for the way; an encoding that was not asked for is left as it is. */
function decode(body: Readable, encoding: string): Readable {
  const decoder = Object.entries(decoders).find(([name]) => name === encoding.toLowerCase())?.[1];
  // The errors of either reach whoever reads.
  return decoder === undefined ? body : pipeline(body, decoder(), () => undefined);
}
