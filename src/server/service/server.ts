/**
 * The embedded service as a server of its own: the same routes as in the main server, and every other
 * path answered by the service as well (its documented 404). What is not even HTTP, or has headers larger
 * than Node reads (16 KB), is refused in the service's problem shape. Opens no port.
 */
import type { Socket } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { answerWith } from "./host";
import { refusalBody } from "./refusal";
import { passEverythingOn, serviceRoutes, type ServiceRoutesOptions } from "./routes";

const maxRequestMs = 120_000;

export async function createServiceServer(options: ServiceRoutesOptions): Promise<FastifyInstance> {
  const { service } = options;
  const fastify = Fastify({
    logger: false,
    forceCloseConnections: true,
    requestTimeout: maxRequestMs,
    clientErrorHandler: (error, socket) => refuseConnection(error, socket),
    // A path that does not decode: the service says that there is no such path.
    frameworkErrors: (_error, request, reply) => void answerWith(service, request, reply),
  });
  passEverythingOn(fastify, service);
  fastify.setNotFoundHandler((request, reply) => answerWith(service, request, reply));
  await fastify.register(serviceRoutes, options);
  return fastify;
}

function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, words] =
    error.code === "HPE_HEADER_OVERFLOW"
      ? [431, "Request Header Fields Too Large"]
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? [408, "Request Timeout"]
        : [400, "Bad Request"];
  const body = refusalBody(status, `${words}.`);
  socket.end(
    `HTTP/1.1 ${status} ${words}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
