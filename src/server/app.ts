/**
 * Assembles the server from its plug-ins. Each owns its routes, hooks and resources, and the server starts
 * without any of them. It opens no public port and reads no settings file, which `main` does.
 */
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from "fastify";
import { core, type CoreOptions } from "./core";
import { edge } from "./edge/edge";
import { limitedServer, limitsOf, type Limits } from "./edge/limits";
import { embeddedService, type EmbeddedServiceOptions } from "./embedded-service/routes";
import { operations, type OperationsOptions } from "./operations/operations";
import { pages, type PagesOptions } from "./pages";
import { relay, type RelayOptions } from "./relay/relay";
import { signIn } from "./sign-in/sign-in";
import { templates } from "./templates/templates";

export type AppOptions = CoreOptions &
  PagesOptions &
  RelayOptions &
  EmbeddedServiceOptions &
  OperationsOptions & { readonly limits?: Partial<Limits> };

/** Those that use another's decoration come after it. */
export const plugIns: readonly FastifyPluginAsync<AppOptions>[] = [
  signIn,
  relay,
  embeddedService,
  templates,
  operations,
  pages,
];

/** If a plug-in can't start, everything that was opened before is closed again. */
export async function createApp(options: AppOptions, used = plugIns): Promise<FastifyInstance> {
  const { config } = options;
  const limits = limitsOf({ connections: config.maxConnections, ...options.limits });
  const fastify = Fastify({ ...limitedServer(config.tls, limits), trustProxy: [...config.trustProxy] });
  try {
    await fastify.register(core, options);
    await fastify.register(edge, { limits });
    for (const plugIn of used) await fastify.register(plugIn, options);
  } catch (error) {
    await fastify.close();
    throw error;
  }
  return fastify;
}
