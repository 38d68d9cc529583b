/**
 * The embedded service as a separate server: the main server's routes, and the service's documented 404 for
 * other paths. It opens no port.
 */
import Fastify, { type FastifyInstance } from "fastify";
import { commonHeaders, sendCommonHeaders } from "../../../src/server/edge/headers";
import { limitConnections, limitedServer, type Limits } from "../../../src/server/edge/limits";
import { answerWith } from "../../../src/server/embedded-service/host";
import {
  passEverythingOn,
  prefixOf,
  serviceRoutes,
  type ServiceRoutesOptions,
} from "../../../src/server/embedded-service/routes";

export async function createServiceServer(
  options: ServiceRoutesOptions,
  limits?: Limits,
): Promise<FastifyInstance> {
  const [world] = options.worlds;
  if (world === undefined) throw new Error("There is nothing to serve.");
  const mount = { service: world.service, prefix: prefixOf(world.environment) };
  const fastify = Fastify({
    ...limitedServer(null, limits),
    // The service answers 404 for a path that can't be decoded.
    frameworkErrors: (_error, request, reply) =>
      void answerWith(mount, request, reply.headers(commonHeaders)),
  });
  limitConnections(fastify, limits);
  sendCommonHeaders(fastify, { tls: false });
  passEverythingOn(fastify, mount);
  fastify.setNotFoundHandler((request, reply) => answerWith(mount, request, reply));
  await fastify.register(serviceRoutes, options);
  return fastify;
}
