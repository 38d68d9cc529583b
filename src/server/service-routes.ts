/**
 * Mounts the embedded service on a Fastify server: its documented paths, `/demo-data`, `/openapi.json`,
 * the human page of that document at `/docs` (its files come from the server itself), and the fault
 * switches. Whatever a caller sends is passed to the service as it came; Fastify judges nothing.
 */
import fastifySwagger from "@fastify/swagger";
import fastifySwaggerUi from "@fastify/swagger-ui";
import type { FastifyError, FastifyInstance } from "fastify";
import { openApiDocument } from "../service/openapi";
import { tokenPath } from "../service/service";
import type { Service } from "../service/service";
import { addFaultRoutes } from "./service-faults";
import type { FaultRoutesOptions } from "./service-faults";
import { answerWith } from "./service-host";

export interface ServiceRoutesOptions extends FaultRoutesOptions {
  readonly service: Service;
}

/** Paths that the service answers itself, whatever the method. */
export const servicePaths = [tokenPath, "/search-items", "/events", "/demo-data", "/openapi.json"];

/** The page's scripts and styles are the server's own; its style attributes need `unsafe-inline`. */
const docsPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A Fastify plugin; register it without a prefix. */
export async function serviceRoutes(fastify: FastifyInstance, options: ServiceRoutesOptions): Promise<void> {
  await fastify.register(fastifySwagger, {
    mode: "static",
    specification: { document: openApiDocument() as never },
  });
  await fastify.register(fastifySwaggerUi, {
    routePrefix: "/docs",
    staticCSP: docsPolicy,
    uiConfig: { validatorUrl: null, docExpansion: "list", supportedSubmitMethods: [] },
  });
  await fastify.register((inner, _options, done) => {
    passEverythingOn(inner, options.service);
    for (const path of servicePaths)
      inner.all(path, (request, reply) => answerWith(options.service, request, reply));
    addFaultRoutes(inner, options);
    done();
  });
}

/**
 * Bodies reach the handlers unread, and what Fastify refuses before a handler runs (a content type that
 * is none) goes to the service all the same.
 */
export function passEverythingOn(fastify: FastifyInstance, service: Service): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
  fastify.setErrorHandler((error: FastifyError, request, reply) =>
    (error.statusCode ?? 500) < 500
      ? answerWith(service, request, reply)
      : reply.code(500).send({ error: "The server failed. Try again later." }),
  );
}
