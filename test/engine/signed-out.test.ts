/**
 * A session replaces the secret if the team's server has the credentials. When it ends, all numbers stay, no request storm
 * starts, and unanswered cells get values after the next sign-in, as do all cached ones.
 */
import type { Connection } from "../../src/engine/types";
import { ask, askAll, createBed, item, noQuota, tally, outcomes } from "./bed";

function refused(mark: string): Response {
  return Response.json({ detail: mark }, { status: 401, headers: { "inv-refusal": mark } });
}

function createSessionBed() {
  const consumers: (string | null)[] = [];
  const bed = createBed({
    ...noQuota,
    onRequest({ url, headers }) {
      if (!url.endsWith("/token")) consumers.push(headers.get("wm_consumer.id"));
    },
  });
  const { clock, service, engine } = bed;
  const environment = {
    ...service.connection.environment,
    pacedBy: "server" as const,
    credentials: "server" as const,
  };
  const signedIn = (session: string): Connection => ({
    environment,
    credentials: { session, person: "Jane Doe", endsAtMs: clock.now() + 1e9 },
  });
  let ended = "";
  service.script((call) =>
    call.operation === "token" && ended !== "" && call.body.includes(`session=${ended}`)
      ? refused("session")
      : undefined,
  );
  engine.connect(signedIn("first"));
  return {
    ...bed,
    consumers,
    signedIn,
    environment,
    end: (session: string) => (ended = session),
  };
}

it("sends the session for a token, and no consumer ID with data calls", async () => {
  const bed = createSessionBed();
  expect(await outcomes(bed, [item(1, 1)])).toEqual({ value: 1 });
  expect(bed.service.of("token")[0]!.body).toBe("grant_type=session&session=first");
  expect(bed.consumers).toEqual([null]);
});

it("after the session ends, cells keep fresh values, others are signed out, and one request is sent", async () => {
  const bed = createSessionBed();
  await ask(bed, [item(1, 1)]);
  bed.end("first");
  await bed.clock.advance(3_600_000);
  expect(await outcomes(bed, [item(1, 1)])).toEqual({ value: 1 });
  expect(
    await outcomes(
      bed,
      Array.from({ length: 300 }, (_, index) => item(2, index)),
    ),
  ).toEqual({ "signed-out": 300 });
  expect(bed.engine.progress().faults.map(({ scope, error }) => [scope, error.code])).toEqual([
    ["credentials", "signed-out"],
  ]);
  // The first token request, and the refused one.
  expect(bed.service.of("token")).toHaveLength(2);
});

it("the next session continues with the cache and without a fault", async () => {
  const bed = createSessionBed();
  await ask(bed, [item(1, 1)]);
  bed.end("first");
  const calls = bed.service.of("search").length;
  bed.engine.connect(bed.signedIn("second"));
  expect(bed.engine.isFresh(item(1, 1))).toBe(true);
  expect(await outcomes(bed, [item(1, 1), item(2, 1)])).toEqual({ value: 2 });
  expect(bed.service.of("search")).toHaveLength(calls + 1);
  expect(bed.service.of("token").at(-1)!.body).toBe("grant_type=session&session=second");
  expect(bed.engine.progress().faults).toEqual([]);
});

it("ignores a token that was requested with the previous session", async () => {
  const bed = createSessionBed();
  bed.end("first");
  const asked = askAll(bed, [item(1, 1)]);
  await bed.clock.advance(20);
  bed.engine.connect(bed.signedIn("second"));
  await bed.clock.runAll();
  expect(tally(asked)).toEqual({ value: 1 });
  expect(bed.engine.progress().faults).toEqual([]);
  // The end of one session does not end the next one.
  expect(bed.service.of("token")).toHaveLength(2);
});

it("another environment starts with an empty cache", async () => {
  const bed = createSessionBed();
  await ask(bed, [item(1, 1)]);
  const { credentials } = bed.signedIn("first");
  bed.engine.connect({ environment: { ...bed.environment, id: "another" }, credentials });
  expect(bed.engine.isFresh(item(1, 1))).toBe(false);
});

it("without a session, cells are signed out and nothing is sent", async () => {
  const bed = createSessionBed();
  bed.engine.connect({ environment: bed.environment, credentials: null });
  expect(await outcomes(bed, [item(1, 1)])).toEqual({ "signed-out": 1 });
  expect(bed.service.calls).toEqual([]);
});

it("refused credentials of the server refer to the administrator, without a request storm", async () => {
  const bed = createSessionBed();
  bed.service.script((call) => (call.operation === "token" ? undefined : refused("credentials")));
  expect(
    await outcomes(
      bed,
      Array.from({ length: 300 }, (_, index) => item(index, 1)),
    ),
  ).toEqual({ "credentials-refused": 300 });
  expect(bed.engine.progress().faults[0]!.error.message).toBe(
    "Ask your administrator: the service refuses INV's credentials.",
  );
  // The calls that were in flight when the first one was refused.
  expect(bed.service.of("search").length).toBeLessThanOrEqual(6);
});
