/**
 * Mounts the embedded service on a Fastify server. Each world gets the documented paths, `/demo-data` and
 * `/openapi.json`. The server also gets Swagger UI at `/docs` and the fault switches. The sandbox and
 * production have a path prefix. Fastify passes all requests to the service unchanged.
 */
import fastifySwagger from "@fastify/swagger";
import fastifySwaggerUi from "@fastify/swagger-ui";
import type { FastifyError, FastifyInstance } from "fastify";
import { openApiDocument } from "../../embedded-service/openapi";
import { tokenPath } from "../../embedded-service/service";
import type { EmbeddedWorld } from "../embedded";
import { addFaultRoutes, type FaultRoutesOptions } from "./faults";
import { answerWith, type Mount } from "./host";

export interface ServiceRoutesOptions extends FaultRoutesOptions {
  readonly worlds: readonly EmbeddedWorld[];
}

/** Returns the prefix of a world's paths, which is empty for the demo and for a stock file. */
export function prefixOf({ id, embedded }: Pick<EmbeddedWorld["environment"], "id" | "embedded">): string {
  return embedded === true ? `/${id}` : "";
}

const servicePaths = [tokenPath, "/search-items", "/events", "/demo-data", "/openapi.json"];

/** A Fastify plugin. Register it without a prefix. */
export async function serviceRoutes(fastify: FastifyInstance, options: ServiceRoutesOptions): Promise<void> {
  await fastify.register(serviceDocs);
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

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves the OpenAPI document in Swagger UI at `/docs`, with all files from this server. */
async function serviceDocs(fastify: FastifyInstance): Promise<void> {
  await fastify.register(fastifySwagger, {
    mode: "static",
    // The plugin's type requires an older version of OpenAPI, but the page supports 3.1.
    specification: { document: openApiDocument() as never },
  });
  await fastify.register(fastifySwaggerUi, {
    routePrefix: "/docs",
    staticCSP: policy,
    uiConfig: { layout: "BaseLayout", validatorUrl: null, docExpansion: "list", supportedSubmitMethods: [] },
  });
}
