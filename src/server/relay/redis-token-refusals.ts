/**
 * Counts refused token requests in Redis for several servers together, so that guessing gets no more tries at
 * many servers than at one. Each server first applies its own limit, which bounds the number of requests that
 * reach Redis. Redis also counts unanswered requests. A request that finds no room there asks again after
 * `asksAgainMs`.
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
  /** The limiter of this process alone. */
  readonly own: TokenRefusals;
}

const script = createScript(`${luaTimes}${luaRoom}${text}`);
const asksAgainMs = 200;
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
        // Not awaited: Redis runs this before the server's next script.
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
