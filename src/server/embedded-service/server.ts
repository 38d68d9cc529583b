/**
 * The embedded service as a server of its own: the same routes as in the main server, and every other
 * path answered by the service as well (its documented 404). Opens no port.
 */
import Fastify, { type FastifyInstance } from "fastify";
import { commonHeaders, sendCommonHeaders } from "../edge/headers";
import { limitConnections, limitedServer, type Limits } from "../edge/limits";
import { answerWith } from "./host";
import { passEverythingOn, prefixOf, serviceRoutes, type ServiceRoutesOptions } from "./routes";

export async function createServiceServer(
  options: ServiceRoutesOptions,
  limits?: Limits,
): Promise<FastifyInstance> {
  const [world] = options.worlds;
  if (world === undefined) throw new Error("There is nothing to serve.");
  const mount = { service: world.service, prefix: prefixOf(world.environment) };
  const fastify = Fastify({
    ...limitedServer(null, limits),
    // A path that does not decode: the service says that there is no such path.
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
