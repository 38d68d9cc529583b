/** Two configurations that share a Redis, its prefix and an environment's id, but send calls to different addresses. */
import { bindTo } from "../../src/server/environments";
import { createRedisStore } from "../../src/server/keyed-store/in-redis";
import { createPageTokens } from "../../src/server/relay/page-tokens";
import { settingsSchema } from "../../src/server/settings/schema";
import { createPendingSignIns } from "../../src/server/sign-in/pending-sign-ins";
import { createSessions } from "../../src/server/sign-in/sessions";
import { expectKind } from "../helpers/outcome";
import { challengeOf } from "../helpers/provider";
import { describeInRedis } from "./stores";

const verifier = "v".repeat(43);
const grant = {
  consumerId: "acme",
  person: "person-1",
  serviceToken: "token-of-the-service",
  isBySession: false,
  group: "us",
  replaces: null,
  lifetimeMs: 900_000,
};
const signedIn = { subject: "s-jane", name: "Jane", refreshToken: "refresh-me", mayPublish: false };

function configOf(host: string, issuer = "https://login.example") {
  const environment = {
    ...{ id: "production", label: "Production", kind: "production", credentials: "server" },
    tokenUrl: "https://auth.example/token",
    searchUrl: `${host}/search-items`,
    eventsUrl: `${host}/events`,
  };
  const allow = { claim: "groups", values: ["inv-users"] };
  const signIn = {
    label: "ACME",
    address: "https://inv.example",
    issuer,
    clientId: "inv",
    secret: "env:PATH",
    allow,
  };
  return settingsSchema.parse({ environments: [environment], signIn });
}

describeInRedis("tokens, sessions and sign-ins of another configuration", (place) => {
  const open = async (host: string, provider = "https://login.example") => {
    const at = {
      store: createRedisStore(await place.connect()),
      bind: bindTo(configOf(host, provider)),
    };
    const lasts = { idleMs: 3_600_000, totalMs: 3_600_000 };
    return {
      tokens: createPageTokens(at),
      sessions: createSessions({ ...at, ...lasts }),
      flows: createPendingSignIns(at),
    };
  };

  it.each([
    ["with other addresses", "https://elsewhere.example", "https://login.example"],
    ["with another provider", "https://service.example", "https://login.elsewhere.example"],
  ])("%s can't be used", async (_title, host, provider) => {
    const own = await open("https://service.example");
    const [colleague, other] = [await open("https://service.example"), await open(host, provider)];
    await own.tokens.keep("production", "page-token", grant);
    const { text } = expectKind("begun", await own.sessions.begin("production", signedIn));
    const browser = "the-cookie-of-the-browser";
    const flow = {
      environment: "production",
      challenge: challengeOf(verifier),
      via: "popup" as const,
      nonce: "nonce",
      codeVerifier: "code-verifier",
      prompt: null,
    };
    const { code } = expectKind("offered", await own.flows.offer(flow, signedIn));
    const begun = expectKind("begun", await own.flows.begin(flow, browser));
    const again = expectKind("begun", await own.flows.begin({ ...flow, nonce: "another" }, browser));

    expect((await other.tokens.find("production", "page-token")).kind).toBe("unknown");
    expect((await other.sessions.find("production", text)).kind).toBe("unknown");
    expect((await other.flows.take("production", code, verifier)).kind).toBe("unknown");
    expect((await other.flows.back(begun.state, browser)).kind).toBe("unknown");

    expect((await colleague.tokens.find("production", "page-token")).kind).toBe("known");
    const { session } = expectKind("found", await colleague.sessions.find("production", text));
    expect(session.refreshToken).toBe("refresh-me");
    expect((await colleague.flows.take("production", code, verifier)).kind).toBe("taken");
    expect((await colleague.flows.back(again.state, browser)).kind).toBe("back");
  });

  it("can't be opened even if somebody renames them in Redis", async () => {
    const redis = await place.connect();
    const own = bindTo(configOf("https://service.example"));
    const other = bindTo(configOf("https://elsewhere.example"));
    const renamed: typeof redis = {
      ...redis,
      send: (commands) => {
        const forged = (key: string) => key.replace(other("production"), own("production"));
        return redis.send(commands.map(([name, keys, ...rest]) => [name, keys.map(forged), ...rest]));
      },
    };
    const kept = createPageTokens({ store: createRedisStore(redis), bind: own });
    await kept.keep("production", "page-token", grant);
    const tokens = createPageTokens({ store: createRedisStore(renamed), bind: other });
    expect(await tokens.find("production", "page-token")).toEqual({ kind: "unknown" });
  });
});
