/**
 * Whether Redis's time goes on as this server's does. Which calls count is told by Redis's; were it set forward, it would
 * forget them before the service does, and set back, hold them for as long. So each answer of a script is held against the one
 * before: between them as much must have gone there as here.
 */
import type { SteadyClock } from "../clock";

/** What a script said, and when it was asked. */
export interface RedisTime {
  /** Whose time it is: another process may have another. */
  readonly mark: string;
  readonly redisMs: number;
  readonly askedAtMs: number;
}

/** Clocks that are set right bit by bit, or go wrong by themselves, come nowhere near it. */
const [mostApartMs, mostDrift] = [3_000, 0.05];

/** Call it with each answer when it is there. */
export function createTimeWatch(clock: Pick<SteadyClock, "now">): (time: RedisTime) => "steady" | "jumped" {
  let last: (RedisTime & { readonly saidAtMs: number }) | null = null;
  return (time) => {
    const before = last;
    const saidAtMs = clock.now();
    last = { ...time, saidAtMs };
    if (before?.mark !== time.mark) return "steady";
    const gone = time.redisMs - before.redisMs;
    // When in between it was read, nobody knows.
    const [least, most] = [time.askedAtMs - before.saidAtMs, saidAtMs - before.askedAtMs];
    const apart = mostApartMs + most * mostDrift;
    return gone < least - apart || gone > most + apart ? "jumped" : "steady";
  };
}
