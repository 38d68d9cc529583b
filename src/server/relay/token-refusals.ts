/**
 * Limits attempts to guess secrets through the relay. `tries` defines the rule. This module keeps this
 * process's counts and its waiting requests. It never sees a secret.
 */
import { LRUCache } from "lru-cache";
import type { SteadyClock } from "../shared-quota/clock";
import { endTry, hangsAfterMs, noTries, startTry, type Tries } from "./tries";

export interface TokenCaller {
  readonly address: string;
  /** A token address and a client ID in lower case. */
  readonly id: string;
}

export type Permission =
  /** The caller calls `settle` once, when the request has ended. */
  | { readonly kind: "go"; readonly settle: (wasRefused: boolean) => void }
  | RefusedHere
  /** The counts in Redis can't be read. */
  | { readonly kind: "away" };

interface RefusedHere {
  readonly kind: "refused";
  readonly waitSeconds: number;
}

export interface TokenRefusals {
  admit(caller: TokenCaller): Promise<Permission>;
}

/**
 * Applies to addresses and client IDs separately. One address can't add more than a hundred IDs, so it can't
 * evict those of others.
 */
export const maxRemembered = 10_000;

interface Remembered extends Tries {
  readonly waiting: Set<() => void>;
}

export function createTokenRefusals(clock: SteadyClock): TokenRefusals {
  const ofIds = new LRUCache<string, Remembered>({ max: maxRemembered, dispose: wakeAll });
  const ofAddresses = new LRUCache<string, Remembered>({ max: maxRemembered, dispose: wakeAll });
  let requests = 0;

  function triesOf({ address, id }: TokenCaller): {
    readonly ofAddress: Remembered;
    readonly ofId: Remembered;
    remember(): void;
  } {
    const idKey = `${address} ${id}`;
    const ofAddress = ofAddresses.get(address) ?? { ...noTries(), waiting: new Set() };
    const ofId = ofIds.get(idKey) ?? { ...noTries(), waiting: new Set() };
    return {
      ofAddress,
      ofId,
      remember() {
        ofAddresses.set(address, ofAddress);
        ofIds.set(idKey, ofId);
      },
    };
  }

  function changeOf(kinds: readonly Remembered[]): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clock.clearTimeout(timer);
        for (const { waiting } of kinds) waiting.delete(wake);
        resolve();
      };
      const timer = clock.setTimeout(wake, hangsAfterMs);
      for (const { waiting } of kinds) waiting.add(wake);
    });
  }

  function settle(caller: TokenCaller, name: string, wasRefused: boolean): void {
    const tries = triesOf(caller);
    endTry(tries, { name, wasRefused }, clock.now());
    tries.remember();
    wakeAll(tries.ofAddress);
    wakeAll(tries.ofId);
  }

  return {
    async admit(caller) {
      const name = String((requests += 1));
      for (;;) {
        const tries = triesOf(caller);
        const verdict = startTry(tries, name, clock.now());
        if (verdict.kind === "refused") return refusedFor(verdict.waitMs);
        tries.remember();
        if (verdict.kind === "allowed") {
          return { kind: "go", settle: (wasRefused) => settle(caller, name, wasRefused) };
        }
        await changeOf([tries.ofAddress, tries.ofId]);
      }
    },
  };
}

export function refusedFor(waitMs: number): RefusedHere {
  return { kind: "refused", waitSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
}

/** Each waiting request then applies the rule again. */
function wakeAll({ waiting }: Remembered): void {
  for (const wake of [...waiting]) wake();
}
