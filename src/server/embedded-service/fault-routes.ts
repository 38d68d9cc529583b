/**
 * `/service/faults`: the fault switches of a running service. Anybody may read them. Setting them requires that the
 * server was started with them, and a request from this machine, under a loopback name and without a proxy.
 * Security: a proxy that rewrites the host name and adds no header looks like this machine. Start a server behind
 * such a proxy without fault switches.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { parsedJson } from "../../domain/json";
import type { Faults } from "../../embedded-service/fault-switches";
import { readBody } from "./host";

export interface FaultRoutesOptions {
  readonly faults: Faults;
  readonly faultSwitches: boolean;
  readonly announce?: (line: string) => void;
}

const faultsPath = "/service/faults";

export function addFaultRoutes(fastify: FastifyInstance, options: FaultRoutesOptions): void {
  const { faults, faultSwitches, announce } = options;
  fastify.get(faultsPath, (_request, reply) => sendSettings(reply, faults));
  if (!faultSwitches) return;
  fastify.put(faultsPath, async (request, reply) => {
    if (!isLocal(request)) return refuse(reply, 403, "Fault switches can be set from this machine only.");
    const change = readChange((await readBody(request.body)).toString("utf8"));
    if (change === null) {
      return refuse(
        reply,
        400,
        'The body must be JSON such as {"fail": "429=5%,hang=1%", "latency_ms": 200}.',
      );
    }
    const reason = faults.set(change);
    if (reason !== null) return refuse(reply, 400, reason);
    announce?.(faultLine(faults));
    return sendSettings(reply, faults);
  });
}

function faultLine(faults: Faults): string {
  const description = faults.describe();
  return description === null ? "Fault switches are off." : `Fault switches are on: ${description}`;
}

function sendSettings(reply: FastifyReply, faults: Faults): FastifyReply {
  const { latencyMs, fail } = faults.current();
  return reply.header("cache-control", "no-store").send({
    fail,
    latency_ms: latencyMs,
    description: faults.describe(),
  });
}

function refuse(reply: FastifyReply, status: number, error: string): FastifyReply {
  return reply.code(status).header("cache-control", "no-store").send({ error });
}

/** Returns null unless the text is an object with one or both of the settings. */
function readChange(text: string): { fail?: string; latencyMs?: number } | null {
  const body = parsedJson(text);
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null;
  const { fail, latency_ms: latencyMs, ...rest } = body as Record<string, unknown>;
  if (Object.keys(rest).length > 0 || (fail === undefined && latencyMs === undefined)) return null;
  if (fail !== undefined && typeof fail !== "string") return null;
  if (latencyMs !== undefined && typeof latencyMs !== "number") return null;
  return { ...(fail === undefined ? {} : { fail }), ...(latencyMs === undefined ? {} : { latencyMs }) };
}

function isLocal(request: FastifyRequest): boolean {
  const { headers, raw } = request;
  if (headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined) return false;
  // With DNS rebinding, a foreign page's request also comes over loopback, but under that page's own name.
  const host = (headers.host ?? "").replace(/:\d+$/, "");
  const address = raw.socket.remoteAddress ?? "";
  return (
    ["localhost", "127.0.0.1", "[::1]"].includes(host) && /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(address)
  );
}
