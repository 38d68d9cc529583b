/**
 * The team's server gives pages its own tokens and loses them when it stops. An unknown token is nobody's fault: the engine
 * gets another at once. Only a server that never knows its own tokens is an outage.
 */
import { gateway, type LoggedCall } from "../helpers/scripted-service";
import { type Bed, createBed, item, lastMs, noQuota, sheet, tally, ask, outcomes } from "./bed";

const unknown = () =>
  Response.json({ detail: "unknown" }, { status: 401, headers: { "inv-refusal": "token" } });
/** The server's store was away, so nobody knew what is left of the quota. */
const rejected = () =>
  new Response("{}", { status: 429, headers: { "inv-refusal": "redis", "inv-wait-ms": "500" } });

/** A bed with a team's server that forgets every token when the test says so. */
function createTeamBed(): Bed & {
  readonly renewed: (string | null)[];
  forget(): void;
} {
  const renewed: (string | null)[] = [];
  const bed = createBed({
    ...noQuota,
    environment: { pacedBy: "server" },
    onRequest({ url, headers }) {
      if (url.endsWith("/token")) renewed.push(headers.get("inv-renews"));
    },
  });
  const { service } = bed;
  let oldest = 0;
  service.script((call) => (numberOf(call) < oldest ? unknown() : undefined));
  return {
    ...bed,
    renewed,
    forget: () => void (oldest = service.of("token").length + 1),
  };
}

/** Tokens are numbered in the order in which they are issued. */
function numberOf(call: LoggedCall): number {
  return call.operation === "token" ? Infinity : Number(call.token?.split("-")[1]);
}

describe("a token that the team's server does not know", () => {
  it("is renewed once and its calls are sent again at once", async () => {
    const bed = createTeamBed();
    await ask(bed, [item(1, 1)]);
    await bed.clock.advance(60_000);
    bed.forget();
    const beganAtMs = bed.clock.now();
    const ended = await ask(bed, sheet(6, 2));
    expect(tally(ended)).toEqual({ value: 12 });
    // The refusal, the token request and the answer.
    expect(lastMs(ended) - beganAtMs).toBe(3 * 80);
    expect(bed.service.of("token")).toHaveLength(2);
    expect(bed.service.of("search")).toHaveLength(1 + 6 + 6);
    expect(bed.engine.progress().faults).toEqual([]);
  });

  it("is not a fault of the credentials, however often, and does not shorten the lifetime of tokens", async () => {
    const bed = createTeamBed();
    for (let time = 0; time < 30; time += 1) {
      expect(
        await outcomes(
          bed,
          sheet(2, 1).map((query) => ({ ...query, storeNumber: 2_000 + time })),
        ),
      ).toEqual({ value: 2 });
      await bed.clock.advance(5_000);
      bed.forget();
    }
    expect(bed.engine.progress().faults).toEqual([]);
    await ask(bed, [item(50, 1)]);
    const tokens = bed.service.of("token").length;
    await bed.clock.advance(800_000);
    await ask(bed, [item(51, 1)]);
    expect(bed.service.of("token")).toHaveLength(tokens);
  });

  it("is an outage after few calls if the next tokens are unknown, too", async () => {
    const bed = createTeamBed();
    bed.service.script((call) => (call.operation === "token" ? undefined : unknown()));
    expect(await outcomes(bed, sheet(50, 1))).toEqual({ "service-down": 50 });
    expect(bed.engine.progress().faults).toEqual([]);
    expect(bed.service.of("search").length).toBeLessThanOrEqual(20);
    expect(bed.service.of("token").length).toBeLessThanOrEqual(20);

    bed.service.script(() => undefined);
    expect(await outcomes(bed, sheet(50, 1))).toEqual({ value: 50 });
  });

  it.each([
    {
      title: "two tokens in a row, and again after each one that it knows",
      latencyMs: 80,
      unknownOfThree: 2,
      times: 18,
    },
    { title: "three tokens in a row, each after 13 s", latencyMs: 13_000, unknownOfThree: 3, times: 3 },
  ])("costs no cell when the server doesn't know $title", async ({ latencyMs, unknownOfThree, times }) => {
    const bed = createTeamBed();
    bed.service.latencyMs = latencyMs;
    bed.service.script(({ operation, number }) => {
      if (operation === "token" || number >= times) return undefined;
      return number % 3 < unknownOfThree ? unknown() : rejected();
    });
    expect(await outcomes(bed, [item(1, 1)])).toEqual({ value: 1 });
  });

  it("does not hide a refusal of the service", async () => {
    const bed = createTeamBed();
    bed.service.script((call) => {
      if (call.operation === "token") return undefined;
      return numberOf(call) % 2 === 1 ? unknown() : gateway(401, "invalid token");
    });
    expect(await outcomes(bed, sheet(5, 1))).toEqual({ "credentials-refused": 5 });
  });
});

describe("a token request", () => {
  it("contains the previous token, even if it has expired or was refused", async () => {
    const bed = createTeamBed();
    await ask(bed, [item(1, 1)]);
    await bed.clock.advance(2 * 900_000);
    await ask(bed, [item(2, 1)]);
    bed.forget();
    await ask(bed, [item(3, 1)]);
    expect(bed.renewed).toEqual([null, "token-1", "token-2"]);
  });

  it("does not send the previous token to the service", async () => {
    const bed = createTeamBed();
    bed.engine.connect(bed.service.connection);
    await ask(bed, [item(1, 1)]);
    await bed.clock.advance(2 * 900_000);
    await ask(bed, [item(2, 1)]);
    expect(bed.renewed).toEqual([null, null]);
  });
});
