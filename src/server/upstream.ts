/**
 * Real HTTP to a configured environment, through undici: connections are kept alive and shared, every
 * wait has an end. What is sent and what comes back is the relay's business.
 */
import { Agent, fetch as undiciFetch } from "undici";
import type { Transport } from "../api/transport";

export interface UpstreamOptions {
  readonly connectTimeoutMs?: number;
  /** For the headers, and between two pieces of the body. */
  readonly answerTimeoutMs?: number;
  /** For all of it: an answer that comes drop by drop would never be too late for the other. */
  readonly totalTimeoutMs?: number;
}

export interface Upstream {
  readonly send: Transport;
  close(): Promise<void>;
}

export function createUpstream(options: UpstreamOptions = {}): Upstream {
  const { connectTimeoutMs = 10_000, answerTimeoutMs = 30_000, totalTimeoutMs = 60_000 } = options;
  const agent = new Agent({
    connect: { timeout: connectTimeoutMs },
    headersTimeout: answerTimeoutMs,
    bodyTimeout: answerTimeoutMs,
    keepAliveTimeout: 30_000,
    connections: 16,
  });
  return {
    send: async (request) => {
      const hasBody = request.method !== "GET";
      const response = await undiciFetch(request.url, {
        method: request.method,
        headers: [...request.headers],
        body: hasBody ? await request.arrayBuffer() : null,
        redirect: "manual",
        signal: AbortSignal.any([request.signal, AbortSignal.timeout(totalTimeoutMs)]),
        dispatcher: agent,
      });
      // undici's own Response and the global one are the same thing under two names.
      return response as unknown as Response;
    },
    close: () => agent.close(),
  };
}
