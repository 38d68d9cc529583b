/**
 * Whose token is it? The consumer named in the token request that obtained a token through this server. Held as
 * a digest, so that nothing here opens the service; bounded, and gone with the process. A token that is not
 * known (obtained before a restart, or elsewhere) has no owner, and its calls share nothing.
 */
import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { SteadyClock } from "./clock";

export interface TokenOwners {
  learn(grant: TokenGrant): Promise<void>;
  /** The consumer ID, or null when it is not known. */
  ownerOf(environment: string, token: string): Promise<string | null>;
}

export interface TokenGrant {
  readonly environment: string;
  readonly token: string;
  readonly consumerId: string;
  readonly lifetimeMs: number;
}

const mostTokens = 10_000;

export function createTokenOwners(clock: SteadyClock): TokenOwners {
  const owners = new LRUCache<string, { readonly consumerId: string; readonly endsAtMs: number }>({
    max: mostTokens,
  });

  return {
    learn({ environment, token, consumerId, lifetimeMs }) {
      owners.set(digest(environment, token), { consumerId, endsAtMs: clock.now() + lifetimeMs });
      return Promise.resolve();
    },
    ownerOf(environment, token) {
      const owner = owners.get(digest(environment, token));
      const isKnown = owner !== undefined && clock.now() < owner.endsAtMs;
      return Promise.resolve(isKnown ? owner.consumerId : null);
    },
  };
}

/** The environment is part of it: the same text may be another's token elsewhere. As bytes: each call needs one. */
function digest(environment: string, token: string): string {
  return hash("sha256", `${environment}\n${token}`, "binary");
}
