/**
 * HTTP to a configured environment through undici. Connections are kept alive and shared, and every wait has
 * a time limit. A call uses undici's handlers instead of streams, which would cost more than the call, because
 * an answer arrives in one or two pieces.
 * Invariant: a call settles once, within its time limit, and leaves no timer or listener.
 */
import { promisify } from "node:util";
import { brotliDecompress, gunzip } from "node:zlib";
import { Agent, type buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import type { RealEnvironment } from "../settings/read";
import { CallFailed, type OutgoingCall, proxyCode, type Send } from "./outgoing";
import { codeOf } from "../system-error";

export interface UpstreamOptions {
  /** All trusted certificates in PEM, or null for Node's defaults. */
  readonly ca?: readonly string[] | null;
  readonly proxy?: string | null;
  /** Hosts to call without the proxy. */
  readonly noProxy?: readonly string[];
  readonly connections?: number;
  readonly connectTimeoutMs?: number;
  /** Limits the wait for the headers, and between two pieces of the body. */
  readonly answerTimeoutMs?: number;
  /** Limits the whole call, even if its answer arrives steadily. */
  readonly totalTimeoutMs?: number;
}

export interface Upstream {
  readonly send: Send;
  close(): Promise<void>;
}

const decoders = { gzip: promisify(gunzip), br: promisify(brotliDecompress) };
const acceptEncoding = Object.keys(decoders).join(", ");

/** Returns undici's dispatcher: direct, or through the company's proxy, with the trusted authorities. */
export function createDispatcher(options: UpstreamOptions = {}): Dispatcher {
  const { connectTimeoutMs = 10_000, answerTimeoutMs = 30_000 } = options;
  const tls = options.ca ? { ca: [...options.ca] } : {};
  const agentOptions: Agent.Options = {
    connect: { timeout: connectTimeoutMs, ...tls },
    headersTimeout: answerTimeoutMs,
    bodyTimeout: answerTimeoutMs,
    keepAliveTimeout: 30_000,
    connections: options.connections ?? 16,
  };
  return options.proxy
    ? new EnvHttpProxyAgent({
        ...agentOptions,
        // Plain HTTP goes only to this machine, so it needs no proxy.
        httpProxy: "",
        httpsProxy: options.proxy,
        noProxy: (options.noProxy ?? []).join(","),
        requestTls: { timeout: connectTimeoutMs, ...tls },
        proxyTls: { timeout: connectTimeoutMs, ...tls },
        // The proxy's answer to a tunnel request is part of connecting. By default, undici waits five minutes
        // for it.
        clientFactory: (origin, given) =>
          new Pool(origin, {
            connect: namingProxy((given as { readonly connect: buildConnector.connector }).connect),
            headersTimeout: connectTimeoutMs,
          }),
      })
    : new Agent(agentOptions);
}

/** Marks errors of the connection to the company's proxy. */
function namingProxy(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else {
        const code = proxyCode + (codeOf(error) ?? "unknown");
        callback(Object.assign(new Error("The outgoing proxy can't be reached."), { code }), null);
      }
    });
}

export function createUpstream(options: UpstreamOptions = {}): Upstream {
  const { totalTimeoutMs = 60_000 } = options;
  const agent = createDispatcher(options);
  const aborts = new Set<() => void>();
  return {
    async send(call) {
      const headers = { ...call.headers, "accept-encoding": acceptEncoding };
      const answer = await dispatchCall(agent, { ...call, headers }, { limitMs: totalTimeoutMs, aborts });
      const encoding = headerText(answer.headers["content-encoding"]) ?? "";
      return {
        status: answer.status,
        contentType: headerText(answer.headers["content-type"]),
        retryAfter: headerText(answer.headers["retry-after"]),
        body: encoding === "" ? answer.body : await decoded(answer.body, encoding, call.maxAnswerBytes),
      };
    },
    async close() {
      for (const abort of aborts) abort();
      // `close` would wait for connections that are still opening.
      await agent.destroy();
    },
  };
}

interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Still compressed. */
  readonly body: Buffer;
}

/** HTTP defines these statuses as having no body. */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

interface CallLimits {
  /** Limits the whole call. undici's own limits restart with each piece of an answer. */
  readonly limitMs: number;
  /** Functions that abort the current calls. */
  readonly aborts: Set<() => void>;
}

/** Makes one call and reads its whole answer. */
function dispatchCall(
  dispatcher: Dispatcher,
  call: OutgoingCall,
  { limitMs, aborts }: CallLimits,
): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    const answer = createAnswerParts(call.maxAnswerBytes);
    let controller: Dispatcher.DispatchController | null = null;
    let failure: CallFailed | null = null;
    const timer = setTimeout(() => giveUp("TOTAL_TIMEOUT"), limitMs);

    function abort(): void {
      giveUp("GIVEN_UP");
    }

    function settle(): void {
      clearTimeout(timer);
      call.signal.removeEventListener("abort", abort);
      aborts.delete(abort);
    }

    function giveUp(code: string | undefined, cause?: Error): void {
      if (failure !== null) return;
      const phase = controller === null ? "connect" : answer.hasBegun() ? "answer" : "request";
      failure = new CallFailed(code, { phase, cause });
      settle();
      reject(failure);
      controller?.abort(failure);
    }

    function giveUpFor(fault: string | null): void {
      if (fault !== null) giveUp(fault);
    }

    if (call.signal.aborted) {
      abort();
      return;
    }
    call.signal.addEventListener("abort", abort);
    aborts.add(abort);
    dispatcher.dispatch(toOptions(call), {
      onRequestStart(given) {
        controller = given;
        // The call was aborted while it waited for a connection.
        if (failure !== null) given.abort(failure);
      },
      onResponseStart: (_controller, status, headers) => giveUpFor(answer.begin(status, headers)),
      onResponseData: (_controller, chunk) => giveUpFor(answer.add(chunk)),
      onResponseEnd() {
        settle();
        resolve(answer.whole());
      },
      onResponseError: (_controller, error) => giveUp(undefined, error),
    });
  });
}

/** Gathers one answer. `begin` and `add` return the code of what is wrong with it, or null. */
function createAnswerParts(maxBytes: number) {
  let head: Omit<WholeAnswer, "body"> = { status: 0, headers: {} };
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    hasBegun: () => head.status !== 0,
    begin(status: number, headers: WholeAnswer["headers"]): string | null {
      // HTTP has no status above 599.
      if (status > 599) return "BAD_STATUS";
      // 1xx responses only announce the real one.
      if (status >= 200) head = { status, headers };
      return null;
    },
    add(chunk: Buffer): string | null {
      bytes += chunk.length;
      if (bytes > maxBytes) return "TOO_LARGE";
      chunks.push(chunk);
      return null;
    },
    whole(): WholeAnswer {
      const [first = Buffer.alloc(0), ...others] = withoutBody.has(head.status) ? [] : chunks;
      return { ...head, body: others.length === 0 ? first : Buffer.concat(chunks) };
    },
  };
}

function toOptions({ url, method, headers, body }: OutgoingCall): Dispatcher.DispatchOptions {
  return { origin: url.origin, path: url.pathname + url.search, method, headers, body };
}

function headerText(value: string | string[] | undefined): string | null {
  return value === undefined ? null : String(value);
}

/** Returns the body decompressed, or unchanged if its encoding wasn't requested. */
async function decoded(body: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  const decode = Object.entries(decoders).find(([name]) => name === encoding.toLowerCase())?.[1];
  if (decode === undefined || body.length === 0) return body;
  try {
    return await decode(body, { maxOutputLength: maxBytes });
  } catch (error) {
    throw codeOf(error) === "ERR_BUFFER_TOO_LARGE" ? new CallFailed("TOO_LARGE") : error;
  }
}

const connectionsForTokens = 16;

/**
 * Creates the connections to one environment, which other environments at the same host don't share. There may
 * be as many as the quota allows calls, so that an edit never waits here behind slow answers. Token requests
 * have their own connections.
 */
export function createEnvironmentUpstream(
  { tokenUrl, quota }: Pick<RealEnvironment, "tokenUrl" | "quota">,
  options: Omit<UpstreamOptions, "connections">,
): Upstream {
  const data = createUpstream({ ...options, connections: quota.search + quota.events });
  const tokens = createUpstream({ ...options, connections: connectionsForTokens });
  const { href } = new URL(tokenUrl);
  return {
    send: (call) => (call.url.href === href ? tokens : data).send(call),
    async close() {
      await Promise.all([data.close(), tokens.close()]);
    },
  };
}
