/**
 * Who is signed in. A session is an opaque text that one person's panes hold; here is its digest, whose it is, and
 * until when it lasts: so long after it was last used, and never longer than so long in all. It opens one environment.
 * In memory, bounded, gone with the process: a restart asks people to sign in again.
 */
import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { SteadyClock } from "../company/clock";
import { digestOf, unguessable } from "./digest";

/** Who came in, as the provider says. */
export interface SignedIn {
  /** The provider's own, which never changes. */
  readonly subject: string;
  /** For people. */
  readonly name: string;
  /** By which the provider says whether they may still come in; null where it gave none. */
  readonly refreshToken: string | null;
}

export interface Session {
  /** Unguessable, and of no use to anybody: names the person in the quota's turns. */
  readonly person: string;
  readonly environment: string;
  readonly startedAtMs: number;
  readonly endsAtMs: number;
  lastUsedAtMs: number;
  /** When the provider last said that they may come in. */
  checkedAtMs: number;
  signedIn: SignedIn;
}

export interface Sessions {
  readonly idleMs: number;
  readonly totalMs: number;
  /** Returns what the panes hold. */
  begin(environment: string, signedIn: SignedIn): string;
  /** As long as it lasts; being found counts as use. */
  find(environment: string, text: string): Session | null;
  isIn(person: string): boolean;
  end(person: string): Session | null;
  /** All that last, the latest first. */
  list(): readonly Session[];
}

export interface SessionsOptions {
  readonly clock: SteadyClock;
  readonly idleMs: number;
  readonly totalMs: number;
}

/** Beyond that, those that were not used for longest are ended. */
const most = 10_000;

export function createSessions({ clock, idleMs, totalMs }: SessionsOptions): Sessions {
  const byDigest = new LRUCache<string, Session>({
    max: most,
    dispose: (session) => void byPerson.delete(session.person),
  });
  /** Digests. */
  const byPerson = new Map<string, string>();

  function lasting(digest: string): Session | null {
    const session = byDigest.peek(digest);
    if (session === undefined) return null;
    const nowMs = clock.now();
    if (nowMs < session.endsAtMs && nowMs < session.lastUsedAtMs + idleMs) return session;
    byDigest.delete(digest);
    return null;
  }

  return {
    idleMs,
    totalMs,
    begin(environment, signedIn) {
      const text = unguessable();
      const nowMs = clock.now();
      const person = randomBytes(12).toString("base64url");
      const times = {
        startedAtMs: nowMs,
        lastUsedAtMs: nowMs,
        checkedAtMs: nowMs,
        endsAtMs: nowMs + totalMs,
      };
      byDigest.set(digestOf(text), { person, environment, signedIn, ...times });
      byPerson.set(person, digestOf(text));
      return text;
    },
    find(environment, text) {
      const digest = digestOf(text);
      const session = lasting(digest);
      if (session?.environment !== environment) return null;
      byDigest.get(digest);
      session.lastUsedAtMs = clock.now();
      return session;
    },
    isIn(person) {
      const digest = byPerson.get(person);
      return digest !== undefined && lasting(digest) !== null;
    },
    end(person) {
      const digest = byPerson.get(person);
      const session = digest === undefined ? null : lasting(digest);
      if (digest !== undefined) byDigest.delete(digest);
      return session;
    },
    list() {
      const all = [...byPerson.values()].map(lasting).filter((session) => session !== null);
      return all.sort((left, right) => right.startedAtMs - left.startedAtMs);
    },
  };
}
