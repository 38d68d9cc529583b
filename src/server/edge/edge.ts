/** What applies to every request of the public server: limits, headers, known hosts, errors, and a stop without losses. */
import type { FastifyError } from "fastify";
import fastifyPlugin from "fastify-plugin";
import { refusal, sendAnswer } from "../answer";
import { drainOnClose } from "./drain";
import { sendCommonHeaders } from "./headers";
import { requireKnownHost } from "./hosts";
import { limitConnections, type Limits } from "./limits";

export const edge = fastifyPlugin<{ readonly limits: Limits }>(async (fastify, { limits }) => {
  const { config, log } = fastify.core;
  limitConnections(fastify, limits);
  drainOnClose(fastify);
  sendCommonHeaders(fastify, { tls: config.tls !== null });
  requireKnownHost(fastify, config);
  fastify.addHook("onError", async (_request, _reply, error) => {
    if ((error.statusCode ?? 500) >= 500) log.error(error, "A request could not be answered.");
    await Promise.resolve();
  });
  // Fastify would send the error's message, which may contain paths of this machine.
  fastify.setErrorHandler((error: FastifyError, _request, reply) =>
    (error.statusCode ?? 500) < 500
      ? reply.send(error)
      : sendAnswer(reply, refusal(500, "INV's server failed. Tell your administrator to look at its log.")),
  );
  await Promise.resolve();
});
