/** The number of tokens is limited for each environment separately, and an unavailable store is a regular outcome. */
import type { Company } from "../../../src/server/shared-quota/company";
import { createDataOperations } from "../../../src/server/relay/data-operations";
import { sendTo } from "../../../src/server/relay/outgoing";
import type { PageTokens } from "../../../src/server/relay/page-tokens";
import { createTokenOperation } from "../../../src/server/relay/token-operation";
import { createTokenRefusals } from "../../../src/server/relay/token-refusals";
import { createServerCredentials } from "../../../src/server/sign-in/server-credentials";
import { memoryStores } from "../../helpers/memory-stores";
import { expectKind } from "../../helpers/outcome";
import { createVirtualClock } from "../../helpers/virtual-clock";

const holder = { consumerId: "acme", person: "p" };
const grant = {
  ...holder,
  serviceToken: "s",
  isBySession: false,
  group: "us",
  replaces: null,
  lifetimeMs: 900_000,
};

let left = 0;
const send = sendTo(() => Promise.resolve(Response.json({ access_token: `t0ken-${(left += 1)}` })));
const url = new URL("https://s.example/");
const request = {
  target: {
    id: "live",
    tokenUrl: url,
    searchUrl: url,
    eventsUrl: url,
    authorization: "bearer" as const,
    send,
    tokenAsked: () => undefined,
  },
  address: () => "10.0.0.1",
  query: "",
  signal: new AbortController().signal,
};
const formType = "application/x-www-form-urlencoded";

describe("stored tokens", () => {
  it("map to the service's token until they expire, and to a person for another minute", async () => {
    const clock = createVirtualClock();
    const { tokens } = memoryStores(clock);
    await tokens.keep("live", "mine", grant);
    await clock.advance(899_999);
    expect(await tokens.find("live", "mine")).toMatchObject({ kind: "known", serviceToken: "s" });
    await clock.advance(1);
    expect(await tokens.find("live", "mine")).toEqual({
      kind: "ended",
      holder,
    });
    await clock.advance(60_000);
    expect(await tokens.find("live", "mine")).toEqual({ kind: "unknown" });
  });
});

describe("two workbooks of one session", () => {
  it("are one person in the quota, and another session is another person", async () => {
    const clock = createVirtualClock();
    const { sessions, tokens } = memoryStores(clock);
    const serviceToken = { kind: "valid", serviceToken: "s" } as const;
    const serverCredentials = createServerCredentials({
      environment: "live",
      consumerId: "acme",
      sessions,
      provider: { recheck: () => Promise.reject(new Error("asked")) },
      token: {
        current: () => Promise.resolve(serviceToken),
        refused: () => undefined,
        worked: () => undefined,
      },
      clock,
      onPutOut: () => undefined,
      warn: () => undefined,
    });
    const turns: string[] = [];
    const turn: Company["search"] = ({ asker }) => {
      turns.push(asker.person);
      return Promise.resolve(null);
    };
    const { search } = createDataOperations({
      tokens,
      company: { search: turn, events: turn },
      maxAnswerBytes: 1_000,
    });
    const refusals = createTokenRefusals(clock);
    const exchange = createTokenOperation({ tokens, refusals, maxAnswerBytes: 1_000 });
    const workbookOf = async (session: string) => {
      const form = { ...request, target: { ...request.target, serverCredentials } };
      const body = Buffer.from(`grant_type=session&session=${session}`);
      const answer = await exchange({ ...form, body, header: () => formType });
      const { access_token } = JSON.parse(answer.body.toString()) as { access_token: string };
      const header = (name: string) => (name === "authorization" ? `Bearer ${access_token}` : undefined);
      return () => search({ ...form, body: Buffer.from("{}"), header });
    };
    const jane = { subject: "s-jane", name: "Jane", refreshToken: null, mayPublish: false };
    const [first, second] = [await sessions.begin("live", jane), await sessions.begin("live", jane)];
    const texts = [first, first, second].map((begun) => expectKind("begun", begun).text);
    for (const text of texts) await (await workbookOf(text))();
    expect(turns).toHaveLength(3);
    expect(turns[1]).toBe(turns[0]);
    expect(turns[2]).not.toBe(turns[0]);
  });
});

describe("a store of tokens that is away", () => {
  const away: PageTokens = {
    keep: () => Promise.resolve("away"),
    find: () => Promise.resolve({ kind: "away" }),
    end: () => Promise.resolve("away"),
  };

  it("lets no call leave, and answers with a retry time instead of a token fault", async () => {
    const unasked = () => Promise.reject(new Error("asked"));
    const company: Company = { search: unasked, events: unasked };
    const { search } = createDataOperations({ tokens: away, company, maxAnswerBytes: 1_000 });
    const answer = await search({ ...request, body: Buffer.from("{}"), header: () => "Bearer mine" });
    const headers = { "retry-after": "5", "inv-refusal": "redis", "inv-wait-ms": "5000" };
    expect(answer).toMatchObject({ status: 429, headers });
  });

  it("issues no token, and never the service's", async () => {
    const exchange = createTokenOperation({
      tokens: away,
      refusals: createTokenRefusals(createVirtualClock()),
      maxAnswerBytes: 1_000,
    });
    const answer = await exchange({
      ...request,
      body: Buffer.from("grant_type=client_credentials&client_id=acme&client_secret=s"),
      header: (name) => (name === "content-type" ? formType : undefined),
    });
    expect([answer.status, answer.headers["inv-refusal"]]).toEqual([429, "redis"]);
    expect(answer.body.toString()).not.toContain("t0ken");
  });
});
