/**
 * `/docs`: the OpenAPI document as a page for people, by Swagger UI's own plugin. Its files come from this
 * server, so that the page needs no network.
 */
import fastifySwagger from "@fastify/swagger";
import fastifySwaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { openApiDocument } from "../../embedded-service/openapi";

/** Scripts and styles are the server's own and never inline. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export async function serviceDocs(fastify: FastifyInstance): Promise<void> {
  await fastify.register(fastifySwagger, {
    mode: "static",
    // The plugin's type asks for an older document; the page shows 3.1 as well.
    specification: { document: openApiDocument() as never },
  });
  await fastify.register(fastifySwaggerUi, {
    routePrefix: "/docs",
    staticCSP: policy,
    uiConfig: { layout: "BaseLayout", validatorUrl: null, docExpansion: "list", supportedSubmitMethods: [] },
  });
}
