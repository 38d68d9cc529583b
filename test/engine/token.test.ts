/** The token: one renewal for all, before it expires if possible, and faults that stop only what they must. */
import { createTokenKeeper } from "../../src/engine/scheduler/token";
import { testConnection } from "../../src/engine/test-connection";
import { gateway, inventory, problem } from "../helpers/scripted-service";
import { askAll, createBed, history, item, noQuota, sheet, tally, ask, warmBed, outcomes } from "./bed";

describe("the token", () => {
  it("is requested once, however many calls need it", async () => {
    const bed = createBed(noQuota);
    const ended = askAll(bed, sheet(100, 1));
    const events = bed.engine.history(history(1));
    await bed.clock.runAll();
    await events;
    expect(tally(ended)).toEqual({ value: 100 });
    expect(bed.service.of("token")).toHaveLength(1);
  });

  it("is not requested before a cell asks", async () => {
    const bed = createBed(noQuota);
    await bed.clock.advance(10_000);
    expect(bed.service.calls).toHaveLength(0);
  });

  it("is renewed ahead of its end while the old one is used", async () => {
    const bed = await warmBed();
    await bed.clock.advance(850_000);
    const ended = askAll(bed, [item(1, 1)]);
    const atMs = bed.clock.now();
    await bed.clock.runAll();
    expect(ended[0]?.atMs).toBe(atMs + 80);
    expect(bed.service.of("token")).toHaveLength(2);
  });

  it("that expires with six calls in flight is renewed once, and no cell fails", async () => {
    const bed = await warmBed();
    let refused = 0;
    bed.service.script((call) => {
      if (call.operation === "token" || call.token !== "token-1") return undefined;
      refused += 1;
      return gateway(401, "token validation failed: expired");
    });
    const ended = await ask(bed, sheet(6, 1));
    expect(refused).toBe(6);
    expect(tally(ended)).toEqual({ value: 6 });
    expect(bed.service.of("token")).toHaveLength(2);
    expect(bed.service.of("search")).toHaveLength(1 + 6 + 6);
  });

  it("that lives two seconds is renewed as often as needed", async () => {
    const bed = createBed(noQuota);
    bed.service.tokenLifetimeSeconds = 2;
    expect(await outcomes(bed, sheet(600, 1))).toEqual({ value: 600 });
    expect(bed.service.of("token").length).toBeLessThanOrEqual(7);
  });

  it("is read when the call leaves, so a call that waited for the quota has the new one", async () => {
    const bed = createBed({ quota: 50 });
    bed.service.tokenLifetimeSeconds = 30;
    expect(await outcomes(bed, sheet(90, 1))).toEqual({ value: 90 });
    expect(bed.service.of("search").filter((call) => call.token !== "token-1").length).toBeGreaterThan(40);
  });

  it("is requested again after a broken response", async () => {
    const bed = createBed(noQuota);
    bed.service.script((call) =>
      call.operation === "token" && call.number < 2 ? new Response('{"access_tok') : undefined,
    );
    expect(await outcomes(bed, sheet(2, 1))).toEqual({ value: 2 });
    expect(bed.service.of("token")).toHaveLength(3);
  });

  it("that is always broken fails waiting cells with the reason", async () => {
    const bed = createBed(noQuota);
    bed.service.script((call) => (call.operation === "token" ? new Response('{"access_tok') : undefined));
    expect(await outcomes(bed, sheet(2, 1))).toEqual({ "bad-answer": 2 });
    expect(bed.service.of("token").length).toBeLessThanOrEqual(6);
  });

  it("that is throttled is requested again only when the service allows it", async () => {
    const bed = createBed(noQuota);
    bed.service.script((call) =>
      call.operation === "token" && call.number < 3
        ? new Response("", { status: 429, headers: { "retry-after": "20" } })
        : undefined,
    );
    const startMs = bed.clock.now();
    expect(await outcomes(bed, sheet(2, 1))).toEqual({ value: 2 });
    const sentMs = bed.service.of("token").map(({ sentAtMs }) => Math.round((sentAtMs - startMs) / 1_000));
    expect(sentMs).toEqual([0, 20, 40, 60]);
  });

  it("refused with a Retry-After of years is requested again within minutes", async () => {
    const bed = createBed(noQuota);
    bed.service.script((call) =>
      call.operation === "token" && call.number === 0
        ? new Response("", { status: 429, headers: { "retry-after": "99999999" } })
        : undefined,
    );
    const ended = askAll(bed, sheet(2, 1));
    await bed.clock.advance(11 * 60_000);
    expect(tally(ended)).toEqual({ value: 2 });
  });

  it("that is unavailable after several attempts fails waiting cells with the reason", async () => {
    const bed = createBed(noQuota);
    bed.service.script((call) => (call.operation === "token" ? problem(503, "down") : undefined));
    expect(await outcomes(bed, sheet(100, 1))).toEqual({ "service-down": 100 });
    expect(bed.service.of("search")).toHaveLength(0);
    expect(bed.service.of("token").length).toBeLessThanOrEqual(6);

    bed.service.script(() => undefined);
    expect(await outcomes(bed, sheet(100, 1))).toEqual({ value: 100 });
  });
});

describe("a token that expires early", () => {
  it.each([1, 3, 50])("costs renewals but no cell its value, with a quota of %i", async (quota) => {
    const bed = createBed({ quota });
    const issuedAtMs = new Map<string, number>();
    bed.service.script((call) => {
      if (call.operation === "token") {
        const token = `short-${issuedAtMs.size}`;
        issuedAtMs.set(token, bed.clock.now());
        return Response.json({ access_token: token });
      }
      const ageMs = bed.clock.now() - (issuedAtMs.get(call.token ?? "") ?? 0);
      return ageMs > 30_000 ? gateway(401, "expired token") : inventory(call);
    });
    const ended = await ask(bed, sheet(quota === 50 ? 120 : 6, 1));
    expect(Object.keys(tally(ended))).toEqual(["value"]);
    expect(bed.engine.progress().faults).toEqual([]);
  });
});

describe("a data host that learns late of new tokens", () => {
  /** Refuses each token in its first `lateMs`. */
  function bedWithLateHost(lateMs: number) {
    const bed = createBed(noQuota);
    const issuedAtMs = new Map<string, number>();
    bed.service.script((call) => {
      if (call.operation === "token") {
        const token = `late-${issuedAtMs.size}`;
        issuedAtMs.set(token, bed.clock.now());
        return Response.json({ access_token: token });
      }
      const ageMs = bed.clock.now() - (issuedAtMs.get(call.token ?? "") ?? 0);
      return ageMs < lateMs ? gateway(401, "token validation failed") : inventory(call);
    });
    return bed;
  }

  it.each([200, 700, 1_500])("by %i ms, costs no cell its value", async (lateMs) => {
    const bed = bedWithLateHost(lateMs);
    expect(await outcomes(bed, sheet(8, 1))).toEqual({ value: 8 });
    expect(bed.engine.progress().faults).toEqual([]);
    expect(bed.service.of("token")).toHaveLength(1);
    // Six calls leave at once and once more two seconds later.
    expect(bed.service.of("search")).toHaveLength(6 + 8);
  });

  it("that never accepts them is refused credentials after a second try of two tokens", async () => {
    const bed = bedWithLateHost(Infinity);
    const startMs = bed.clock.now();
    const ended = await ask(bed, sheet(1, 1));
    expect(tally(ended)).toEqual({ "credentials-refused": 1 });
    expect([bed.service.of("token").length, bed.service.of("search").length]).toEqual([2, 4]);
    expect((ended[0]?.atMs ?? 0) - startMs).toBeLessThan(5_000);
  });

  it("that never accepts them is refused credentials, however long the quota delays the second try", async () => {
    const bed = createBed({ quota: 1 });
    bed.service.script((call) =>
      call.operation === "search" ? gateway(401, "another consumer's") : undefined,
    );
    expect(await outcomes(bed, sheet(1, 1))).toEqual({ "credentials-refused": 1 });
    expect(bed.service.of("search").length).toBeLessThanOrEqual(6);
  });

  it("passes the test of a connection", async () => {
    const bed = bedWithLateHost(1_500);
    const { environment, credentials } = bed.service.connection;
    const { clock, service } = bed;
    const { signal } = new AbortController();
    await clock.until(
      testConnection(
        { environment, credentials: credentials! },
        { clock, transport: service.transport, signal },
      ),
    );
    expect(bed.service.of("search")).toHaveLength(2);
  });
});

describe("a token after several early refusals", () => {
  it("has its full lifetime again once tokens last", async () => {
    const bed = createBed({ quota: 1 });
    const issuedAtMs = new Map<string, number>();
    let livesMs = 30_000;
    bed.service.script((call) => {
      if (call.operation === "token") {
        const token = `token-${issuedAtMs.size}`;
        issuedAtMs.set(token, bed.clock.now());
        return Response.json({ access_token: token, expires_in: 900 });
      }
      const ageMs = bed.clock.now() - (issuedAtMs.get(call.token ?? "") ?? 0);
      return ageMs > livesMs ? gateway(401, "expired token") : inventory(call);
    });
    expect(await outcomes(bed, sheet(6, 1))).toEqual({ value: 6 });
    livesMs = 900_000;
    /** Token requests during an hour with one cell each minute. */
    const renewals = async (): Promise<number> => {
      const before = issuedAtMs.size;
      for (let minute = 0; minute < 60; minute += 1) {
        bed.engine.clear();
        void askAll(bed, [item(1, 1)]);
        await bed.clock.advance(60_000);
      }
      return issuedAtMs.size - before;
    };
    await renewals();
    // Every 840 seconds, a minute before each end.
    expect(await renewals()).toBeLessThanOrEqual(5);
    livesMs = 30_000;
    expect(await renewals()).toBeGreaterThan(5);
    expect(bed.engine.progress().faults).toEqual([]);
  });
});

describe("refused credentials", () => {
  const refused = () => Response.json({ error: "invalid_client" }, { status: 401 });

  it("fail every cell at once, and nothing is sent until the user tries again", async () => {
    const bed = createBed(noQuota);
    bed.service.script((call) => (call.operation === "token" ? refused() : undefined));
    expect(await outcomes(bed, sheet(200, 1))).toEqual({ "credentials-refused": 200 });
    const later = askAll(bed, sheet(200, 1));
    await expect(Promise.all([bed.engine.history(history(1)), bed.clock.runAll()])).rejects.toMatchObject({
      code: "credentials-refused",
    });
    await bed.clock.runAll();
    expect(tally(later)).toEqual({ "credentials-refused": 200 });
    expect(bed.service.calls).toHaveLength(1);
    expect(bed.engine.progress().faults).toMatchObject([{ scope: "credentials" }]);

    bed.service.script(() => undefined);
    bed.engine.tryAgain();
    expect(await outcomes(bed, sheet(200, 1))).toEqual({ value: 200 });
  });

  it("are the reason if a new token is refused, too", async () => {
    const bed = createBed(noQuota);
    bed.service.script((call) =>
      call.operation === "token" ? undefined : gateway(401, "another consumer's"),
    );
    expect(await outcomes(bed, sheet(50, 1))).toEqual({ "credentials-refused": 50 });
    expect(bed.service.of("token").length).toBeLessThanOrEqual(3);
    expect(bed.engine.progress().faults).toMatchObject([{ scope: "credentials" }]);
  });

  it("no longer stop cells after new credentials were entered", async () => {
    const bed = createBed(noQuota);
    bed.service.script((call) => (call.body.includes("client_secret=s3cret") ? refused() : undefined));
    await ask(bed, sheet(5, 1));
    const { environment } = bed.service.connection;
    bed.engine.connect({ environment, credentials: { consumerId: "demo-consumer", clientSecret: "right" } });
    expect(bed.engine.progress().faults).toEqual([]);
    expect(await outcomes(bed, sheet(5, 1))).toEqual({ value: 5 });
  });
});

describe("an operation closed to the consumer", () => {
  it.each([
    ["403", () => gateway(403, "not subscribed"), "not-subscribed"],
    ["a 401 about the consumer", () => problem(401, "Consumer ID not found"), "consumer-unknown"],
  ])("(%s for events) fails only histories", async (_, fault, code) => {
    const bed = createBed(noQuota);
    bed.service.script((call) => (call.operation === "events" ? fault() : undefined));
    const ended = askAll(bed, sheet(50, 2));
    const ends = Promise.allSettled([1, 2, 3, 4].map((number) => bed.engine.history(history(number))));
    await bed.clock.runAll();
    expect(
      (await ends).every(
        (end) => end.status === "rejected" && (end.reason as { code: string }).code === code,
      ),
    ).toBe(true);
    expect(tally(ended)).toEqual({ value: 100 });
    expect(bed.service.of("events").length).toBeLessThanOrEqual(4);
    expect(bed.engine.progress().faults).toMatchObject([{ scope: "events", error: { code } }]);

    const sent = bed.service.of("events").length;
    await Promise.allSettled([bed.engine.history(history(9)), bed.clock.runAll()]);
    expect(bed.service.of("events")).toHaveLength(sent);
  });
});

it("uses the full lifetime of the token after one that was refused once", async () => {
  const bed = await warmBed();
  await bed.clock.advance(60_000);
  bed.service.script((call) =>
    call.operation === "search" && call.token === "token-1" ? gateway(401, "revoked") : undefined,
  );
  askAll(bed, [item(1, 1)]);
  await bed.clock.advance(800_000);
  expect(bed.service.of("token")).toHaveLength(2);
  await ask(bed, [item(1, 2)]);
  expect(bed.service.of("token")).toHaveLength(2);
});

it("a closed token keeper ignores a late token", async () => {
  const { clock, service } = createBed(noQuota);
  const { environment, credentials } = service.connection;
  const told: unknown[] = [];
  const keeper = createTokenKeeper({
    clock,
    transport: service.transport,
    environment,
    credentials: credentials!,
    secretNow: () => "",
    maxBytes: 10_000,
  });
  const renewal = keeper.renewIfDue();
  void renewal?.ended.then(() => {
    const { fault, outage } = renewal.receive();
    if (fault !== null || outage !== null) told.push(fault, outage);
  });
  await clock.advance(60);
  keeper.close();
  await clock.advance(60_000);
  keeper.renewIfDue();
  await clock.advance(60_000);
  expect(service.of("token")).toHaveLength(1);
  expect(keeper.peek()).toBeNull();
  expect(told).toEqual([]);
});

it("a token keeper that is closed between a response and its reading ignores it", async () => {
  const { clock, service } = createBed(noQuota);
  const { environment, credentials } = service.connection;
  const parts = { clock, transport: service.transport, environment, credentials: credentials! };
  const keeper = createTokenKeeper({ ...parts, secretNow: () => "", maxBytes: 10_000 });
  const renewal = keeper.renewIfDue();
  await clock.advance(60_000);
  keeper.close();
  expect(renewal?.receive()).toMatchObject({ fault: null, outage: null });
  expect(keeper.peek()).toBeNull();
});
