/** The step in Redis and the step in memory make the same decisions, for any events in any order at any server. */
import { fc } from "../../helpers/properties";
import { newAccountState } from "../../../src/server/shared-quota/account-state";
import { pack, unpack } from "../../../src/server/shared-quota/in-redis/packed";
import { type Decisions, type CallEvent, step } from "../../../src/server/shared-quota/step";
import { describeWithRedis } from "../../helpers/redis-process";
import { createRedisBed, type RedisBed } from "./redis-bed";

const limit = 12;

it("the packed state in Redis contains the whole state", () => {
  fc.assert(
    fc.property(fc.array(move, { minLength: 1, maxLength: 60 }), (moves) => {
      const state = newAccountState(limit);
      const calls = callsOfServers();
      let nowMs = 1_795_000_000_000;
      for (const { server, afterMs, draws, tenths } of moves) {
        nowMs += afterMs;
        const of = calls[server]!;
        const events = draws.flatMap((draw) => newsOf(draw, of));
        carriedOut(of, step(state, { server: String(server), events, nowMs, chance: tenths / 10 }));
        expect(unpack(pack(state), limit, state.finished)).toEqual(state);
      }
    }),
    { numRuns: 200 },
  );
});

describeWithRedis("the step in Redis", () => {
  let bed: RedisBed;

  beforeAll(async () => {
    bed = await createRedisBed(limit);
  });
  afterAll(() => bed.close());

  it("decides the same as the step in memory, for any events at any server", async () => {
    const servers = [bed.createServer(), bed.createServer(), bed.createServer()];
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 60 }), async (moves) => {
        const account = await bed.opened();
        const state = newAccountState(limit);
        const calls = callsOfServers();
        for (const { server, afterMs, draws, tenths } of moves) {
          bed.nowMs += afterMs;
          bed.chance = tenths / 10;
          const { nowMs, chance } = bed;
          const of = calls[server]!;
          const events = draws.flatMap((draw) => newsOf(draw, of));
          const expected = step(state, { server: String(server), events, nowMs, chance });
          const decided = await servers[server]!.store.step(account, events);
          expect(decided).toEqual({
            ...expected,
            turnOfServer: null,
            rejected: expected.rejected.map(({ id, retryAfterMs }) => ({
              id,
              retryAfterMs: Math.ceil(retryAfterMs),
            })),
            checkAgainInMs: expected.checkAgainInMs === null ? null : Math.ceil(expected.checkAgainInMs),
          });
          carriedOut(of, expected);
        }
      }),
      { numRuns: 60 },
    );
  });
});

interface CallsOfServer {
  readonly server: number;
  readonly waiting: Set<string>;
  readonly inFlight: Set<string>;
  made: number;
}

function callsOfServers(): CallsOfServer[] {
  return [0, 1, 2].map((server) => ({ server, waiting: new Set(), inFlight: new Set(), made: 0 }));
}

function carriedOut({ waiting, inFlight }: CallsOfServer, { send, rejected }: Decisions): void {
  for (const id of send) inFlight.add(id);
  for (const id of [...send, ...rejected.map((each) => each.id)]) waiting.delete(id);
}

const draw = fc.record({
  kind: fc.constantFrom("arrived", "arrived", "arrived", "cancelled", "ended", "ended", "takenBack"),
  person: fc.constantFrom("a", "b", "c", "d"),
  isEdit: fc.boolean(),
  end: fc.constantFrom(
    { kind: "answered" as const },
    { kind: "failed" as const },
    { kind: "throttled" as const, retryAfterMs: null },
    { kind: "throttled" as const, retryAfterMs: 3_000 },
  ),
});
const move = fc.record({
  server: fc.constantFrom(0, 1, 2),
  afterMs: fc.constantFrom(0, 1, 10, 50, 100, 500, 2_000, 5_000, 20_000, 61_000),
  draws: fc.array(draw, { maxLength: 4 }),
  tenths: fc.integer({ min: 0, max: 9 }),
});
type Draw = typeof draw extends fc.Arbitrary<infer T> ? T : never;

function newsOf({ kind, person, isEdit, end }: Draw, calls: CallsOfServer): CallEvent[] {
  const [waits] = calls.waiting;
  const [runs] = calls.inFlight;
  if (kind === "arrived") {
    calls.made += 1;
    const id = `${calls.server}.${calls.made}`;
    calls.waiting.add(id);
    return [{ kind, id, asker: { person, isEdit } }];
  }
  if (kind === "cancelled" && waits !== undefined) {
    calls.waiting.delete(waits);
    return [{ kind, id: waits }];
  }
  if ((kind === "ended" || kind === "takenBack") && runs !== undefined) {
    calls.inFlight.delete(runs);
    return [kind === "ended" ? { kind, id: runs, end } : { kind: "cancelled", id: runs }];
  }
  return [];
}
