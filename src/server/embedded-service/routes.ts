/**
 * Mounts the embedded service on a Fastify server: for each of its worlds the documented paths, `/demo-data` and `/openapi.json`;
 * Swagger UI at `/docs`; and the fault switches. The sandbox and production have a prefix. Fastify passes all requests to the
 * service unchanged.
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

/** The prefix of a world's paths; empty for the demo and for a stock file. */
export function prefixOf({ id, embedded }: Pick<EmbeddedWorld["environment"], "id" | "embedded">): string {
  return embedded === true ? `/${id}` : "";
}

/** Paths that the service answers, for any method. */
const servicePaths = [tokenPath, "/search-items", "/events", "/demo-data", "/openapi.json"];

/** A Fastify plugin; register it without a prefix. */
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

/** Passes bodies unread, and also requests that Fastify would refuse before a handler runs, for example for their content type. */
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

/** `/docs`: the OpenAPI document in Swagger UI, whose files come from this server. */
async function serviceDocs(fastify: FastifyInstance): Promise<void> {
  await fastify.register(fastifySwagger, {
    mode: "static",
    // The plugin's type wants an older version of OpenAPI, but the page shows 3.1.
    specification: { document: openApiDocument() as never },
  });
  await fastify.register(fastifySwaggerUi, {
    routePrefix: "/docs",
    staticCSP: policy,
    uiConfig: { layout: "BaseLayout", validatorUrl: null, docExpansion: "list", supportedSubmitMethods: [] },
  });
}
