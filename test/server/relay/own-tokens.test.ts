/** Pages have the relay's own tokens: without one, nothing is sent or counted, and no token is the service's. */
import { fc } from "../../helpers/properties";
import type { FastifyInstance } from "fastify";
import { readTokenResponse } from "../../../src/api/token";
import { createCompany } from "../../../src/server/shared-quota/company";
import { createKnownAnswers } from "../../../src/server/shared-quota/known-answers";
import { createMemoryQuotaStore } from "../../../src/server/shared-quota/quota-store";
import { createMetrics } from "../../../src/server/monitoring/metrics";
import { sendTo } from "../../../src/server/relay/outgoing";
import { memoryStores } from "../../helpers/memory-stores";
import { openRelay } from "../beds";
import { createVirtualClock, type VirtualClock } from "../../helpers/virtual-clock";

interface Left {
  readonly path: string;
  readonly token: string | null;
  readonly consumerId: string | null;
}

const quota = 60;
let clock: VirtualClock;
let fastify: FastifyInstance;
let left: Left[];
let issued: number;
let respond: (request: Request, path: string) => Response | undefined | Promise<Response>;

beforeEach(async () => {
  clock = createVirtualClock();
  [left, issued, respond] = [[], 0, () => undefined];
  const send = sendTo(async (request) => {
    const path = new URL(request.url).pathname;
    const { headers } = request;
    left.push({ path, token: headers.get("authorization"), consumerId: headers.get("wm_consumer.id") });
    const scripted = await respond(request, path);
    if (scripted !== undefined) return scripted;
    if (path !== "/token") return Response.json({ items: [] });
    const isRight = new URLSearchParams(await request.text()).get("client_secret") === "right";
    return isRight
      ? Response.json({ access_token: `service-token-${(issued += 1)}`, expires_in: 900 })
      : Response.json({ error: "invalid_client" }, { status: 401 });
  });
  const [tokenUrl, searchUrl, eventsUrl] = ["token", "search", "events"].map(
    (path) => new URL(`https://s.example/${path}`),
  );
  const addresses = { tokenUrl: tokenUrl!, searchUrl: searchUrl!, eventsUrl: eventsUrl! };
  fastify = await openRelay({
    send,
    targets: ["live", "trial"].map((id) => ({ id, ...addresses })),
    company: createCompany({
      clock,
      quotaStore: createMemoryQuotaStore({ clock, limitOf: () => quota }),
      known: createKnownAnswers({ clock, maxBytes: 0 }),
      observer: createMetrics().company,
    }),
    tokens: memoryStores(clock).tokens,
    clock,
  });
});
afterEach(() => fastify.close());

const exchange = (
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
  environment = "live",
) =>
  fastify.inject({
    method: "POST",
    url: `/relay/${environment}/token`,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    payload: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: "acme",
      client_secret: "right",
      ...fields,
    }).toString(),
  });
const tokenFor = async (...of: Parameters<typeof exchange>) =>
  (await exchange(...of)).json<{ access_token: string }>().access_token;
const events = (headers: Record<string, string>, environment = "live") =>
  fastify.inject({ url: `/relay/${environment}/events?gtin=${Math.random()}`, headers });
const search = (headers: Record<string, string>) =>
  fastify.inject({ method: "POST", url: "/relay/live/search-items", headers, payload: "{}" });
const bearer = (token: string, more: Record<string, string> = {}) => ({
  authorization: `Bearer ${token}`,
  "wm_consumer.id": "acme",
  ...more,
});
const dataCalls = () => left.filter(({ path }) => path !== "/token");

describe("a token of the relay", () => {
  it("is opaque, of 256 bits and new each time, and is replaced by the service's in outgoing calls", async () => {
    const [first, second] = [await tokenFor(), await tokenFor()];
    expect([first, second].map((token) => Buffer.from(token, "base64url").length)).toEqual([32, 32]);
    expect(first).not.toBe(second);
    expect((await events(bearer(first))).statusCode).toBe(200);
    expect((await search(bearer(second))).statusCode).toBe(200);
    expect(dataCalls()).toEqual([
      { path: "/events", token: "Bearer service-token-1", consumerId: "acme" },
      { path: "/search", token: "Bearer service-token-2", consumerId: "acme" },
    ]);
  });

  it("works without a consumer header, for the consumer of its exchange", async () => {
    const { authorization } = bearer(await tokenFor());
    expect((await events({ authorization })).statusCode).toBe(200);
    expect(dataCalls()[0]?.consumerId).toBe("acme");
  });

  it("expires with the service's token", async () => {
    respond = (_request, path) =>
      path === "/token" ? Response.json({ access_token: "short-lived", expires_in: "30" }) : undefined;
    const answer = await exchange();
    const { access_token, expires_in } = answer.json<{ access_token: string; expires_in: number }>();
    expect(expires_in).toBe(30);
    await clock.advance(29_999);
    expect((await events(bearer(access_token))).statusCode).toBe(200);
    await clock.advance(1);
    expect((await events(bearer(access_token))).headers["inv-refusal"]).toBe("token");
  });

  it("is issued for every grant that the add-in would accept, and for no other answer", async () => {
    const printable = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    });
    const life = fc.oneof(fc.integer(), fc.double(), fc.constantFrom("900", "soon", "", null, true, "1e3"));
    const fields = fc.record(
      { access_token: fc.oneof(printable, fc.string(), fc.integer()), expires_in: life, scope: fc.string() },
      { requiredKeys: [] },
    );
    const body = fc.oneof(
      fields.map((it) => JSON.stringify(it)),
      fields.map((it) => `\uFEFF ${JSON.stringify(it)}`),
      fc.json(),
    );
    const status = fc.constantFrom(200, 200, 201, 202, 203, 299);
    await fc.assert(
      fc.asyncProperty(body, status, async (text, code) => {
        respond = () => new Response(text, { status: code });
        const own = await readTokenResponse(new Response(text, { status: code }), {
          maxBytes: 1_000_000,
          secrets: [],
        });
        const answer = await exchange();
        const passed = await readTokenResponse(new Response(answer.body, { status: answer.statusCode }), {
          maxBytes: 1_000_000,
          secrets: [],
        });
        expect(passed.kind).toBe(own.kind);
        if (own.kind !== "granted" || passed.kind !== "granted") return;
        expect(passed.grant.accessToken).toMatch(/^[\w-]{43}$/);
        expect(passed.grant.expiresInSeconds).toBe(own.grant.expiresInSeconds);
      }),
      { numRuns: 200 },
    );
  });
});

describe("without such a token", () => {
  it.each([
    ["none, and a consumer's ID", { "wm_consumer.id": "acme" }],
    ["one that is made up", bearer("A".repeat(43))],
    ["the service's own", bearer("service-token-1")],
    ["another kind", { authorization: "Basic YWNtZTpyaWdodA==", "wm_consumer.id": "acme" }],
  ])(
    "(%s) a call is answered here with a mark, tells nothing of the quota, and costs nothing",
    async (_, headers) => {
      const holder = await tokenFor();
      for (let call = 0; call < 2 * quota; call += 1) {
        const answer = await (call % 2 === 0 ? events(headers) : search(headers));
        expect(answer.statusCode).toBe(401);
        expect(answer.headers["inv-refusal"]).toBe("token");
        expect(answer.headers["inv-quota"]).toBeUndefined();
      }
      expect(dataCalls()).toEqual([]);
      expect((await events(bearer(holder))).headers["inv-quota"]).toBe(`1/${quota}`);
    },
  );

  it.each(["bolt", ""])(
    "calls in the name of %j are refused with a token of another consumer",
    async (named) => {
      const answer = await events(bearer(await tokenFor(), { "wm_consumer.id": named }));
      expect(answer.statusCode).toBe(403);
      expect(answer.headers["inv-quota"]).toBeUndefined();
      expect(dataCalls()).toEqual([]);
    },
  );

  it("a token of one environment isn't valid in another", async () => {
    const token = await tokenFor({}, {}, "trial");
    expect((await events(bearer(token), "trial")).statusCode).toBe(200);
    expect((await events(bearer(token), "live")).headers["inv-refusal"]).toBe("token");
  });
});

it("one caller's odd header doesn't fail colleagues who wait for the same answer", async () => {
  const token = await tokenFor();
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  respond = async ({ headers }) => {
    await gate;
    const isPlain = headers.get("accept") === "application/json" && !headers.has("accept-language");
    return isPlain ? Response.json({ store_nbr: 1234, items: [item] }) : new Response("", { status: 406 });
  };
  const item = { gtin: "00012345678905", data_retrieval_status: "ERROR", reason: "No data found" };
  const payload = '{"item_type":"gtin","store_nbr":1234,"item_type_values":["00012345678905"]}';
  const ask = (headers: Record<string, string>) =>
    fastify.inject({
      method: "POST",
      url: "/relay/live/search-items",
      headers: bearer(token, { "content-type": "application/json", "inv-max-age": "60", ...headers }),
      payload,
    });
  const odd = ask({ accept: "image/webp", "accept-language": "tlh", "accept-charset": "utf-7" });
  const answers = Promise.all([odd, ask({}), ask({})]);
  await clock.advance(100);
  open();
  for (const { statusCode } of await clock.until(answers)) expect(statusCode).toBe(200);
  expect(dataCalls()).toHaveLength(1);
});

describe("a call that the service refuses", () => {
  it("in a token's first seconds leaves the page its token, because the data host may learn of it late", async () => {
    const token = await tokenFor();
    let isLate = true;
    respond = (_request, path) =>
      isLate && path !== "/token" ? Response.json({ details: {} }, { status: 401 }) : undefined;
    const refused = await events(bearer(token));
    expect([refused.statusCode, refused.headers["inv-refusal"]]).toEqual([401, undefined]);
    isLate = false;
    await clock.advance(2_000);
    expect((await events(bearer(token))).statusCode).toBe(200);
  });

  it.each([401, 403])("with %i counts, and the server forgets its token", async (status) => {
    const [token, other] = [await tokenFor(), await tokenFor()];
    respond = (request, path) =>
      path !== "/token" && request.headers.get("authorization")?.endsWith("-1")
        ? Response.json({ details: {} }, { status })
        : undefined;
    await clock.advance(5_001);
    const refused = await events(bearer(token));
    expect([refused.statusCode, refused.headers["inv-refusal"]]).toEqual([status, undefined]);
    expect(refused.headers["inv-quota"]).toBe(`1/${quota}`);
    expect((await events(bearer(token))).headers["inv-refusal"]).toBe("token");
    expect(dataCalls()).toHaveLength(1);
    expect((await events(bearer(other))).headers["inv-quota"]).toBe(`2/${quota}`);
  });

  it.each([400, 404, 429, 500])("with %i keeps its token", async (status) => {
    const token = await tokenFor();
    respond = (_request, path) => (path === "/token" ? undefined : new Response("{}", { status }));
    await events(bearer(token));
    respond = () => undefined;
    await clock.advance(120_000);
    expect((await events(bearer(token))).statusCode).toBe(200);
  });
});

describe("the service's own token", () => {
  const escaped = Buffer.from("service-token-1").toString("hex").replace(/../g, "\\u00$&");

  it.each<[string, (token: string) => Response]>([
    ["in a text", (token) => Response.json({ detail: `Token ${token} has expired` }, { status: 400 })],
    ["in other characters", () => new Response(`{"detail":"${escaped}"}`, { status: 400 })],
    ["in a record", (token) => Response.json({ items: [{ gtin: token }] })],
    ["in a header", (token) => new Response("{}", { status: 429, headers: { "retry-after": token } })],
    [
      "as a type",
      (token) => new Response("{}", { headers: { "content-type": `application/${token}+json` } }),
    ],
    ["on a page", (token) => new Response(`<p>${token}</p>`, { headers: { "content-type": "text/html" } })],
  ])("is in no answer, also when the service repeats it %s", async (_, answer) => {
    const token = await tokenFor();
    respond = () => answer("service-token-1");
    for (const given of [await events(bearer(token)), await search(bearer(token))]) {
      const all = JSON.stringify(given.headers) + given.body;
      expect(all).not.toContain("service-token-1");
      expect(all).not.toContain(escaped);
    }
  });

  it.each([
    ["in another shape than a grant", '{"data":{"access_token":"service-token-1"}}'],
    ["cut off", '{"access_token":"service-token-1'],
    ["as plain text", "access_token=service-token-1"],
  ])("is not passed on when it is issued %s", async (_, text) => {
    respond = () => new Response(text);
    const answer = await exchange();
    expect(answer.body).not.toContain("service-token-1");
    expect(answer.statusCode).toBe(200);
  });
});
