/**
 * Puts the server together: pages, `environments.json`, the relay, and the embedded service's own
 * addresses. Opens no port and reads no setting; `main` does.
 */
import Fastify, { type FastifyInstance } from "fastify";
import type { ServerConfig } from "./config";
import { sendCommonHeaders } from "./edge/headers";
import { requireKnownHost } from "./edge/hosts";
import { limitConnections, limitedServer, type Limits } from "./edge/limits";
import { type DemoSettings, listEnvironments } from "./environments";
import { pages } from "./pages";
import { relay, type RelayTarget } from "./relay/relay";
import { createUpstream } from "./relay/upstream";
import { serviceRoutes, type ServiceRoutesOptions } from "./service/routes";

export interface AppOptions {
  readonly config: Pick<ServerConfig, "environments" | "tls" | "host" | "hosts" | "frames">;
  readonly folder: string;
  readonly demo: DemoSettings & ServiceRoutesOptions;
  readonly now: () => number;
  readonly log: ((line: string) => void) | null;
  readonly limits?: Limits;
}

/** The service behind the demo has no host of its own; its paths are the documented ones. */
const demoOrigin = "http://demo.invalid";

export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, folder, demo, now, log, limits } = options;
  const fastify = Fastify(limitedServer(config.tls, limits));
  limitConnections(fastify, limits);
  sendCommonHeaders(fastify, { tls: config.tls !== null });
  requireKnownHost(fastify, config);
  const upstream = createUpstream();
  fastify.addHook("onClose", () => upstream.close());

  const targets: RelayTarget[] = [
    {
      id: "demo",
      tokenUrl: `${demoOrigin}/api-proxy/service/identity/oauth/v1/token`,
      searchUrl: `${demoOrigin}/search-items`,
      eventsUrl: `${demoOrigin}/events`,
      send: demo.service,
    },
    ...config.environments.map((environment) => ({ ...environment, send: upstream.send })),
  ];
  await fastify.register(relay, { targets, now, log });
  await fastify.register(serviceRoutes, demo);

  const environments = listEnvironments(demo, config.environments);
  fastify.get("/environments.json", (_request, reply) =>
    reply.header("cache-control", "no-store").send(environments),
  );
  fastify.get("/healthz", (_request, reply) => reply.header("cache-control", "no-store").send({ ok: true }));
  await fastify.register(pages, { folder, frames: config.frames });
  return fastify;
}
