/**
 * Mounts the embedded service on a Fastify server. Each world gets the documented paths, `/demo-data` and
 * `/openapi.json`. The server also gets the fault switches. The sandbox and production have a path prefix. Fastify passes all
 * requests to the service unchanged.
 */
import type { FastifyError, FastifyInstance } from "fastify";
import { tokenPath } from "../../embedded-service/service";
import { type Embedded, type EmbeddedWorld, offeredWorlds } from "../embedded";
import { addFaultRoutes, type FaultRoutesOptions } from "./fault-routes";
import { answerWith, type Mount } from "./host";

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
