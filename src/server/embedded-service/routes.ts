/**
 * Mounts the embedded service on a Fastify server. Each world gets the documented paths, `/demo-data` and
 * `/openapi.json`. The server also gets the fault switches. The sandbox and production have a path prefix. Fastify passes all
 * requests to the service unchanged.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { parsedJson } from "../../domain/json";
import type { Faults } from "../../embedded-service/fault-switches";
import { tokenPath } from "../../embedded-service/service";
import { type Embedded, type EmbeddedWorld, offeredWorlds } from "../embedded";
import { answerWith, type Mount, readBody } from "./host";

interface FaultRoutesOptions {
  readonly faults: Faults;
  readonly faultSwitches: boolean;
  readonly announce?: (line: string) => void;
}

export interface EmbeddedServiceOptions {
  readonly embedded: Pick<Embedded, "worlds"> & FaultRoutesOptions;
}

/** The plug-in of the server's own service, if it offers an environment of it. */
export async function embeddedService(
  fastify: FastifyInstance,
  { embedded }: EmbeddedServiceOptions,
): Promise<void> {
  const worlds = offeredWorlds(embedded, fastify.core.config);
  if (worlds.length > 0) await fastify.register(serviceRoutes, { ...embedded, worlds });
}

export interface ServiceRoutesOptions extends FaultRoutesOptions {
  readonly worlds: readonly EmbeddedWorld[];
}

/** Returns the prefix of a world's paths, which is empty for the demo and for own figures. */
export function prefixOf({ id, embedded }: Pick<EmbeddedWorld["environment"], "id" | "embedded">): string {
  return embedded === true ? `/${id}` : "";
}

const servicePaths = [tokenPath, "/search-items", "/events", "/demo-data", "/openapi.json"];

/** Register it without a prefix. */
export async function serviceRoutes(fastify: FastifyInstance, options: ServiceRoutesOptions): Promise<void> {
  for (const { environment, service } of options.worlds) {
    const mount = { service, prefix: prefixOf(environment) };
    await fastify.register((inner, _options, done) => {
      passEverythingOn(inner, mount);
      for (const path of servicePaths) {
        inner.all(mount.prefix + path, (request, reply) => answerWith(mount, request, reply));
      }
      done();
    });
  }
  await fastify.register((inner, _options, done) => {
    passUnread(inner);
    addFaultRoutes(inner, options);
    done();
  });
}

/**
 * Passes bodies on unread. It also passes on requests that Fastify would refuse before a handler runs, for
 * example for their content type.
 */
export function passEverythingOn(fastify: FastifyInstance, mount: Mount): void {
  passUnread(fastify);
  fastify.setErrorHandler((error: FastifyError, request, reply) =>
    (error.statusCode ?? 500) < 500
      ? answerWith(mount, request, reply)
      : reply.code(500).send({ error: "The server failed. Try again later." }),
  );
}

function passUnread(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
}

const faultsPath = "/service/faults";

/**
 * The fault switches of a running service. Anybody may read them. Setting them requires that the server was started with them, and a
 * request from this machine, under a loopback name and without a proxy.
 * Security: a proxy that rewrites the host name and adds no header looks like this machine. Start a server behind such a proxy without
 * fault switches.
 */
function addFaultRoutes(fastify: FastifyInstance, options: FaultRoutesOptions): void {
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
