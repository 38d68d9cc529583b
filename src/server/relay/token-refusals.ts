/**
 * Limits attempts to guess secrets through the relay: ten refusals a minute for a client ID at one address, and a
 * hundred for all IDs at that address. At the limit, further requests are refused until the oldest refusal is a
 * minute old. Accepted requests never count, because a whole office may share an address.
 * The number of unanswered requests is limited to the refusals that are left, and the others wait. So a thousand
 * guesses at once get no further than one after another. A request that hangs blocks others for at most two seconds.
 * Each server counts for itself. This module never sees a secret.
 */
import { LRUCache } from "lru-cache";
import type { SteadyClock } from "../steady-clock";

export interface TokenCaller {
  readonly address: string;
  /** A token address and a client ID in lower case. */
  readonly id: string;
}

export type Permission =
  /** The caller calls `settle` once, when the request has ended. */
  | { readonly kind: "go"; readonly settle: (wasRefused: boolean) => void }
  | { readonly kind: "refused"; readonly waitSeconds: number };

export interface TokenRefusals {
  admit(caller: TokenCaller): Promise<Permission>;
}

interface Tries {
  readonly mostRefusals: number;
  /** Times of refusals, oldest first. */
  refusedAtMs: number[];
  /** By a number that is unique among all requests: when it was sent. */
  readonly unanswered: Map<number, number>;
  /** Resume requests that wait. */
  readonly waiting: Set<() => void>;
}

const refusalLastsMs = 60_000;
const mostRefusalsOfAnId = 10;
/** An office of forty whose secret was changed stays far below this limit, because INV's own refusals don't count. */
const mostRefusalsOfAnAddress = 100;
/** Token services answer much faster. */
const hangsAfterMs = 2_000;
/**
 * Applies to addresses and client IDs separately. One address can't add more than a hundred IDs, so it can't
 * evict those of others.
 */
const maxRemembered = 10_000;

export function createTokenRefusals(clock: SteadyClock): TokenRefusals {
  const byAddress = new LRUCache<string, Tries>({ max: maxRemembered, dispose: resumeAll });
  const byId = new LRUCache<string, Tries>({ max: maxRemembered, dispose: resumeAll });
  let requests = 0;

  function triesOf({ address, id }: TokenCaller): readonly [ofAddress: Tries, ofId: Tries] {
    return [
      byAddress.get(address) ?? newTries(mostRefusalsOfAnAddress),
      byId.get(`${address} ${id}`) ?? newTries(mostRefusalsOfAnId),
    ];
  }

  function remember({ address, id }: TokenCaller, [ofAddress, ofId]: readonly [Tries, Tries]): void {
    byAddress.set(address, ofAddress);
    byId.set(`${address} ${id}`, ofId);
  }

  /** Resolves when another request has ended, or may have hung for `hangsAfterMs`. */
  function changeOf(both: readonly Tries[]): Promise<void> {
    return new Promise((resolve) => {
      const resume = () => {
        clock.clearTimeout(timer);
        for (const { waiting } of both) waiting.delete(resume);
        resolve();
      };
      const timer = clock.setTimeout(resume, hangsAfterMs);
      for (const { waiting } of both) waiting.add(resume);
    });
  }

  function settle(caller: TokenCaller, request: number, wasRefused: boolean): void {
    const both = triesOf(caller);
    for (const tries of both) {
      tries.unanswered.delete(request);
      if (wasRefused) tries.refusedAtMs.push(clock.now());
    }
    remember(caller, both);
    both.forEach(resumeAll);
  }

  return {
    async admit(caller) {
      requests += 1;
      const request = requests;
      for (;;) {
        const both = triesOf(caller);
        const nowMs = clock.now();
        for (const tries of both) {
          const waitMs = refusedForMs(tries, nowMs);
          if (waitMs > 0) return { kind: "refused", waitSeconds: Math.ceil(waitMs / 1_000) };
        }
        remember(caller, both);
        if (both.every((tries) => hasRoom(tries, nowMs))) {
          for (const { unanswered } of both) unanswered.set(request, nowMs);
          return { kind: "go", settle: (wasRefused) => settle(caller, request, wasRefused) };
        }
        await changeOf(both);
      }
    },
  };
}

function newTries(mostRefusals: number): Tries {
  return { mostRefusals, refusedAtMs: [], unanswered: new Map(), waiting: new Set() };
}

function refusedForMs(tries: Tries, nowMs: number): number {
  tries.refusedAtMs = tries.refusedAtMs.filter((atMs) => atMs > nowMs - refusalLastsMs);
  const [oldestMs] = tries.refusedAtMs;
  const isFull = oldestMs !== undefined && tries.refusedAtMs.length >= tries.mostRefusals;
  return isFull ? oldestMs + refusalLastsMs - nowMs : 0;
}

function hasRoom({ mostRefusals, refusedAtMs, unanswered }: Tries, nowMs: number): boolean {
  const left = mostRefusals - refusedAtMs.length;
  // Requests that hang may still be refused, so they free their places only once.
  if (unanswered.size >= left + mostRefusals) return false;
  return [...unanswered.values()].filter((sentAtMs) => sentAtMs > nowMs - hangsAfterMs).length < left;
}

/** Each waiting request then applies the rule again. */
function resumeAll({ waiting }: Tries): void {
  for (const resume of [...waiting]) resume();
}
