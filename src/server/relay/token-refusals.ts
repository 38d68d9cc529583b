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

type Permission =
  /** The caller calls `settle` once, when the request has ended. */
  | { readonly kind: "go"; readonly settle: (wasRefused: boolean) => void }
  | { readonly kind: "refused"; readonly waitSeconds: number };

export interface TokenRefusals {
  admit(caller: TokenCaller): Promise<Permission>;
}

/** Recent token requests of an address, or of a client ID at an address. */
interface Tries {
  readonly mostRefusals: number;
  /** Times of refusals, oldest first. */
  refusedAtMs: number[];
  /** When each unanswered request was sent, by a number that is unique among all requests. */
  readonly unanswered: Map<number, number>;
}

const refusalLastsMs = 60_000;
const mostRefusalsOfAnId = 10;
/** An office of forty whose secret was changed stays far below this limit, because INV's own refusals don't count. */
const mostRefusalsOfAnAddress = 100;
/** Token services answer much faster. */
const hangsAfterMs = 2_000;
const looksEveryMs = 100;
/** One address can't add more than a hundred IDs, so it can't evict those of others. */
const maxRemembered = 20_000;

export function createTokenRefusals(clock: SteadyClock): TokenRefusals {
  const remembered = new LRUCache<string, Tries>({ max: maxRemembered });
  let requests = 0;

  function triesOf(name: string, mostRefusals: number): Tries {
    const tries = remembered.get(name) ?? { mostRefusals, refusedAtMs: [], unanswered: new Map() };
    remembered.set(name, tries);
    return tries;
  }

  const ofAddress = ({ address }: TokenCaller) => triesOf(address, mostRefusalsOfAnAddress);
  const ofId = ({ address, id }: TokenCaller) => triesOf(`${address} ${id}`, mostRefusalsOfAnId);

  function settle(caller: TokenCaller, request: number, wasRefused: boolean): void {
    for (const tries of [ofAddress(caller), ofId(caller)]) {
      tries.unanswered.delete(request);
      if (wasRefused) tries.refusedAtMs.push(clock.now());
    }
  }

  return {
    async admit(caller) {
      requests += 1;
      const request = requests;
      for (;;) {
        const nowMs = clock.now();
        // The address first: while it is refused, its IDs aren't remembered.
        const waitMs = refusedForMs(ofAddress(caller), nowMs) || refusedForMs(ofId(caller), nowMs);
        if (waitMs > 0) return { kind: "refused", waitSeconds: Math.ceil(waitMs / 1_000) };
        const both = [ofAddress(caller), ofId(caller)];
        if (both.every((tries) => hasRoom(tries, nowMs))) {
          for (const { unanswered } of both) unanswered.set(request, nowMs);
          return { kind: "go", settle: (wasRefused) => settle(caller, request, wasRefused) };
        }
        await new Promise<void>((resolve) => clock.setTimeout(resolve, looksEveryMs));
      }
    },
  };
}

function refusedForMs(tries: Tries, nowMs: number): number {
  tries.refusedAtMs = tries.refusedAtMs.filter((atMs) => atMs > nowMs - refusalLastsMs);
  const [oldestMs] = tries.refusedAtMs;
  const isFull = oldestMs !== undefined && tries.refusedAtMs.length >= tries.mostRefusals;
  return isFull ? oldestMs + refusalLastsMs - nowMs : 0;
}

function hasRoom({ mostRefusals, refusedAtMs, unanswered }: Tries, nowMs: number): boolean {
  const remaining = mostRefusals - refusedAtMs.length;
  // Requests that hang may still be refused, so they free their places only once.
  if (unanswered.size >= remaining + mostRefusals) return false;
  return [...unanswered.values()].filter((sentAtMs) => sentAtMs > nowMs - hangsAfterMs).length < remaining;
}
