/** Guessing secrets through the relay ends after ten refusals a minute; those who are accepted never notice. */
import Fastify, { type FastifyInstance } from "fastify";
import { sendTo } from "../../../src/server/relay/outgoing";
import { relay } from "../../../src/server/relay/relay";
import { clockOf, looseCompany, tokensOf } from "../parts";
import { createTokenRefusals } from "../../../src/server/relay/token-refusals";

describe("token requests through the relay", () => {
  let fastify: FastifyInstance;
  let sent: number;
  let nowMs: number;
  let refusedStatus: number;
  /** Answers wait for this. */
  let gate: Promise<void>;

  beforeEach(async () => {
    [sent, nowMs, refusedStatus, gate] = [0, 0, 401, Promise.resolve()];
    fastify = Fastify();
    const url = "https://auth.example.com/";
    await fastify.register(relay, {
      targets: [
        {
          id: "live",
          tokenUrl: url,
          searchUrl: url,
          eventsUrl: url,
          authorization: "bearer" as const,
          send: sendTo(async (request) => {
            sent += 1;
            const body = await request.text();
            await gate;
            const isRight = new URLSearchParams(body).get("client_secret") === "right";
            return Response.json({ access_token: "t" }, { status: isRight ? 200 : refusedStatus });
          }),
        },
      ],
      company: looseCompany(),
      tokens: tokensOf("live"),
      clock: clockOf(() => nowMs),
      answered: () => undefined,
    });
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

  it("are told apart by address and client ID", async () => {
    for (let attempt = 0; attempt < 11; attempt += 1) await ask("wrong");
    expect((await ask("right", { from: "10.0.0.2" })).statusCode).toBe(200);
    expect((await ask("right", { id: "another" })).statusCode).toBe(200);
    expect((await ask("right")).statusCode).toBe(429);
  });

  it("count together however the client ID is spelt", async () => {
    const spellings = ["company", "Company", "COMPANY", "company+", "++company", "%09company%20"];
    const guesses = spellings.flatMap((id) => Array.from({ length: 5 }, () => id));
    for (const id of guesses) await ask("wrong", { id });
    expect(sent).toBe(10);
  });

  it("of a whole office at once are all accepted, at most ten at a time", async () => {
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
  }, 120_000);
});

describe("two thousand guesses at once", () => {
  it("get no further than ten one after the other", async () => {
    const refusals = createTokenRefusals({ now: () => 0 });
    let sent = 0;
    const waits = await Promise.all(
      Array.from({ length: 2000 }, async () => {
        const waitSeconds = await refusals.admit("10.0.0.1 company");
        if (waitSeconds !== null) return waitSeconds;
        sent += 1;
        await new Promise((resolve) => setImmediate(resolve));
        refusals.settle("10.0.0.1 company", true);
        return 0;
      }),
    );
    expect(sent).toBe(10);
    expect(waits.filter((seconds) => seconds === 60)).toHaveLength(1990);
  });

  it("wait for nobody when their client ID is forgotten for ten thousand others", async () => {
    const refusals = createTokenRefusals({ now: () => 0 });
    for (let call = 0; call < 10; call += 1) await refusals.admit("first");
    const waiting = refusals.admit("first");
    for (let call = 0; call < 10_000; call += 1) await refusals.admit(`other ${call}`);
    expect(await waiting).toBeNull();
  });
});
