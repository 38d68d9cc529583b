/**
 * The rule for refused token requests is the same wherever the count is stored. For any requests and answers in any order,
 * Redis decides as this process does. At two servers whose clocks drift, nobody gets more tries than at one.
 */
import { fc } from "../../helpers/properties";
import type { SteadyClock } from "../../../src/server/shared-quota/clock";
import type { Redis } from "../../../src/server/redis/redis";
import { createRedisTokenRefusals } from "../../../src/server/relay/redis-token-refusals";
import {
  createTokenRefusals,
  type Permission,
  type TokenCaller,
  type TokenRefusals,
} from "../../../src/server/relay/token-refusals";
import { movedRedis } from "../../helpers/moved-redis";
import { describeInRedis } from "../stores";

const minuteMs = 60_000;
const hangsMs = 2_000;
const [mostOfAnId, mostOfAnAddress] = [10, 100];

interface HandClock extends SteadyClock {
  /** Takes all timers that are set, in order. */
  takeTimers(): readonly (() => void)[];
}

function handClock(now: () => number): HandClock {
  let timers: (() => void)[] = [];
  return {
    now,
    random: () => 0,
    setTimeout(callback) {
      timers.push(callback);
      return callback;
    },
    clearTimeout: (timer) => void (timers = timers.filter((each) => each !== timer)),
    nextTurn: (callback) => void timers.push(callback),
    takeTimers() {
      const taken = timers;
      timers = [];
      return taken;
    },
  };
}

/** A Redis that knows when all its requests are answered, including those that follow from the answers. */
function watched(redis: Redis): Redis & { quiet(): Promise<void> } {
  const asked = new Set<Promise<unknown>>();
  return {
    ...redis,
    isAvailable: true,
    run(script, given) {
      const outcome = redis.run(script, given);
      asked.add(outcome);
      void outcome.then(() => asked.delete(outcome));
      return outcome;
    },
    async quiet() {
      do {
        await Promise.all(asked);
        await new Promise((resolve) => setImmediate(resolve));
      } while (asked.size > 0);
    },
  };
}

interface Asked {
  readonly caller: TokenCaller;
  said: Permission | null;
  isSettled: boolean;
}

function askAt(refusals: TokenRefusals, caller: TokenCaller): Asked {
  const asked: Asked = { caller, said: null, isSettled: false };
  void refusals.admit(caller).then((said) => (asked.said = said));
  return asked;
}

function settle(asked: Asked, wasRefused: boolean): void {
  asked.isSettled = true;
  if (asked.said?.kind === "go") asked.said.settle(wasRefused);
}

const isOpen = ({ said, isSettled }: Asked): boolean => said?.kind === "go" && !isSettled;

function told({ said }: Asked): string {
  if (said === null) return "waits";
  return said.kind === "refused" ? `refused for ${said.waitSeconds} s` : said.kind;
}

const ids = ["a", "b", "c"];
const move = fc.record({
  server: fc.nat(1),
  afterMs: fc.constantFrom(0, 0, 1, 100, 1_999, 2_000, 9_000, 40_000, 61_000),
  address: fc.constantFrom("192.0.2.1", "192.0.2.2"),
  id: fc.constantFrom(...ids),
  asks: fc.nat(12),
  /** Number of calls in flight that are answered. */
  answers: fc.nat(12),
  wasRefused: fc.boolean(),
  /** Number of new ids that are each refused. */
  madeUp: fc.constantFrom(0, 0, 0, 5, 40),
});

describeInRedis("refused token requests", (place) => {
  let nowMs: number;
  let redis: ReturnType<typeof watched>;
  /** Keys are new in each run, because addresses are. */
  let run = 0;
  beforeEach(async () => {
    nowMs = 1_795_000_000_000;
    redis = watched(movedRedis(await place.connect(), () => nowMs));
  });

  async function letLook(clocks: readonly HandClock[]): Promise<void> {
    await redis.quiet();
    for (const timer of clocks.flatMap((clock) => clock.takeTimers())) {
      timer();
      await redis.quiet();
    }
  }

  it("get the same verdicts in Redis as in memory, in any order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 30 }), async (moves) => {
        run += 1;
        const clocks = [handClock(() => nowMs), handClock(() => nowMs)] as const;
        const everybody = { kind: "go" as const, settle: () => undefined };
        const own = { admit: () => Promise.resolve(everybody) };
        const places = [
          createTokenRefusals(clocks[0]),
          createRedisTokenRefusals({ redis, clock: clocks[1], own }),
        ];
        const asked: [Asked[], Asked[]] = [[], []];
        const ask = (address: string, id: string) => {
          const caller = { address: `${run} ${address}`, id };
          asked.forEach((each, at) => each.push(askAt(places[at]!, caller)));
        };
        for (const [index, { afterMs, address, id, asks, answers, wasRefused, madeUp }] of moves.entries()) {
          nowMs += afterMs;
          await letLook(clocks);
          for (let count = 0; count < asks; count += 1) ask(address, id);
          for (let count = 0; count < madeUp; count += 1) ask(address, `${index} ${count}`);
          await letLook(clocks);
          expect(asked[1].map(told)).toEqual(asked[0].map(told));
          for (const each of asked) {
            for (const one of each.filter(isOpen).slice(0, answers)) settle(one, wasRefused);
          }
          await letLook(clocks);
          expect(asked[1].map(told)).toEqual(asked[0].map(told));
        }
      }),
      { numRuns: 40 },
    );
  });

  it("are as limited at two servers with drifting clocks as at one, and block nobody for longer than a minute", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 30 }), async (moves) => {
        run += 1;
        const clocks = [handClock(() => nowMs * 1.05), handClock(() => nowMs * 0.95 + 3_600_000)];
        const servers = clocks.map((clock) =>
          createRedisTokenRefusals({ redis, clock, own: createTokenRefusals(clock) }),
        );
        const asked: (Asked & { readonly atMs: number })[] = [];
        const refusedAt = new Map<string, { readonly atMs: number; readonly hung: boolean }[]>();
        const ask = (server: number, address: string, id: string) => {
          asked.push(
            Object.assign(askAt(servers[server]!, { address: `${run} ${address}`, id }), { atMs: nowMs }),
          );
        };
        const answer = (one: (typeof asked)[number], wasRefused: boolean) => {
          settle(one, wasRefused);
          if (!wasRefused) return;
          for (const [who, most] of [
            [one.caller.address, mostOfAnAddress],
            [`${one.caller.address} ${one.caller.id}`, mostOfAnId],
          ] as const) {
            const all = [...(refusedAt.get(who) ?? []), { atMs: nowMs, hung: nowMs - one.atMs >= hangsMs }];
            refusedAt.set(who, all);
            const lately = all.filter(({ atMs }) => atMs > nowMs - minuteMs);
            expect(lately.filter(({ hung }) => !hung).length).toBeLessThanOrEqual(most);
            expect(lately.length).toBeLessThanOrEqual(2 * most);
          }
        };
        for (const [index, { server, afterMs, ...each }] of moves.entries()) {
          nowMs += afterMs;
          await letLook(clocks);
          for (let count = 0; count < each.asks; count += 1) ask((server + count) % 2, each.address, each.id);
          for (let count = 0; count < each.madeUp; count += 1) ask(server, each.address, `${index} ${count}`);
          await letLook(clocks);
          for (const one of asked.filter(isOpen).slice(0, each.answers + each.madeUp)) {
            answer(one, each.wasRefused);
          }
          await letLook(clocks);
        }
        for (const { said } of asked) {
          if (said?.kind === "refused") expect(said.waitSeconds).toBeLessThanOrEqual(60);
        }
        // All hanging calls are answered in the end. Then a minute passes, also on the slower clock.
        for (
          let turn = 0;
          turn < 100 && asked.some(({ said, isSettled }) => said === null || !isSettled);
          turn += 1
        ) {
          for (const one of asked.filter(isOpen)) settle(one, false);
          for (const one of asked) if (one.said !== null) one.isSettled = true;
          await letLook(clocks);
        }
        expect(asked.filter(({ said }) => said === null)).toEqual([]);
        nowMs += minuteMs / 0.95 + 1;
        nowMs = Math.ceil(nowMs);
        for (const [at, refusals] of servers.entries()) {
          for (const id of ids) {
            const one = askAt(refusals, { address: `${run} 192.0.2.1`, id });
            await redis.quiet();
            expect([at, id, told(one)]).toEqual([at, id, "go"]);
            settle(one, false);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it("block nobody for longer if Redis's clock is set back", async () => {
    const clock = handClock(() => nowMs);
    const everybody = { kind: "go" as const, settle: () => undefined };
    const own = { admit: () => Promise.resolve(everybody) };
    const refusals = createRedisTokenRefusals({ redis, clock, own });
    const caller = { address: "192.0.2.9", id: "acme" };
    for (let guess = 0; guess < mostOfAnId; guess += 1) {
      const one = askAt(refusals, caller);
      await redis.quiet();
      settle(one, true);
      await redis.quiet();
    }
    expect((await refusals.admit(caller)).kind).toBe("refused");
    nowMs -= 3_600_000;
    expect((await refusals.admit(caller)).kind).toBe("go");
  });
});
