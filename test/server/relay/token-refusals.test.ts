/** Guessing secrets through the relay ends after ten refusals a minute. Accepted callers never notice. */
import type { FastifyInstance } from "fastify";
import { sendTo } from "../../../src/server/relay/outgoing";
import { fc } from "../../helpers/properties";
import { openRelay } from "../beds";
import { clockOf } from "../parts";
import {
  createTokenRefusals,
  type TokenCaller,
  type TokenRefusals,
} from "../../../src/server/relay/token-refusals";
import { createVirtualClock, type VirtualClock } from "../../helpers/virtual-clock";

describe("token requests through the relay", () => {
  let fastify: FastifyInstance;
  let sent: number;
  let sentHeaders: Record<string, string>;
  let nowMs: number;
  let refusedStatus: number;
  /** Answers wait for this promise. */
  let gate: Promise<void>;

  beforeEach(async () => {
    [sent, sentHeaders, nowMs, refusedStatus, gate] = [0, {}, 0, 401, Promise.resolve()];
    const send = sendTo(async (request) => {
      sent += 1;
      sentHeaders = Object.fromEntries(request.headers);
      const body = await request.text();
      await gate;
      const isRight = new URLSearchParams(body).get("client_secret") === "right";
      return Response.json({ access_token: "t" }, { status: isRight ? 200 : refusedStatus });
    });
    fastify = await openRelay({ send, clock: clockOf(() => nowMs) });
  });
  afterEach(() => fastify.close());

  const ask = async (secret: string, { id = "company", from = "10.0.0.1" } = {}) =>
    fastify.inject({
      method: "POST",
      url: "/relay/live/token",
      remoteAddress: from,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: `grant_type=client_credentials&client_id=${id}&client_secret=${secret}`,
    });
  it("are forwarded without the page's own headers, even one with credentials", async () => {
    const answer = await fastify.inject({
      method: "POST",
      url: "/relay/live/token",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        authorization: `Basic ${Buffer.from("company:guessed").toString("base64")}`,
        "proxy-authorization": "Basic Z3Vlc3NlZA==",
        cookie: "session=1",
      },
      payload: "grant_type=client_credentials&client_id=mine&client_secret=right",
    });
    expect(answer.statusCode).toBe(200);
    expect(sentHeaders).toEqual({
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
    });
  });

  it("of one address are refused by the relay after a hundred refusals, and another address's aren't", async () => {
    for (let id = 0; id < 100; id += 1) await ask("wrong", { id: `made-up-${id}` });
    const refused = await ask("right", { id: "another" });
    expect([refused.statusCode, refused.headers["retry-after"], sent]).toEqual([429, "60", 100]);
    expect((await ask("right", { from: "10.0.0.2" })).statusCode).toBe(200);
  });

  it("from all addresses of one IPv6 network count together", async () => {
    for (let host = 1; host <= 12; host += 1) await ask("wrong", { from: `2001:db8:0:7::${host}` });
    expect(sent).toBe(10);
    expect((await ask("right", { from: "2001:db8:0:8::1" })).statusCode).toBe(200);
  });

  const statuses = async (asked: ReturnType<typeof ask>[]) =>
    (await Promise.all(asked)).map(({ statusCode }) => statusCode);
  const times = (count: number, status: number) => Array.from({ length: count }, () => status);

  it("are refused by the relay itself after ten refusals, until a minute has passed", async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) expect((await ask("wrong")).statusCode).toBe(401);
    nowMs = 20_000;
    const refused = await ask("right");
    expect([refused.statusCode, refused.headers["retry-after"], sent]).toEqual([429, "40", 10]);
    nowMs = 60_001;
    expect((await ask("right")).statusCode).toBe(200);
  });

  it.each([400, 401, 403])("count when the service refuses with %i", async (status) => {
    refusedStatus = status;
    await statuses(Array.from({ length: 20 }, () => ask("wrong")));
    expect(sent).toBe(10);
  });

  it("do not count when the service is down or busy", async () => {
    for (const status of [429, 500, 503]) {
      refusedStatus = status;
      for (let attempt = 0; attempt < 10; attempt += 1) await ask("wrong");
    }
    expect(sent).toBe(30);
  });

  it("are counted by address and client ID", async () => {
    for (let attempt = 0; attempt < 11; attempt += 1) await ask("wrong");
    expect((await ask("right", { from: "10.0.0.2" })).statusCode).toBe(200);
    expect((await ask("right", { id: "another" })).statusCode).toBe(200);
    expect((await ask("right")).statusCode).toBe(429);
  });

  it("count together for any spelling of the client ID", async () => {
    const spellings = ["company", "Company", "COMPANY", "company+", "++company", "%09company%20"];
    const guesses = spellings.flatMap((id) => Array.from({ length: 5 }, () => id));
    for (const id of guesses) await ask("wrong", { id });
    expect(sent).toBe(10);
  });

  it("of a whole office are all accepted, and at most ten are sent at once", async () => {
    let open = (): void => undefined;
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const asked = Array.from({ length: 40 }, () => ask("right"));
    while (sent < 10) await new Promise((resolve) => setImmediate(resolve));
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toBe(10);
    open();
    expect(await statuses(asked)).toEqual(times(40, 200));
  });
});

describe("of token requests", () => {
  const first = { address: "10.0.0.1", id: "company" };
  let clock: VirtualClock;
  let refusals: TokenRefusals;
  beforeEach(() => {
    clock = createVirtualClock();
    refusals = createTokenRefusals(clock);
  });

  /** Returns true if the guess reached the service. */
  async function guess(caller: TokenCaller): Promise<boolean> {
    const admission = await refusals.admit(caller);
    if (admission.kind !== "go") return false;
    await new Promise((resolve) => setImmediate(resolve));
    admission.settle(true);
    return true;
  }

  it("an office of forty behind one address isn't delayed if each person is wrong twice within a minute", async () => {
    for (let person = 0; person < 40; person += 1) {
      const caller = { ...first, id: `their own ${person}` };
      expect([await guess(caller), await guess(caller)]).toEqual([true, true]);
      const right = await refusals.admit(caller);
      expect(right.kind).toBe("go");
      if (right.kind === "go") right.settle(false);
    }
  });

  it("guesses are remembered after any number of other IDs", async () => {
    for (let time = 0; time < 10; time += 1) await guess(first);
    for (let id = 0; id < 10_100; id += 1) await guess({ ...first, id: `made up ${id}` });
    await clock.advance(59_000);
    expect((await refusals.admit(first)).kind).toBe("refused");
    for (let id = 0; id < 99; id += 1) await guess({ address: "10.0.0.2", id: `made up ${id}` });
    expect((await refusals.admit(first)).kind).toBe("refused");
  });

  it("ten that hang delay a right secret for two seconds, and guesses at a hanging service are limited", async () => {
    const startedAtMs = clock.now();
    for (let call = 0; call < 10; call += 1) await refusals.admit(first);
    const right = refusals.admit(first);
    await clock.advance(2_000);
    expect((await clock.until(right)).kind).toBe("go");
    expect(clock.now() - startedAtMs).toBeLessThan(2_100);
    let sent = 11;
    for (let call = 0; call < 30; call += 1) {
      void refusals.admit(first).then(({ kind }) => (sent += kind === "go" ? 1 : 0));
    }
    await clock.advance(60_000);
    expect(sent).toBe(20);
  });

  it("at most ten guesses a minute are refused for a client ID, and no request waits for ever, in any order", async () => {
    const moves = fc.array(
      fc.record({
        afterMs: fc.constantFrom(0, 0, 1, 100, 1_999, 2_000, 9_000, 40_000, 61_000),
        asks: fc.nat(12),
        answers: fc.nat(12),
        wasRefused: fc.boolean(),
      }),
      { minLength: 1, maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(moves, async (all) => {
        const hand = createVirtualClock();
        const limiter = createTokenRefusals(hand);
        const open: { readonly sentAtMs: number; readonly settle: (wasRefused: boolean) => void }[] = [];
        const refused: { readonly atMs: number; readonly hung: boolean }[] = [];
        let waiting = 0;
        const ask = async () => {
          waiting += 1;
          const given = await limiter.admit(first);
          waiting -= 1;
          if (given.kind === "go") open.push({ sentAtMs: hand.now(), settle: given.settle });
          else expect(given.waitSeconds).toBeLessThanOrEqual(60);
        };
        for (const { afterMs, asks, answers, wasRefused } of all) {
          await hand.advance(afterMs);
          for (let count = 0; count < asks; count += 1) void ask();
          await hand.advance(0);
          for (const { sentAtMs, settle } of open.splice(0, answers)) {
            settle(wasRefused);
            if (wasRefused) refused.push({ atMs: hand.now(), hung: hand.now() - sentAtMs >= 2_000 });
          }
          await hand.advance(0);
          const lately = refused.filter(({ atMs }) => atMs > hand.now() - 60_000);
          expect(lately.filter(({ hung }) => !hung).length).toBeLessThanOrEqual(10);
          expect(lately.length).toBeLessThanOrEqual(20);
        }
        for (let turn = 0; turn < 100 && waiting + open.length > 0; turn += 1) {
          for (const { settle } of open.splice(0)) settle(false);
          await hand.advance(2_000);
        }
        expect(waiting).toBe(0);
      }),
      { numRuns: 50 },
    );
  });
});
