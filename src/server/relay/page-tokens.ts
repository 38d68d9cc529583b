/**
 * What the tokens stand for that the relay gives to pages: a consumer, a person, and the service's own token, which
 * no page ever holds. Kept under a digest, each environment and consumer for itself, so that the tokens of one cannot
 * push out those of another; bounded, in memory, gone with the process. Callers know the interface alone: data in and out, a
 * store that cannot be asked as an outcome, so that one over the network can stand behind it.
 */
import { hash } from "node:crypto";
import type { SteadyClock } from "../shared-quota/clock";

/** Nothing of it rejects. */
export interface PageTokens {
  keep(environment: string, token: string, grant: PageGrant): Promise<"kept" | "away">;
  find(environment: string, token: string): Promise<FoundToken>;
  /** The service has refused what it stands for; where that cannot be kept, it refuses again. */
  end(environment: string, token: string): Promise<"ended" | "away">;
}

/** Who may ask: as whom the service was asked for its token. */
export interface Holder {
  readonly consumerId: string;
  readonly person: string;
  /** For so long their calls count as those of all newcomers of their address. */
  readonly newcomer: { readonly name: string; readonly forMs: number } | null;
}

export interface PageGrant extends Holder {
  readonly serviceToken: string;
  /** The person is a session's, and the token ends with it. */
  readonly isBySession: boolean;
  readonly lifetimeMs: number;
}

export type FoundToken =
  | { readonly kind: "known"; readonly holder: Holder; readonly serviceToken: string }
  /** It may no longer be used; by it a person can still be told from others. */
  | { readonly kind: "ended"; readonly holder: Holder }
  | { readonly kind: "unknown" }
  /** The store cannot be asked now. */
  | { readonly kind: "away" };

interface Kept {
  readonly holder: Holder;
  serviceToken: string | null;
  readonly isBySession: boolean;
  readonly keptAtMs: number;
  readonly endsAtMs: number;
}

export interface PageTokensOptions {
  readonly clock: Pick<SteadyClock, "now">;
  /** Where people sign in. */
  readonly sessions?: { isIn(person: string): Promise<"in" | "out" | "away"> } | undefined;
  /** Of a consumer in an environment; beyond that its oldest are forgotten. */
  readonly most?: number;
}

/** As long as turns remember who had how many calls. */
export const rememberedMs = 60_000;

export function createPageTokens({ clock, sessions, most = 10_000 }: PageTokensOptions): PageTokens {
  /** By environment and digest. */
  const tokens = new Map<string, Kept>();
  /** Keys of these, oldest first, by environment and consumer. */
  const shares = new Map<string, Set<string>>();

  function isOver({ endsAtMs }: Kept, sinceMs = 0): boolean {
    return endsAtMs + sinceMs <= clock.now();
  }

  function asItStands({ holder, keptAtMs }: Kept): Holder {
    const { name = "", forMs = 0 } = holder.newcomer ?? {};
    const leftMs = forMs - (clock.now() - keptAtMs);
    return { ...holder, newcomer: leftMs > 0 ? { name, forMs: leftMs } : null };
  }

  /** Those that have ended are at the front, or soon will be. */
  function forgetOldest(share: Set<string>): void {
    for (const key of share) {
      const oldest = tokens.get(key);
      if (oldest !== undefined && share.size < most && !isOver(oldest, rememberedMs)) return;
      share.delete(key);
      tokens.delete(key);
    }
  }

  async function find(environment: string, token: string): Promise<FoundToken> {
    const kept = tokens.get(keyOf(environment, token));
    if (kept === undefined || isOver(kept, rememberedMs)) return { kind: "unknown" };
    const { serviceToken } = kept;
    const holder = asItStands(kept);
    const isIn = kept.isBySession ? await sessions?.isIn(holder.person) : "in";
    if (isIn === "away") return { kind: "away" };
    return isIn !== "in" || serviceToken === null || isOver(kept)
      ? { kind: "ended", holder }
      : { kind: "known", holder, serviceToken };
  }

  return {
    keep(environment, token, { consumerId, person, newcomer, lifetimeMs, ...grant }) {
      // Some services take a consumer ID in any letter case.
      const shareKey = `${environment} ${consumerId.toLowerCase()}`;
      const share = shares.get(shareKey) ?? new Set<string>();
      shares.set(shareKey, share);
      forgetOldest(share);
      const holder = { consumerId, person, newcomer };
      const key = keyOf(environment, token);
      share.add(key);
      tokens.set(key, {
        holder,
        serviceToken: grant.serviceToken,
        isBySession: grant.isBySession,
        keptAtMs: clock.now(),
        endsAtMs: clock.now() + lifetimeMs,
      });
      return Promise.resolve("kept");
    },
    find,
    end(environment, token) {
      const kept = tokens.get(keyOf(environment, token));
      if (kept !== undefined) kept.serviceToken = null;
      return Promise.resolve("ended");
    },
  };
}

/** So that nothing here is a token of ours. As bytes: each call needs one. */
function keyOf(environment: string, token: string): string {
  return `${environment} ${hash("sha256", token, "binary")}`;
}
