/**
 * Refused token requests, counted by several servers together in Redis: guessing gets no more tries at all of them than at one.
 * A request first waits for its turn at its own server, which limits how many ask Redis. There, requests without an answer count
 * too, and a request that finds no room asks again a moment later.
 */
import type { SteadyClock } from "../shared-quota/clock";
import { digestOf, unguessable } from "../digest";
import { luaRoom, luaTimes } from "../redis/lua";
import type { Redis } from "../redis/redis";
import { createScript } from "../redis/script";
import { maxRemembered, refusedFor, type TokenCaller, type TokenRefusals } from "./token-refusals";
import type { TriesNews, TriesReply } from "./tries-script";
import text from "./tries-script.lua";

export interface RedisTokenRefusalsOptions {
  readonly redis: Pick<Redis, "run">;
  readonly clock: Pick<SteadyClock, "setTimeout">;
  /** The counts of this process. */
  readonly own: TokenRefusals;
}

const script = createScript(`${luaTimes}${luaRoom}${text}`);
const asksAgainMs = 200;
/** For addresses and IDs together. */
const mostInRedis = 2 * maxRemembered;

export function createRedisTokenRefusals({ redis, clock, own }: RedisTokenRefusalsOptions): TokenRefusals {
  const ownRequests = unguessable();
  let requests = 0;

  async function tell(
    { address, id }: TokenCaller,
    name: string,
    how: TriesNews,
  ): Promise<TriesReply | null> {
    const outcome = await redis.run(script, {
      keys: ["guessers", "tries "],
      args: [digestOf(address), digestOf(`${address} ${id}`), name, mostInRedis, how],
    });
    return outcome.kind === "ran" ? Number(outcome.value) : null;
  }

  async function admitEverywhere(caller: TokenCaller): ReturnType<TokenRefusals["admit"]> {
    const name = `${ownRequests}.${(requests += 1)}`;
    for (;;) {
      const reply = await tell(caller, name, "begins");
      if (reply === null) return { kind: "away" };
      if (reply > 0) return refusedFor(reply);
      if (reply === 0) {
        // Nobody waits for this: Redis runs the next script of this server after it.
        const settle = (wasRefused: boolean) =>
          void tell(caller, name, wasRefused ? "was refused" : "was accepted");
        return { kind: "go", settle };
      }
      await new Promise<void>((resolve) => clock.setTimeout(resolve, asksAgainMs));
    }
  }

  return {
    async admit(caller) {
      const here = await own.admit(caller);
      if (here.kind !== "go") return here;
      const everywhere = await admitEverywhere(caller);
      if (everywhere.kind !== "go") {
        here.settle(false);
        return everywhere;
      }
      return {
        kind: "go",
        settle(wasRefused) {
          everywhere.settle(wasRefused);
          here.settle(wasRefused);
        },
      };
    },
  };
}
