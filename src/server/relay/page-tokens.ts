/**
 * The tokens that the relay issues to pages. Each maps to a consumer, a person and the service's own token,
 * which pages never get. The page's token is the key that encrypts the service's token, so a reader of the
 * store can call neither INV nor the service. Entry names are bound to the environment's addresses. Each
 * consumer of an environment has its own index, so its new tokens evict only its own.
 */
import { LRUCache } from "lru-cache";
import { unawaited } from "../../domain/unawaited";
import type { Bind } from "../environments";
import { digestOf } from "../digest";
import type { KeyedStore } from "../keyed-store/keyed-store";
import { sessionName } from "../sign-in/sessions";

/** No method rejects. */
export interface PageTokens {
  keep(environment: string, token: string, grant: PageGrant): Promise<"kept" | "away">;
  find(environment: string, token: string): Promise<FoundToken>;
  /**
   * Ends a token that the service refused. If the store is away, the service refuses the token again at its
   * next use.
   */
  end(environment: string, token: string): Promise<"ended" | "away">;
}

export interface Holder {
  readonly consumerId: string;
  readonly person: string;
}

export interface PageGrant extends Holder {
  readonly serviceToken: string;
  /** The page's token before this one. It no longer counts, and ends soon. */
  readonly replaces: string | null;
  /** Whose tokens are limited together: a session's, or those of an address's and consumer's pages. */
  readonly group: string;
  readonly isBySession: boolean;
  readonly lifetimeMs: number;
}

type FoundToken =
  | {
      readonly kind: "known";
      readonly holder: Holder;
      readonly serviceToken: string;
      /** Time since the token was issued. */
      readonly ageMs: number;
    }
  /** The token is no longer valid, but still identifies the person. */
  | { readonly kind: "ended"; readonly holder: Holder }
  | { readonly kind: "unknown" }
  | { readonly kind: "away" };

/**
 * The most tokens of a session, or of an address and consumer. More evict the oldest of the same. An address has
 * as many again that were used at least twice, so a page with ever new tokens evicts only those of others that
 * are new too.
 */
const mostOfSession = 50;
const mostOfAddress = 500;
const mostSeen = 10_000;

/** How long the quota remembers a person's calls. */
const rememberedMs = 60_000;

export interface PageTokensOptions {
  readonly store: KeyedStore;
  readonly bind: Bind;
  readonly maxTokens?: number;
}

/** The part of a token that readers of the store can see. */
interface TokenText extends Holder {
  readonly lifetimeMs: number;
  /** Limits it together with the tokens of its address until it is used again; null afterwards. */
  readonly newIn: string | null;
}

interface TokenSecret {
  readonly serviceToken: string;
  readonly consumerId: string;
}

export function createPageTokens({ store, bind, maxTokens = 10_000 }: PageTokensOptions): PageTokens {
  const nameOf = (environment: string, token: string) => `token ${bind(environment)} ${digestOf(token)}`;
  /** New tokens that this server has seen in use. */
  const seen = new LRUCache<string, true>({ max: mostSeen });

  // Some services take a consumer ID in any letter case.
  const shareOf = (environment: string, consumerId: string) => ({
    name: `tokens ${bind(environment)} ${digestOf(consumerId.toLowerCase())}`,
    maxEntries: maxTokens,
  });

  /** Counts a new token with those in use when it is used again. */
  function countUse(environment: string, name: string, text: TokenText): void {
    if (text.newIn === null) return;
    if (!seen.has(name)) {
      seen.set(name, true);
      return;
    }
    seen.delete(name);
    // Not awaited: if the store is away, the token stays new until its next use but one.
    unawaited(
      store.replace(name, {
        text: JSON.stringify({ ...text, newIn: null } satisfies TokenText),
        indexes: [
          shareOf(environment, text.consumerId),
          { name: `tokens in use of ${text.newIn}`, maxEntries: mostOfAddress },
        ],
      }),
    );
  }

  return {
    async keep(environment, token, { serviceToken, isBySession, group, replaces, ...grant }) {
      const { consumerId, person, lifetimeMs } = grant;
      const owner = `${bind(environment)} ${digestOf(group)}`;
      const text: TokenText = { ...grant, newIn: isBySession ? null : owner };
      return store.put(nameOf(environment, token), {
        text: JSON.stringify(text),
        secret: { key: token, text: JSON.stringify({ serviceToken, consumerId } satisfies TokenSecret) },
        lastsMs: lifetimeMs + rememberedMs,
        indexes: [
          shareOf(environment, consumerId),
          { name: `tokens of ${owner}`, maxEntries: isBySession ? mostOfSession : mostOfAddress },
        ],
        ...(replaces !== null && { replaces: nameOf(environment, replaces) }),
        ...(isBySession && { parent: sessionName(person) }),
      });
    },
    async find(environment, token) {
      const found = await store.get(nameOf(environment, token), token);
      if (found.kind !== "found") return found;
      const text = JSON.parse(found.text) as TokenText;
      const { consumerId, person, lifetimeMs } = text;
      const holder: Holder = { consumerId, person };
      const isOver = found.isOrphan || found.ageMs >= lifetimeMs || found.secret === "";
      if (isOver) return { kind: "ended", holder };
      if (found.secret === null) return { kind: "unknown" };
      const secret = JSON.parse(found.secret) as TokenSecret;
      // Somebody with write access to the store has assigned the token to another consumer.
      if (secret.consumerId !== consumerId) return { kind: "unknown" };
      countUse(environment, nameOf(environment, token), text);
      return { kind: "known", holder, serviceToken: secret.serviceToken, ageMs: found.ageMs };
    },
    async end(environment, token) {
      const outcome = await store.replace(nameOf(environment, token), { secret: null });
      return outcome === "away" ? "away" : "ended";
    },
  };
}
