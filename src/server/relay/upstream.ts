/**
 * HTTP to a configured environment through undici. Connections are kept alive and shared, and every wait has
 * a time limit.
 */
import { promisify } from "node:util";
import { brotliDecompress, gunzip } from "node:zlib";
import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import type { RealEnvironment } from "../settings/read";
import { exchange } from "./exchange";
import { CallFailed, type Send } from "./outgoing";

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
        clientFactory: (origin, given) => new Pool(origin, { ...given, headersTimeout: connectTimeoutMs }),
      })
    : new Agent(agentOptions);
}

export function createUpstream(options: UpstreamOptions = {}): Upstream {
  const { totalTimeoutMs = 60_000 } = options;
  const agent = createDispatcher(options);
  const aborts = new Set<() => void>();
  return {
    async send(call) {
      const headers = { ...call.headers, "accept-encoding": acceptEncoding };
      const answer = await exchange(agent, { ...call, headers }, { totalMs: totalTimeoutMs, aborts });
      const encoding = textOf(answer.headers["content-encoding"]) ?? "";
      return {
        status: answer.status,
        contentType: textOf(answer.headers["content-type"]),
        retryAfter: textOf(answer.headers["retry-after"]),
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

function textOf(value: string | string[] | undefined): string | null {
  return value === undefined ? null : String(value);
}

/** Returns the body decompressed, or unchanged if its encoding wasn't requested. */
async function decoded(body: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  const decode = Object.entries(decoders).find(([name]) => name === encoding.toLowerCase())?.[1];
  if (decode === undefined || body.length === 0) return body;
  try {
    return await decode(body, { maxOutputLength: maxBytes });
  } catch (error) {
    throw Reflect.get(Object(error), "code") === "ERR_BUFFER_TOO_LARGE" ? new CallFailed("TOO_LARGE") : error;
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
