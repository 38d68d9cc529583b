/**
 * Mounts the embedded service on a Fastify server: its documented paths, `/demo-data`, `/openapi.json`,
 * the human page of that document at `/docs` (its files come from the server itself), and the fault
 * switches. Whatever a caller sends is passed to the service as it came; Fastify judges nothing.
 */
import type { FastifyError, FastifyInstance } from "fastify";
import { type Service, tokenPath } from "../../embedded-service/service";
import { serviceDocs } from "./docs";
import { addFaultRoutes, type FaultRoutesOptions } from "./faults";
import { answerWith } from "./host";

export interface ServiceRoutesOptions extends FaultRoutesOptions {
  readonly service: Service;
}

/** Paths that the service answers itself, whatever the method. */
const servicePaths = [tokenPath, "/search-items", "/events", "/demo-data", "/openapi.json"];

/** A Fastify plugin; register it without a prefix. */
export async function serviceRoutes(fastify: FastifyInstance, options: ServiceRoutesOptions): Promise<void> {
  await fastify.register(serviceDocs);
  await fastify.register((inner, _options, done) => {
    passEverythingOn(inner, options.service);
    for (const path of servicePaths) {
      inner.all(path, (request, reply) => answerWith(options.service, request, reply));
    }
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
