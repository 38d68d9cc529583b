/** Pages' tokens, in memory or in Redis: a token that one server issued is valid at all others. */
import { digestOf } from "../../../src/server/digest";
import { createRedisStore } from "../../../src/server/keyed-store/in-redis";
import { createPageTokens, type PageGrant, type PageTokens } from "../../../src/server/relay/page-tokens";
import { createSessions } from "../../../src/server/sign-in/sessions";
import { expectKind } from "../../helpers/outcome";
import { wait } from "../../helpers/until";
import { bind } from "../../helpers/memory-stores";
import { describeInRedis, describeStores, keyedStores } from "../stores";

const holder = { consumerId: "acme", person: "person-1" };
const grant: PageGrant = {
  ...holder,
  serviceToken: "token-of-the-service-ü",
  isBySession: false,
  group: "us",
  replaces: null,
  lifetimeMs: 900_000,
};

describeStores("tokens of pages", (place) => {
  const open = async (most = 10_000) => {
    const [here, there] = await keyedStores(place);
    return [
      createPageTokens({ store: here, bind, maxTokens: most }),
      createPageTokens({ store: there, bind, maxTokens: most }),
    ] as const;
  };

  it("are valid at every server, only in their environment", async () => {
    const [here, there] = await open();
    expect(await here.keep("live", "mine", grant)).toBe("kept");
    const known = { kind: "known", holder, serviceToken: grant.serviceToken };
    expect(await there.find("live", "mine")).toMatchObject(known);
    expect(await here.find("live", "mine")).toMatchObject(known);
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
    const { text } = expectKind("begun", await sessions.begin("live", signedIn));
    const { person } = expectKind("found", await sessions.find("live", text)).session;
    await opened!.keep("live", "mine", { ...grant, serviceToken: "", person, isBySession: true });
    expect((await found!.find("live", "mine")).kind).toBe("known");
    await sessions.end(person);
    expect((await found!.find("live", "mine")).kind).toBe("ended");
  });
});

describeStores("the number of tokens", (place) => {
  const open = async () => (await keyedStores(place)).map((store) => createPageTokens({ store, bind }));
  const many = async (tokens: PageTokens, count: number, changes: Partial<PageGrant>) => {
    for (let number = 0; number < count; number += 1) {
      await tokens.keep("live", `${changes.group ?? ""} ${number}`, { ...grant, ...changes });
      // In Redis, tokens of one millisecond leave in any order.
      if (number === 0) await wait(2);
    }
  };
  const isKnown = async (tokens: PageTokens, token: string) =>
    (await tokens.find("live", token)).kind === "known";

  it.each([
    ["fifty for a session", 50, false],
    ["500 for an address and consumer", 500, true],
  ])("is at most %s, and the oldest of the same goes", async (_, most, isTyped) => {
    const [here, there] = await open();
    await here!.keep("live", "a colleague's", { ...grant, group: "others" });
    // A session that has ended would end its tokens.
    const changes = { group: "mine", ...(isTyped ? {} : { isBySession: true }) };
    const kindOf = async (token: string) => (await there!.find("live", token)).kind;
    await many(here!, most, changes);
    // In memory, a token that is used is the youngest.
    expect(await kindOf("mine 1")).not.toBe("unknown");
    await here!.keep("live", "one more", { ...grant, ...changes });
    expect(await kindOf("mine 0")).toBe("unknown");
    expect(await kindOf("mine 2")).not.toBe("unknown");
    expect(await isKnown(there!, "a colleague's")).toBe(true);
  });

  it("is counted apart for tokens in use: ever new ones evict only those that were used once", async () => {
    const [here, there] = await open();
    for (const token of ["in use", "used once"]) await here!.keep("live", token, { ...grant, group: "mine" });
    await there!.find("live", "used once");
    for (let use = 0; use < 2; use += 1) await there!.find("live", "in use");
    await wait(20);
    await many(here!, 510, { group: "mine" });
    expect(await isKnown(here!, "in use")).toBe(true);
    expect((await here!.find("live", "used once")).kind).toBe("unknown");
  });

  it("of tokens in use is at most 500 for an address and consumer too", async () => {
    const [here] = await open();
    await many(here!, 1, { group: "mine" });
    for (let number = 0; number <= 500; number += 1) {
      const token = `mine ${number}`;
      await here!.keep("live", token, { ...grant, group: "mine" });
      for (let use = 0; use < 2; use += 1) await here!.find("live", token);
      if (number === 0) await wait(20);
    }
    // The last use is counted in the background, with four requests of the same connection.
    for (let request = 0; request < 10; request += 1) expect(await isKnown(here!, "mine 500")).toBe(true);
    expect((await here!.find("live", "mine 0")).kind).toBe("unknown");
  });

  it("doesn't grow with renewals, and a replaced token is valid for calls on their way", async () => {
    const [here, there] = await open();
    await many(here!, 50, { group: "mine", isBySession: true });
    let before = "mine 49";
    for (let renewal = 0; renewal < 60; renewal += 1) {
      const token = `renewed ${renewal}`;
      await here!.keep("live", token, { ...grant, isBySession: true, group: "mine", replaces: before });
      before = token;
    }
    for (const token of ["mine 0", "mine 48", "renewed 58", "renewed 59"]) {
      expect((await there!.find("live", token)).kind).not.toBe("unknown");
    }
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

  it.each(["garbage", "", "7", "null", "[]", '{"text":"{}"}', '{"text":1,"sealed":"","madeAtMs":"now"}'])(
    "is unknown if its key contains %j, and can be kept again",
    async (garbage) => {
      const redis = await place.connect();
      const tokens = createPageTokens({ store: createRedisStore(redis), bind });
      const name = `token ${bind("live")} ${digestOf("mine")}`;
      await tokens.keep("live", "mine", grant);
      await redis.send([["SET", [name], garbage]]);
      expect((await tokens.find("live", "mine")).kind).toBe("unknown");
      expect(await tokens.end("live", "mine")).toBe("ended");
      expect(await tokens.keep("live", "next", { ...grant, replaces: "mine" })).toBe("kept");
      expect((await tokens.find("live", "next")).kind).toBe("known");
    },
  );

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
