/** Pages' tokens and refused guesses, in memory or in Redis: a token that one server issued is valid at all others. */
import { digestOf } from "../../../src/server/digest";
import { createRedisStore } from "../../../src/server/keyed-store/in-redis";
import { createPageTokens, type PageGrant } from "../../../src/server/relay/page-tokens";
import { createRedisTokenRefusals } from "../../../src/server/relay/redis-token-refusals";
import { createTokenRefusals, type TokenRefusals } from "../../../src/server/relay/token-refusals";
import { createSessions } from "../../../src/server/sign-in/sessions";
import { movedRedis } from "../../helpers/moved-redis";
import { as } from "../../helpers/outcome";
import { wait } from "../../helpers/until";
import { clockOf } from "../parts";
import { bind } from "../../helpers/memory-stores";
import { describeInRedis, describeStores, keyedStores, ofTwoServers } from "../stores";

const holder = { consumerId: "acme", person: "person-1", newcomer: null };
const grant: PageGrant = {
  ...holder,
  serviceToken: "token-of-the-service-ü",
  isBySession: false,
  lifetimeMs: 900_000,
};

describeStores("tokens of pages", (place) => {
  const open = async (most = 10_000) => {
    const [here, there] = await keyedStores(place);
    return [
      createPageTokens({ store: here, bind, most }),
      createPageTokens({ store: there, bind, most }),
    ] as const;
  };

  it("are valid at every server, only in their environment", async () => {
    const [here, there] = await open();
    expect(await here.keep("live", "mine", grant)).toBe("kept");
    const known = { kind: "known", holder, serviceToken: grant.serviceToken };
    expect(await there.find("live", "mine")).toEqual(known);
    expect(await here.find("live", "mine")).toEqual(known);
    expect(await there.find("trial", "mine")).toEqual({ kind: "unknown" });
    expect(await there.find("live", "made-up")).toEqual({ kind: "unknown" });
  });

  it("map to the service's token until they expire, or until the service refuses it at any server", async () => {
    const [here, there] = await open();
    await here.keep("live", "short", { ...grant, lifetimeMs: 50 });
    await here.keep("live", "refused", grant);
    await there.end("live", "refused");
    expect(await here.find("live", "refused")).toEqual({ kind: "ended", holder });
    await wait(60);
    expect(await there.find("live", "short")).toEqual({ kind: "ended", holder });
    await there.end("live", "made-up");
    expect(await here.find("live", "made-up")).toEqual({ kind: "unknown" });
  });

  it("belong to a newcomer for a short time, and then to their own person", async () => {
    const [here, there] = await open();
    await here.keep("live", "mine", { ...grant, newcomer: { name: "newcomers", forMs: 1_000 } });
    const newcomer = { name: "newcomers" };
    expect(await there.find("live", "mine")).toMatchObject({ holder: { person: "person-1", newcomer } });
    await wait(1_010);
    expect(await there.find("live", "mine")).toMatchObject({ holder });
  });

  it("of one consumer evict only that consumer's oldest", async () => {
    const [here, there] = await open(3);
    await here.keep("live", "neighbour", { ...grant, consumerId: "neighbour" });
    for (const token of ["a", "b", "c", "d"]) {
      await there.keep("live", token, grant);
      await wait(2);
    }
    expect((await here.find("live", "a")).kind).toBe("unknown");
    expect((await here.find("live", "b")).kind).toBe("known");
    expect((await here.find("live", "neighbour")).kind).toBe("known");
  });

  it("of one environment evict only that environment's oldest", async () => {
    const [here, there] = await open(3);
    await here.keep("live", "mine", grant);
    for (const token of ["a", "b", "c", "d"]) {
      await there.keep("demo", token, grant);
      await wait(2);
    }
    const kinds = await Promise.all(
      ["a", "b", "d"].map(async (token) => (await here.find("demo", token)).kind),
    );
    expect([...kinds, (await there.find("live", "mine")).kind]).toEqual([
      "unknown",
      "known",
      "known",
      "known",
    ]);
  });

  it("can't be given to another consumer by somebody who writes to the store", async () => {
    const [store] = await keyedStores(place);
    const tokens = createPageTokens({ store, bind });
    await tokens.keep("live", "mine", grant);
    const text = JSON.stringify({ ...holder, consumerId: "bolt", lifetimeMs: 900_000 });
    expect(await store.replace(`token live ${digestOf("mine")}`, { text })).toBe("kept");
    expect(await tokens.find("live", "mine")).toEqual({ kind: "unknown" });
  });

  it("end at every server with the session that opened them", async () => {
    const [here, there] = await keyedStores(place);
    const [opened, found] = [here, there].map((store) => createPageTokens({ store, bind }));
    const sessions = createSessions({ store: here, bind, idleMs: 60_000, totalMs: 60_000 });
    const signedIn = { subject: "jane", name: "Jane", refreshToken: null, mayPublish: false };
    const { text } = as("begun", await sessions.begin("live", signedIn));
    const { person } = as("found", await sessions.find("live", text)).session;
    await opened!.keep("live", "mine", { ...grant, serviceToken: "", person, isBySession: true });
    expect((await found!.find("live", "mine")).kind).toBe("known");
    await sessions.end(person);
    expect((await found!.find("live", "mine")).kind).toBe("ended");
  });
});

describeStores("refused token requests", (place) => {
  const caller = { address: "192.0.2.1", id: "https://s.example/token acme" };
  // Time stands still: on a slow machine a guess would otherwise time out, or be forgotten, before the last one is made.
  const nowMs = 1_795_000_000_000;
  const clock = clockOf(() => nowMs);
  const inProcess = () => createTokenRefusals(clock);
  const open = () =>
    ofTwoServers(place, {
      inProcess,
      inRedis: (redis) =>
        createRedisTokenRefusals({ redis: movedRedis(redis, () => nowMs), clock, own: inProcess() }),
    });

  /** Returns true if the guess reached the service. */
  async function guess(refusals: TokenRefusals, { id = caller.id, wasRefused = true } = {}) {
    const admission = await refusals.admit({ ...caller, id });
    if (admission.kind !== "go") return false;
    await wait(5);
    admission.settle(wasRefused);
    return true;
  }

  it("are at most ten for a client ID at all servers together, even if many guess at once", async () => {
    const servers = await open();
    const guesses = Array.from({ length: 60 }, (_, number) => guess(servers[number % 2 === 0 ? 0 : 1]));
    expect((await Promise.all(guesses)).filter(Boolean)).toHaveLength(10);
    for (const refusals of servers) {
      expect((await refusals.admit(caller)).kind).toBe("refused");
    }
    expect(await guess(servers[1], { id: "another" })).toBe(true);
  });

  it("are at most a hundred for an address with any IDs, and accepted ones don't count", async () => {
    const servers = await open();
    const guesses: boolean[] = [];
    for (let number = 0; number < 120; number += 1) {
      const refusals = servers[number % 2 === 0 ? 0 : 1];
      await guess(refusals, { id: "an office", wasRefused: false });
      guesses.push(await guess(refusals, { id: `made up ${number}` }));
    }
    expect(guesses.indexOf(false)).toBe(100);
    expect(guesses.slice(100)).not.toContain(true);
  });
});

describeInRedis("refused token requests in Redis", (place) => {
  it("name nobody, expire, and are away while Redis is", async () => {
    const redis = await place.connect();
    const refusals = createRedisTokenRefusals({
      redis,
      clock: clockOf(),
      own: createTokenRefusals(clockOf()),
    });
    const admission = await refusals.admit({ address: "192.0.2.77", id: "acme-secret" });
    if (admission.kind === "go") admission.settle(true);
    await refusals.admit({ address: "192.0.2.77", id: "acme-secret" });
    const content = await place.content();
    expect(content).toContain("tries ");
    expect(content).not.toMatch(/192\.0\.2|acme|:-1\b/);
    await redis.close();
    expect(await refusals.admit({ address: "192.0.2.1", id: "acme" })).toEqual({ kind: "away" });
  });
});

describeInRedis("a page's token in Redis", (place) => {
  it("opens nothing to a reader of Redis, and expires", async () => {
    const redis = await place.connect();
    const tokens = createPageTokens({ store: createRedisStore(redis), bind });
    await tokens.keep("live", "the-token-of-a-page", grant);
    const content = await place.content();
    expect(content).toContain("acme");
    for (const secret of ["the-token-of-a-page", "token-of-the-service"]) {
      expect(content).not.toContain(secret);
    }
    expect(content).not.toMatch(/^:-1$/m);
  });

  it("is away while Redis is", async () => {
    const redis = await place.connect();
    await redis.close();
    const tokens = createPageTokens({ store: createRedisStore(redis), bind });
    expect([
      await tokens.keep("live", "mine", grant),
      (await tokens.find("live", "mine")).kind,
      await tokens.end("live", "mine"),
    ]).toEqual(["away", "away", "away"]);
  });
});
