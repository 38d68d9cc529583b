/** Sessions and sign-ins in progress, in memory or in Redis: what begins at one server is valid at all others, once and for a limited time. */
import { randomBytes } from "node:crypto";
import { createRedisStore } from "../../../src/server/keyed-store/in-redis";
import { createPendingSignIns, type PendingSignIn } from "../../../src/server/sign-in/pending-sign-ins";
import { createSessions } from "../../../src/server/sign-in/sessions";
import { expectKind } from "../../helpers/outcome";
import { challengeOf } from "../../helpers/provider";
import { until, wait } from "../../helpers/until";
import { bind } from "../../helpers/memory-stores";
import { describeInRedis, describeStores, keyedStores } from "../stores";

const jane = { subject: "s-jane", name: "Jane Dœ", refreshToken: "refresh-me", mayPublish: false };
const joe = { subject: "s-joe", name: "Joe", refreshToken: null, mayPublish: false };
const verifier = randomBytes(32).toString("base64url");
const pending: PendingSignIn = {
  environment: "production",
  challenge: challengeOf(verifier),
  via: "popup",
  nonce: "the-nonce",
  codeVerifier: "the-code-verifier",
  prompt: null,
};

describeStores("sessions", (place) => {
  const lasts = { idleMs: 60_000, totalMs: 3_600_000 };
  const open = async (changes = {}) => {
    const [here, there] = await keyedStores(place);
    const options = { bind, ...lasts, ...changes };
    return [
      createSessions({ store: here, ...options }),
      createSessions({ store: there, ...options }),
    ] as const;
  };

  it("created at one server are found at another, only in their environment and by their text", async () => {
    const [here, there] = await open();
    const { text } = expectKind("begun", await here.begin("production", jane));
    const { session } = expectKind("found", await there.find("production", text));
    expect(session).toMatchObject({ environment: "production", ...jane });
    expect(session.endsInMs).toBeLessThanOrEqual(3_600_000);
    expect(session.endsInMs).toBeGreaterThan(3_590_000);
    expect((await there.find("sandbox", text)).kind).toBe("unknown");
    expect((await there.find("production", session.person)).kind).toBe("unknown");
  });

  it("end at every server for good, and name their person", async () => {
    const [here, there] = await open();
    const { text } = expectKind("begun", await here.begin("production", joe));
    const { person } = expectKind("found", await here.find("production", text)).session;
    expect(expectKind("ended", await there.end(person)).session).toMatchObject({ person, name: "Joe" });
    expect((await here.find("production", text)).kind).toBe("unknown");
    expect((await here.end(person)).kind).toBe("unknown");
    expect(await there.list()).toEqual({ kind: "listed", sessions: [] });
  });

  it("end when unused, and not while they are used", async () => {
    const idleMs = 1_500;
    const [here, there] = await open({ idleMs, totalMs: 3_600_000 });
    const find = async (text: string) => (await there.find("production", text)).kind;
    let found: string[] = [];
    // If this process stands still for so long, both sessions are unused, and two others begin.
    for (let longestGapMs = Infinity; longestGapMs >= idleMs;) {
      longestGapMs = 0;
      let usedAfterMs = performance.now();
      const used = expectKind("begun", await here.begin("production", jane)).text;
      const unused = expectKind("begun", await here.begin("production", joe)).text;
      const { person } = expectKind("found", await here.find("production", unused)).session;
      let usedLast = "";
      // Listing isn't a use. A session that is still there after ten times as long never ends.
      await until(async () => {
        const lastUsedAfterMs = usedAfterMs;
        usedAfterMs = performance.now();
        usedLast = await find(used);
        longestGapMs = Math.max(longestGapMs, performance.now() - lastUsedAfterMs);
        const { sessions } = expectKind("listed", await there.list());
        const listed = sessions.find((session) => session.person === person);
        return listed === undefined || listed.usedAgoMs > 15_000;
      });
      found = [usedLast, await find(unused)];
    }
    expect(found).toEqual(["found", "unknown"]);
  });

  it("end after their total time, however much they are used", async () => {
    const [here, there] = await open({ idleMs: 3_600_000, totalMs: 300 });
    const { text } = expectKind("begun", await here.begin("production", jane));
    const startedAtMs = performance.now();
    let found = "";
    await until(async () => {
      found = (await there.find("production", text)).kind;
      return found === "unknown" || performance.now() > startedAtMs + 15_000;
    });
    expect(found).toBe("unknown");
    expect(expectKind("listed", await here.list()).sessions).toEqual([]);
  });

  it("are listed without their texts, newest first", async () => {
    const [here, there] = await open();
    const { text } = expectKind("begun", await here.begin("production", jane));
    await wait(5);
    await there.begin("sandbox", joe);
    const { sessions } = expectKind("listed", await here.list());
    expect(sessions.map(({ name }) => name)).toEqual(["Joe", "Jane Dœ"]);
    expect(JSON.stringify(sessions)).not.toContain(text);
    expect(JSON.stringify(sessions)).not.toContain("refresh-me");
  });

  it("are checked by one server at a time, and keep the provider's latest token", async () => {
    const [here, there] = await open();
    const { text } = expectKind("begun", await here.begin("production", jane));
    const { person } = expectKind("found", await here.find("production", text)).session;
    expect(await here.isDue(person, 60_000)).toBe("not-due");
    const asked = await Promise.all([here.isDue(person, 0), there.isDue(person, 0), there.isDue(person, 0)]);
    expect(asked.sort()).toEqual(["due", "not-due", "not-due"]);
    await here.confirm("production", text, { ...jane, refreshToken: "refresh-me-next" });
    const found = expectKind("found", await there.find("production", text));
    expect(found.session.refreshToken).toBe("refresh-me-next");
  });
});

describeStores("the sessions of one person", (place) => {
  it("are at most twenty: the one used least recently ends, and none of a colleague", async () => {
    const [here] = await keyedStores(place);
    const sessions = createSessions({ store: here, bind, idleMs: 60_000, totalMs: 3_600_000 });
    const begin = async (who: typeof jane | typeof joe) =>
      expectKind("begun", await sessions.begin("production", who)).text;
    const colleague = await begin(joe);
    const own: string[] = [];
    for (let begun = 0; begun < 25; begun += 1) {
      own.push(await begin(jane));
      // Uses within one millisecond have no order.
      await wait(2);
    }
    const kinds = [];
    for (const text of own) kinds.push((await sessions.find("production", text)).kind);
    expect(kinds.filter((kind) => kind === "found")).toHaveLength(20);
    expect(kinds.slice(-20)).not.toContain("unknown");
    expect((await sessions.find("production", colleague)).kind).toBe("found");
  });
});

describeStores("sign-ins in progress", (place) => {
  const open = async () => {
    const [here, there] = await keyedStores(place);
    return [
      createPendingSignIns({ store: here, bind }),
      createPendingSignIns({ store: there, bind }),
    ] as const;
  };

  it("return to any server, once, in the browser that started them", async () => {
    const [here, there] = await open();
    const other = { ...pending, nonce: "another" };
    const own = expectKind("begun", await here.begin(pending, "mine"));
    const foreign = expectKind("begun", await here.begin(other, "theirs"));
    expect(await there.back(own.state, "mine")).toEqual({ kind: "back", pending });
    expect(await here.back(own.state, "mine")).toEqual({ kind: "unknown" });
    expect(await there.back(foreign.state, "mine")).toEqual({ kind: "unknown" });
    expect(await here.back(foreign.state, "theirs")).toEqual({ kind: "back", pending: other });
    expect(await here.back("made up", "mine")).toEqual({ kind: "unknown" });
  });

  it("end with a code that works once, at any server and in any spelling, for the pane that started them", async () => {
    const [here, there] = await open();
    const { code } = expectKind("offered", await here.offer(pending, jane));
    const typed = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)}`;
    expect((await there.take("sandbox", code, verifier)).kind).toBe("unknown");
    expect((await there.take("production", code, "another-verifier")).kind).toBe("unknown");
    const both = await Promise.all([
      here.take("production", typed, verifier),
      there.take("production", code, verifier),
    ]);
    expect(both.map(({ kind }) => kind).sort()).toEqual(["taken", "unknown"]);
    expect(both.flatMap((each) => (each.kind === "taken" ? each.signedIn : []))).toEqual([jane]);
  });

  it("tolerate four wrong codes at all servers together, and no fifth", async () => {
    for (const wrong of [4, 5]) {
      const [here, there] = await open();
      const { code } = expectKind("offered", await here.offer(pending, jane));
      for (let tries = 0; tries < wrong; tries += 1) {
        const { kind } = await (tries % 2 === 0 ? here : there).take("production", "AAAAAAAA", verifier);
        expect(kind).toBe("unknown");
      }
      expect((await there.take("production", code, verifier)).kind).toBe(wrong === 4 ? "taken" : "unknown");
    }
  });

  it("return once even if two servers get them at the same time", async () => {
    const [here, there] = await open();
    const browser = "mine";
    const { state } = expectKind("begun", await here.begin(pending, browser));
    const both = await Promise.all([here.back(state, browser), there.back(state, browser)]);
    expect(both.map(({ kind }) => kind).sort()).toEqual(["back", "unknown"]);
  });
});

describeInRedis("a sign-in in Redis", (place) => {
  it("admits nobody who reads it, and expires", async () => {
    const redis = await place.connect();
    const store = createRedisStore(redis);
    const sessions = createSessions({ store, bind, idleMs: 60_000, totalMs: 3_600_000 });
    const pendingSignIns = createPendingSignIns({ store, bind });
    const { text } = expectKind("begun", await sessions.begin("production", jane));
    const browser = "the-cookie-of-the-browser";
    const { state } = expectKind("begun", await pendingSignIns.begin(pending, browser));
    await pendingSignIns.back(state, browser);
    const { code } = expectKind("offered", await pendingSignIns.offer(pending, jane));
    const content = await place.content();
    for (const secret of [
      text,
      state,
      browser,
      code,
      "refresh-me",
      "the-nonce",
      "the-code-verifier",
      verifier,
      pending.challenge,
    ]) {
      expect(content).not.toContain(secret);
    }
    expect(content).toContain("Jane");
    expect(content).not.toMatch(/^:-1$/m);
  });

  it("is gone after Redis was emptied, and away while Redis is", async () => {
    const redis = await place.connect();
    const store = createRedisStore(redis);
    const sessions = createSessions({ store, bind, idleMs: 60_000, totalMs: 3_600_000 });
    const pendingSignIns = createPendingSignIns({ store, bind });
    await redis.close();
    const said = await Promise.all([
      sessions.begin("production", jane),
      sessions.find("production", "text"),
      sessions.end("person"),
      sessions.list(),
      pendingSignIns.begin(pending, "mine"),
      pendingSignIns.back("state", "mine"),
      pendingSignIns.offer(pending, jane),
      pendingSignIns.take("production", "code", verifier),
    ]);
    expect(said).toEqual(said.map(() => ({ kind: "away" })));
    expect([await sessions.isDue("person", 0), await sessions.confirm("production", "text", jane)]).toEqual([
      "away",
      "away",
    ]);
  });
});
