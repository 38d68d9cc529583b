/**
 * Real HTTP to a configured environment, through undici: connections are kept alive and shared, every
 * wait has an end. What is sent and what comes back is the relay's business.
 *
 * A call that is under way stands in `open` until its answer has been read to the end or given up. That
 * set is what keeps its timer, its listener and its request alive: `AbortSignal.any` and
 * `AbortSignal.timeout` are held weakly by Node (nodejs/node issue 57736), and once such a signal has been
 * collected, nothing ends an answer that comes drop by drop.
 */
import { pipeline, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import type { Transport } from "../../api/transport";

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
  /** Rejects with a `TimeoutError` when the time is over, with an `AbortError` when the request's signal says so. */
  readonly send: Transport;
  /** Gives up every call that is under way, then closes the connections. */
  close(): Promise<void>;
}

/** Answers with these have no body, whatever the other side sends. */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/** All that anyone behind the relay reads; another could hold what no Response takes. */
const keptHeaders = ["content-type", "retry-after"];

const decoders = { gzip: createGunzip, br: createBrotliDecompress };

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
    send: async (request) => {
      const call = openCall(request, totalTimeoutMs, open);
      try {
        return toResponse(await agent.request(await toCall(request, call.signal)), call);
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
  readonly request: Request;
  readonly signal: AbortSignal;
  giveUp(reason: DOMException): void;
  end(): void;
}

function openCall(request: Request, totalTimeoutMs: number, open: Set<OpenCall>): OpenCall {
  const abort = new AbortController();
  const leave = () => abort.abort(aborted());
  const timer = setTimeout(() => abort.abort(new DOMException("Too slow.", "TimeoutError")), totalTimeoutMs);
  const call: OpenCall = {
    request,
    signal: abort.signal,
    giveUp: (reason) => abort.abort(reason),
    end() {
      clearTimeout(timer);
      request.signal.removeEventListener("abort", leave);
      open.delete(call);
    },
  };
  if (request.signal.aborted) leave();
  request.signal.addEventListener("abort", leave);
  open.add(call);
  return call;
}

function aborted(): DOMException {
  return new DOMException("The call was given up.", "AbortError");
}

async function toCall(request: Request, signal: AbortSignal): Promise<Dispatcher.RequestOptions> {
  const { origin, pathname, search } = new URL(request.url);
  return {
    origin,
    path: pathname + search,
    method: request.method,
    headers: { ...Object.fromEntries(request.headers), "accept-encoding": Object.keys(decoders).join(", ") },
    body: request.method === "GET" ? null : Buffer.from(await request.arrayBuffer()),
    signal,
  };
}

/** Throws where no Response can be made of it, such as for a status above 599. */
function toResponse({ statusCode, headers, body }: Dispatcher.ResponseData, call: OpenCall): Response {
  body.once("close", () => call.end());
  // Whoever reads the body hears of its errors; nobody else needs to.
  body.once("error", () => undefined);
  try {
    const own = keptHeaders.flatMap((name): [string, string][] =>
      headers[name] === undefined ? [] : [[name, String(headers[name])]],
    );
    if (!withoutBody.has(statusCode)) {
      const decoded = decode(body, String(headers["content-encoding"] ?? ""));
      return new Response(Readable.toWeb(decoded) as ReadableStream, { status: statusCode, headers: own });
    }
    body.destroy();
    return new Response(null, { status: statusCode, headers: own });
  } catch (error) {
    body.destroy();
    throw error;
  }
}

/** The body as it was before it was packed for the way; an encoding that was not asked for is left as it is. */
function decode(body: Readable, encoding: string): Readable {
  const decoder = Object.entries(decoders).find(([name]) => name === encoding.toLowerCase())?.[1];
  // The errors of either reach whoever reads.
  return decoder === undefined ? body : pipeline(body, decoder(), () => undefined);
}
