/**
 * Keeps the relay from being a place to guess secrets: after ten refused token requests within a minute for one address
 * and client ID, or a hundred of one address whatever IDs it names, the next are refused here until the oldest of them is
 * a minute old. Accepted requests never count, since a whole office may share an address. Of those that are not
 * answered yet no more go at a time than could still be refused; the others wait their turn, so that a thousand guesses
 * at once get no further than one after the other. A service that leaves requests hanging holds up others for two seconds.
 * Knows no secret.
 */
import { LRUCache } from "lru-cache";
import type { SteadyClock } from "../company/clock";

export interface TokenCaller {
  readonly address: string;
  /** What is asked for, however it was spelt: a client ID at a token service. */
  readonly id: string;
}

export type Permission =
  /** `settle` must be called once, when it has ended. */
  | { readonly kind: "go"; readonly settle: (wasRefused: boolean) => void }
  | { readonly kind: "refused"; readonly waitSeconds: number }
  /** Where they are counted cannot be asked now. */
  | { readonly kind: "away" };

export interface TokenRefusals {
  /** Waits until a token request may go, or is refused here. */
  admit(caller: TokenCaller): Promise<Permission>;
}

export const withinMs = 60_000;
export const mostRefusalsOfAnId = 10;
/** Ten IDs' worth: an office of forty whose secret was changed comes nowhere near it, since refusals here count for nothing. */
export const mostRefusalsOfAnAddress = 100;
/** Token services answer well within it. */
export const hangsAfterMs = 2_000;
/** Of each kind. One address makes no more than a hundred IDs to remember, so it pushes out nobody's, nor its own. */
export const maxRemembered = 10_000;

/** What one address, or one client ID of it, has tried. */
interface Tries {
  refusedAtMs: number[];
  /** When those began that are not answered yet. */
  readonly begunAtMs: Set<{ readonly atMs: number }>;
  readonly waiting: Set<() => void>;
}

export function createTokenRefusals(clock: SteadyClock): TokenRefusals {
  const ofIds = new LRUCache<string, Tries>({ max: maxRemembered, dispose: wakeAll });
  const ofAddresses = new LRUCache<string, Tries>({ max: maxRemembered, dispose: wakeAll });

  function triesOf(remembered: LRUCache<string, Tries>, key: string): Tries {
    const tries = remembered.get(key) ?? { refusedAtMs: [], begunAtMs: new Set(), waiting: new Set() };
    remembered.set(key, tries);
    tries.refusedAtMs = tries.refusedAtMs.filter((atMs) => atMs > clock.now() - withinMs);
    return tries;
  }

  function refusedHere({ refusedAtMs }: Tries): Permission {
    const waitMs = (refusedAtMs[0] ?? 0) + withinMs - clock.now();
    return { kind: "refused", waitSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
  }

  function hasRoom({ refusedAtMs, begunAtMs }: Tries, most: number): boolean {
    const left = most - refusedAtMs.length;
    // Those that hang may yet be refused as well: they leave room once.
    if (begunAtMs.size >= left + most) return false;
    const [...begun] = begunAtMs;
    return begun.filter(({ atMs }) => atMs > clock.now() - hangsAfterMs).length < left;
  }

  function changeOf(kinds: readonly Tries[]): Promise<void> {
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

  function go({ address, id }: TokenCaller): Permission {
    const begun = { atMs: clock.now() };
    const kinds = () => [triesOf(ofAddresses, address), triesOf(ofIds, `${address} ${id}`)];
    for (const { begunAtMs } of kinds()) begunAtMs.add(begun);
    return {
      kind: "go",
      settle(wasRefused) {
        for (const tries of kinds()) {
          tries.begunAtMs.delete(begun);
          if (wasRefused) tries.refusedAtMs.push(clock.now());
          wakeAll(tries);
        }
      },
    };
  }

  return {
    async admit({ address, id }) {
      for (;;) {
        // First, so that who is refused here makes nothing to remember.
        const ofAddress = triesOf(ofAddresses, address);
        if (isOver(ofAddress, mostRefusalsOfAnAddress)) return refusedHere(ofAddress);
        const ofId = triesOf(ofIds, `${address} ${id}`);
        if (isOver(ofId, mostRefusalsOfAnId)) return refusedHere(ofId);
        if (hasRoom(ofAddress, mostRefusalsOfAnAddress) && hasRoom(ofId, mostRefusalsOfAnId)) {
          return go({ address, id });
        }
        await changeOf([ofAddress, ofId]);
      }
    },
  };
}

/** Each looks again whether it may go, must wait on, or is refused. */
function wakeAll({ waiting }: Tries): void {
  for (const wake of [...waiting]) wake();
}

function isOver({ refusedAtMs }: Tries, most: number): boolean {
  return refusedAtMs.length >= most;
}
