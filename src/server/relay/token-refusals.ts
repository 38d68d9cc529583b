/**
 * Keeps the relay from being a place to guess secrets: after ten refused token requests within a minute
 * for one address and client ID, the next are refused here until the oldest of them is a minute old.
 * Accepted requests never count, since a whole office may share an address. Of those that are not
 * answered yet no more go at a time than could still be refused; the others wait their turn, so that a
 * thousand guesses at once get no further than one after the other. Knows no secret.
 */
import { LRUCache } from "lru-cache";

export interface TokenRefusalsOptions {
  readonly now: () => number;
  readonly most?: number;
  readonly withinMs?: number;
}

export interface TokenRefusals {
  /**
   * Waits until a token request of this address and client ID may go: null, and then `settle` must be
   * called; or the seconds after which to try again.
   */
  admit(who: string): Promise<number | null>;
  /** Says how an admitted request ended. */
  settle(who: string, wasRefused: boolean): void;
}

/** Addresses and client IDs of which refusals are remembered; beyond that, the longest unused are forgotten. */
const maxRemembered = 10_000;

interface Caller {
  underWay: number;
  refusedAtMs: number[];
  readonly waiting: (() => void)[];
}

export function createTokenRefusals(options: TokenRefusalsOptions): TokenRefusals {
  const { now, most = 10, withinMs = 60_000 } = options;
  const remembered = new LRUCache<string, Caller>({ max: maxRemembered, dispose: wakeAll });

  function callerOf(who: string): Caller {
    const caller = remembered.get(who) ?? { underWay: 0, refusedAtMs: [], waiting: [] };
    remembered.set(who, caller);
    caller.refusedAtMs = caller.refusedAtMs.filter((atMs) => atMs > now() - withinMs);
    return caller;
  }

  return {
    async admit(who) {
      for (;;) {
        const caller = callerOf(who);
        const { refusedAtMs } = caller;
        if (refusedAtMs.length >= most) {
          return Math.max(1, Math.ceil(((refusedAtMs[0] ?? 0) + withinMs - now()) / 1000));
        }
        if (refusedAtMs.length + caller.underWay < most) {
          caller.underWay += 1;
          return null;
        }
        await new Promise<void>((resolve) => caller.waiting.push(resolve));
      }
    },
    settle(who, wasRefused) {
      const caller = callerOf(who);
      caller.underWay = Math.max(0, caller.underWay - 1);
      if (wasRefused) caller.refusedAtMs.push(now());
      wakeAll(caller);
    },
  };
}

/** Each looks again whether it may go, must wait on, or is refused. */
function wakeAll({ waiting }: Caller): void {
  for (const wake of waiting.splice(0)) wake();
}
