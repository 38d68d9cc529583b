/** Calls to a real environment end, whatever the service at the other end does. */
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { relay } from "../../src/server/relay";
import { createUpstream } from "../../src/server/upstream";

const silent: RequestListener = () => undefined;
const breaksOff: RequestListener = (_request, response) => {
  response.write("{", () => response.destroy());
};
const drops: RequestListener = (_request, response) => {
  const timer = setInterval(() => response.write(" "), 20);
  response.once("close", () => clearInterval(timer));
};

describe("the relay before a service", () => {
  let server: Server;
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it.each<[string, RequestListener, number]>([
    ["that is silent says that it was too slow", silent, 504],
    ["that answers drop by drop without end says that it was too slow", drops, 504],
    ["that breaks off in its answer says that it cannot be reached", breaksOff, 502],
  ])("%s", async (_, listener, status) => {
    server = createServer(listener).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const upstream = createUpstream({ answerTimeoutMs: 300, totalTimeoutMs: 900 });
    const fastify = Fastify();
    await fastify.register(relay, {
      targets: [{ id: "trial", tokenUrl: url, searchUrl: url, eventsUrl: url, send: upstream.send }],
      now: Date.now,
      log: null,
    });
    const response = await fastify.inject({
      method: "POST",
      url: "/relay/trial/search-items",
      payload: "{}",
    });
    expect(response.statusCode).toBe(status);
    await fastify.close();
    await upstream.close();
  });
});
