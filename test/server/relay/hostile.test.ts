/** Nothing that a hostile or broken service sends through the relay becomes a page of this server. */
import type { FastifyInstance } from "fastify";
import { sendTo } from "../../../src/server/relay/outgoing";
import { openRelay } from "../beds";
import { asHolder } from "../parts";

const script = "<!doctype html><script>alert(document.domain)</script>";

/** Types that a browser would show, run, apply as style or guess about, and some invalid types. */
const dangerous = [
  "text/html",
  "text/html; charset=utf-7",
  "TEXT/HTML",
  "application/xhtml+xml",
  "application/xml",
  "text/xml",
  "image/svg+xml",
  "text/javascript",
  "application/javascript",
  "text/css",
  "text/plain",
  "application/pdf",
  "application/wasm",
  "multipart/x-mixed-replace; boundary=x",
  "application/octet-stream",
  "application/json, text/html",
  "text/html, application/json",
  "application/json-seq",
  "text/json",
  "application/xhtml+xml;x=+json",
  "*/*",
  "",
];

describe("the relay with a hostile service", () => {
  let fastify: FastifyInstance;
  let respond: () => Response;

  beforeAll(async () => {
    fastify = await openRelay({ send: sendTo(async () => respond()), maxAnswerBytes: 1000 });
  });
  afterAll(() => fastify.close());

  const ask = () => fastify.inject({ url: "/relay/live/events", headers: asHolder });
  const answerWith = (type: string, status = 200) => {
    const headers: Record<string, string> = type === "" ? {} : { "content-type": type };
    respond = () => new Response(Buffer.from(script), { status, headers });
  };

  it.each([
    ["7", "7"],
    ["Sat, 21 Nov 2026 12:00:00 GMT", "Sat, 21 Nov 2026 12:00:00 GMT"],
    ["token-of-the-service", undefined],
    ["7; token-of-the-service", undefined],
  ])("turns the Retry-After '%s' into %s", async (said, passed) => {
    respond = () => new Response("{}", { status: 404, headers: { "retry-after": said } });
    expect((await ask()).headers["retry-after"]).toBe(passed);
  });

  it.each(dangerous)("returns '%s' as plain text with any status", async (type) => {
    for (const status of [200, 400, 404, 502]) {
      answerWith(type, status);
      const { statusCode, headers, body } = await ask();
      expect([statusCode, headers["content-type"], body]).toEqual([
        status,
        "text/plain; charset=utf-8",
        script,
      ]);
    }
  });

  it.each([
    ["application/json; charset=utf-8", "application/json"],
    ["Application/JSON", "application/json"],
    ["application/problem+json", "application/problem+json"],
  ])("passes '%s' on as %s", async (type, passed) => {
    answerWith(type);
    expect((await ask()).headers["content-type"]).toBe(passed);
  });

  it("marks every answer, including its own refusals: no sniffing, scripts, frames, caching or other sites", async () => {
    answerWith("application/json");
    const passed = await ask();
    answerWith("text/html");
    const text = await ask();
    const refused = await fastify.inject({
      url: "/relay/live/events",
      headers: { "sec-fetch-site": "cross-site" },
    });
    const unknown = await fastify.inject({ url: "/relay/live/events" });
    const tooLarge = await fastify.inject({
      method: "POST",
      url: "/relay/live/token",
      payload: "x".repeat(70_000),
    });
    respond = () => new Response("x".repeat(2000));
    const cut = await ask();
    respond = () => {
      throw new TypeError("fetch failed");
    };
    const failed = await ask();
    const all = [passed, text, refused, unknown, tooLarge, cut, failed];
    expect(all.map(({ statusCode }) => statusCode)).toEqual([200, 200, 403, 401, 413, 502, 502]);
    for (const { headers } of all) {
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
        "cross-origin-resource-policy": "same-origin",
        "cache-control": "no-store",
      });
    }
  });
});
