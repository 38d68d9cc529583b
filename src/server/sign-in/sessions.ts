/**
 * Who is signed in. A session is an opaque text that one person's panes hold; here is its digest, whose it is, and
 * until when it lasts: so long after it was last used, and never longer than so long in all. It opens one environment.
 * Callers know the interface alone: data in and out, ages in place of times, a store that cannot be asked as an outcome.
 * This one is in memory, bounded, gone with the process: a restart asks people to sign in again.
 */
import { LRUCache } from "lru-cache";
import type { SteadyClock } from "../shared-quota/clock";
import { digestOf, newPerson, unguessable } from "../digest";

/** Who came in, as the provider says. */
export interface SignedIn extends Named {
  /** By which the provider says whether they may still come in; null where it gave none. */
  readonly refreshToken: string | null;
  /** Their claims, when the provider was last asked, let them publish templates. */
  readonly mayPublish: boolean;
}

export interface Named {
  /** The provider's own, which never changes. */
  readonly subject: string;
  /** For people. */
  readonly name: string;
}

/** As it stands now. */
export interface SignInSession extends Named {
  /** Unguessable, and of no use to anybody: names the person in the quota's turns. */
  readonly person: string;
  readonly environment: string;
  readonly startedAgoMs: number;
  readonly usedAgoMs: number;
  /** In any case, however much it is used. */
  readonly endsInMs: number;
}

/** The store cannot be asked now. */
export interface Away {
  readonly kind: "away";
}
export interface Unknown {
  readonly kind: "unknown";
}

export type FoundSession =
  { readonly kind: "found"; readonly session: SignInSession & SignedIn } | Unknown | Away;

/** None of it rejects. */
export interface Sessions {
  readonly idleMs: number;
  readonly totalMs: number;
  /** `text` is what the panes hold. */
  begin(
    environment: string,
    signedIn: SignedIn,
  ): Promise<{ readonly kind: "begun"; readonly text: string } | Away>;
  /** As long as it lasts; being found counts as use. Who brings the text along gets the refresh token, and nobody else. */
  find(environment: string, text: string): Promise<FoundSession>;
  /**
   * Whether the provider was last asked so long ago, or longer: then who asks this is to ask it, and nobody else is told
   * the same for a while, since a provider may take a refresh token only once.
   */
  isDue(person: string, afterMs: number): Promise<"due" | "not-due" | "away">;
  /** The provider has just said that they may come in. */
  confirm(environment: string, text: string, signedIn: SignedIn): Promise<"kept" | "away">;
  isIn(person: string): Promise<"in" | "out" | "away">;
  end(person: string): Promise<{ readonly kind: "ended"; readonly session: SignInSession } | Unknown | Away>;
  /** All that last, the latest first. */
  list(): Promise<{ readonly kind: "listed"; readonly sessions: readonly SignInSession[] } | Away>;
}

export interface SessionsOptions {
  readonly clock: Pick<SteadyClock, "now">;
  readonly idleMs: number;
  readonly totalMs: number;
}

/** Beyond that, those that were not used for longest are ended. */
export const mostSessions = 10_000;
/** Longer than the provider is waited for. */
export const askedForMs = 45_000;

interface Kept {
  readonly person: string;
  readonly environment: string;
  readonly startedAtMs: number;
  readonly endsAtMs: number;
  lastUsedAtMs: number;
  checkedAtMs: number;
  signedIn: SignedIn;
}

export function createSessions({ clock, idleMs, totalMs }: SessionsOptions): Sessions {
  const byDigest = new LRUCache<string, Kept>({
    max: mostSessions,
    dispose: (kept) => void byPerson.delete(kept.person),
  });
  /** Digests. */
  const byPerson = new Map<string, string>();

  function lasting(digest: string | undefined): Kept | null {
    const kept = digest === undefined ? undefined : byDigest.peek(digest);
    if (digest === undefined || kept === undefined) return null;
    const nowMs = clock.now();
    if (nowMs < kept.endsAtMs && nowMs < kept.lastUsedAtMs + idleMs) return kept;
    byDigest.delete(digest);
    return null;
  }

  function begin(environment: string, signedIn: SignedIn): string {
    const text = unguessable();
    const nowMs = clock.now();
    const person = newPerson();
    const times = {
      startedAtMs: nowMs,
      lastUsedAtMs: nowMs,
      checkedAtMs: nowMs,
      endsAtMs: nowMs + totalMs,
    };
    byDigest.set(digestOf(text), { person, environment, signedIn, ...times });
    byPerson.set(person, digestOf(text));
    return text;
  }

  function find(environment: string, text: string): Kept | null {
    const digest = digestOf(text);
    const kept = lasting(digest);
    if (kept?.environment !== environment) return null;
    byDigest.get(digest);
    kept.lastUsedAtMs = clock.now();
    return kept;
  }

  function isDue(person: string, afterMs: number): boolean {
    const kept = lasting(byPerson.get(person));
    if (kept === null || clock.now() < kept.checkedAtMs + afterMs) return false;
    kept.checkedAtMs = clock.now() - afterMs + askedForMs;
    return true;
  }

  function confirm(environment: string, text: string, signedIn: SignedIn): void {
    const kept = lasting(digestOf(text));
    if (kept?.environment !== environment) return;
    kept.signedIn = signedIn;
    kept.checkedAtMs = clock.now();
  }

  function end(person: string): SignInSession | null {
    const digest = byPerson.get(person);
    const kept = lasting(digest);
    if (digest !== undefined) byDigest.delete(digest);
    return kept === null ? null : asItStands(kept);
  }

  function list(): readonly SignInSession[] {
    const all = [...byPerson.values()].map(lasting).filter((kept) => kept !== null);
    return all.sort((left, right) => right.startedAtMs - left.startedAtMs).map(asItStands);
  }

  function asItStands(kept: Kept): SignInSession {
    const { person, environment, startedAtMs, lastUsedAtMs, endsAtMs } = kept;
    const { subject, name } = kept.signedIn;
    const nowMs = clock.now();
    return {
      ...{ person, environment, subject, name },
      startedAgoMs: nowMs - startedAtMs,
      usedAgoMs: nowMs - lastUsedAtMs,
      endsInMs: endsAtMs - nowMs,
    };
  }

  return {
    idleMs,
    totalMs,
    begin: (environment, signedIn) => Promise.resolve({ kind: "begun", text: begin(environment, signedIn) }),
    find(environment, text) {
      const kept = find(environment, text);
      if (kept === null) return Promise.resolve({ kind: "unknown" });
      const { refreshToken, mayPublish } = kept.signedIn;
      return Promise.resolve({
        kind: "found",
        session: { ...asItStands(kept), refreshToken, mayPublish },
      });
    },
    isDue: (person, afterMs) => Promise.resolve(isDue(person, afterMs) ? "due" : "not-due"),
    confirm(...given) {
      confirm(...given);
      return Promise.resolve("kept");
    },
    isIn: (person) => Promise.resolve(lasting(byPerson.get(person)) === null ? "out" : "in"),
    end(person) {
      const session = end(person);
      return Promise.resolve(session === null ? { kind: "unknown" } : { kind: "ended", session });
    },
    list: () => Promise.resolve({ kind: "listed", sessions: list() }),
  };
}
