/**
 * Puts the server together: pages, `environments.json`, the relay, and the embedded service's own
 * addresses. Opens no port and reads no setting; `main` does.
 */
import Fastify, { type FastifyInstance, type FastifyServerOptions } from "fastify";
import type { ServerConfig } from "./config";
import { type DemoSettings, listEnvironments } from "./environments";
import { pages } from "./pages";
import { relay, type RelayTarget } from "./relay";
import { serviceRoutes, type ServiceRoutesOptions } from "./service/routes";
import { createUpstream } from "./upstream";

export interface AppOptions {
  readonly config: Pick<ServerConfig, "environments" | "tls">;
  readonly folder: string;
  readonly demo: DemoSettings & ServiceRoutesOptions;
  readonly now: () => number;
  readonly log: ((line: string) => void) | null;
}

/** The service behind the demo has no host of its own; its paths are the documented ones. */
const demoOrigin = "http://demo.invalid";

export async function createApp({ config, folder, demo, now, log }: AppOptions): Promise<FastifyInstance> {
  const fastify = Fastify(serverOptions(config.tls));
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
  await fastify.register(pages, { folder });
  return fastify;
}

function serverOptions(tls: ServerConfig["tls"]): FastifyServerOptions {
  const options: FastifyServerOptions = { logger: false, forceCloseConnections: true };
  // Fastify takes `https` in its options but types it as another kind of server.
  return tls === null ? options : ({ ...options, https: tls } as FastifyServerOptions);
}
