/** The relay forwards three operations and nothing else, with limits in both directions. */
import type { FastifyInstance, FastifyReply } from "fastify";
import type { AnsweredCall } from "../../../src/server/monitoring/metrics";
import { sendTo } from "../../../src/server/relay/outgoing";
import { until } from "../../helpers/until";
import { openRelay } from "../beds";
import { asHolder, clockOf } from "../parts";

describe("the relay", () => {
  let fastify: FastifyInstance;
  let sent: { url: string; method: string; headers: Record<string, string>; body: string }[];
  let answered: AnsweredCall[];
  let reply: FastifyReply;
  let respond: (request: Request) => Promise<Response>;

  beforeEach(async () => {
    sent = [];
    answered = [];
    respond = async () => new Response('{"ok":true}', { headers: { "content-type": "application/json" } });
    let nowMs = 0;
    const send = sendTo(async (request) => {
      sent.push({
        url: request.url,
        method: request.method,
        headers: Object.fromEntries(request.headers),
        body: await request.text(),
      });
      return respond(request);
    });
    fastify = await openRelay({
      send,
      targets: [
        {
          id: "sandbox",
          tokenUrl: new URL("https://auth.example.com/oauth/token"),
          searchUrl: new URL("https://api.example.com/a/search-items"),
          eventsUrl: new URL("https://history.example.com/b/events"),
        },
      ],
      clock: clockOf(() => (nowMs += 5)),
      answered: (call) => answered.push(call),
      maxAnswerBytes: 1000,
      prepare: (relay) =>
        void relay.addHook("onRequest", (_request, each, done) => {
          reply = each;
          done();
        }),
    });
  });
  afterEach(() => fastify.close());

  it("forwards exactly three operations, each to its own configured address", async () => {
    const form = "grant_type=client_credentials&client_id=us&client_secret=s";
    await fastify.inject({
      method: "POST",
      url: "/relay/sandbox/token?more=1",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: form,
    });
    await fastify.inject({
      method: "POST",
      url: "/relay/sandbox/search-items?more=1",
      headers: { ...asHolder, "content-type": "application/json" },
      payload: '{"a":1}',
    });
    await fastify.inject({ url: "/relay/sandbox/events?store_nbr=10&gtin=1%2F2", headers: asHolder });
    expect(sent.map(({ method, url, body }) => [method, url, body])).toEqual([
      ["POST", "https://auth.example.com/oauth/token", form],
      ["POST", "https://api.example.com/a/search-items", '{"a":1}'],
      ["GET", "https://history.example.com/b/events?store_nbr=10&gtin=1%2F2", ""],
    ]);
  });

  it.each([
    ["GET", "/relay/sandbox/token"],
    ["GET", "/relay/sandbox/search-items"],
    ["POST", "/relay/sandbox/events"],
    ["HEAD", "/relay/sandbox/events"],
    ["OPTIONS", "/relay/sandbox/events"],
    ["GET", "/relay/sandbox/events/more"],
    ["GET", "/relay/production/events"],
    ["GET", "/relay/sandbox/..%2f..%2fadmin"],
    ["GET", "/relay/sandbox/https://other.example.com/"],
  ] as const)("sends nothing for %s %s", async (method, url) => {
    const response = await fastify.inject({ method, url });
    expect(response.statusCode).toBe(404);
    expect(sent).toEqual([]);
  });

  it("writes the contract's headers itself, forwards none of the page's, and returns two of the service's", async () => {
    respond = async () =>
      new Response("{}", {
        status: 429,
        headers: {
          "content-type": "application/json",
          "retry-after": "7",
          "set-cookie": "a=b",
          "x-internal": "1",
        },
      });
    const response = await fastify.inject({
      method: "GET",
      url: "/relay/sandbox/events",
      headers: {
        ...asHolder,
        accept: "text/html, application/xml",
        "content-type": "text/plain",
        cookie: "session=1",
        "x-forwarded-host": "evil.example.com",
        "inv-edit": "1",
        "inv-max-age": "60",
        host: "evil.example.com",
      },
    });
    expect(sent[0]?.headers).toEqual({
      authorization: "Bearer token-of-the-service",
      "wm_consumer.id": "us",
      accept: "application/json",
    });
    expect(response.statusCode).toBe(429);
    expect(response.headers["retry-after"]).toBe("7");
    expect(response.headers["set-cookie"]).toBeUndefined();
    expect(response.headers["x-internal"]).toBeUndefined();
  });

  it("stops reading an answer over its limit and reports it", async () => {
    let pulled = 0;
    let cancelled = false;
    respond = async () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            pulled += 1;
            controller.enqueue(new Uint8Array(400));
          },
          cancel() {
            cancelled = true;
          },
        }),
      );
    const response = await fastify.inject({ url: "/relay/sandbox/events", headers: asHolder });
    expect(response.statusCode).toBe(502);
    expect(response.json()).toMatchObject({
      status: 502,
      detail: expect.stringContaining("larger") as string,
    });
    expect(pulled).toBeLessThan(10);
    expect(cancelled).toBe(true);
  });

  it("reports whether the service couldn't be reached or was too slow, without its address", async () => {
    respond = () =>
      Promise.reject(new TypeError("fetch failed", { cause: { code: "ECONNREFUSED", address: "10.0.0.1" } }));
    const refused = await fastify.inject({ url: "/relay/sandbox/events", headers: asHolder });
    respond = () =>
      Promise.reject(new TypeError("fetch failed", { cause: { code: "UND_ERR_HEADERS_TIMEOUT" } }));
    const slow = await fastify.inject({ url: "/relay/sandbox/events", headers: asHolder });
    expect([refused.statusCode, slow.statusCode]).toEqual([502, 504]);
    expect(refused.body).not.toContain("10.0.0.1");
  });

  it("logs a token response without a token as unreadable", async () => {
    await fastify.inject({
      method: "POST",
      url: "/relay/sandbox/token",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: "grant_type=client_credentials&client_id=us&client_secret=s",
    });
    expect(answered).toMatchObject([{ status: 200, failure: { by: "service", code: "unreadable" } }]);
  });

  it("logs id, environment, operation, status and duration of each call, and nothing else", async () => {
    await fastify.inject({
      method: "GET",
      url: "/relay/sandbox/events?gtin=00012345678905",
      headers: asHolder,
    });
    const id = expect.stringMatching(/^[0-9a-f]{12}$/) as string;
    const call = { environment: "sandbox", operation: "events", status: 200, durationMs: 5 };
    expect(answered).toEqual([{ id, ...call, failure: null }]);
  });

  it.each([200, 401])("logs no %i of the service for a call that a stop has answered", async (status) => {
    respond = async () => {
      await reply.code(503).send("The server was stopped.");
      return new Response("{}", { status });
    };
    await fastify.inject({ url: "/relay/sandbox/events", headers: asHolder });
    await until(() => answered.length === 1);
    expect(answered).toMatchObject([{ status: 503, failure: { by: "network", code: "GIVEN_UP" } }]);
  });
});
