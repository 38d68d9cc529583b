/**
 * `/docs`: the OpenAPI document as a page for people. The viewer is Swagger UI's own built files, taken
 * from the package of its Fastify plugin and served from this server, so that the page needs no network.
 * The plugin itself is not used: it loads a module that only newer releases of Node 20 can load.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

/** Scripts are the server's own and never inline; the viewer sets style attributes. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>The embedded service</title>
    <link rel="stylesheet" href="/docs/viewer/swagger-ui.css" />
    <link rel="icon" type="image/png" sizes="32x32" href="/docs/viewer/favicon-32x32.png" />
  </head>
  <body>
    <main id="viewer"></main>
    <script src="/docs/viewer/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const script = `SwaggerUIBundle({
  url: "/openapi.json",
  domNode: document.getElementById("viewer"),
  deepLinking: true,
  validatorUrl: null,
  supportedSubmitMethods: [],
});
`;

const viewerFiles = ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"];

export async function serviceDocs(fastify: FastifyInstance): Promise<void> {
  await fastify.register(fastifyStatic, { root: viewerFolder(), serve: false });
  fastify.addHook("onSend", async (_request, reply) => {
    reply.header("content-security-policy", policy).header("x-content-type-options", "nosniff");
    await Promise.resolve();
  });
  for (const path of ["/docs", "/docs/"])
    fastify.get(path, (_request, reply) => reply.type("text/html; charset=utf-8").send(page));
  fastify.get("/docs/start.js", (_request, reply) =>
    reply.type("text/javascript; charset=utf-8").send(script),
  );
  for (const name of viewerFiles)
    fastify.get(`/docs/viewer/${name}`, (_request, reply) => reply.sendFile(name));
}

/**
 * The nearest installed copy, looked for upwards as Node does. (The bundler does not leave a call of
 * `require.resolve` alone, so Node cannot be asked.)
 */
function viewerFolder(): string {
  let folder = __dirname;
  for (;;) {
    const found = join(folder, "node_modules", "@fastify", "swagger-ui", "static");
    if (existsSync(found)) return found;
    const parent = dirname(folder);
    if (parent === folder)
      throw new Error("The package @fastify/swagger-ui is not installed. Run npm install and start again.");
    folder = parent;
  }
}
