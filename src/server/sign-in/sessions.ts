/**
 * Sign-in sessions. A session is an opaque text in the panes of one person, and opens one environment. It ends after some time
 * without use, and in any case after a longer time. The store finds it by the person's ID, a digest of the text and the
 * environment's addresses. The text encrypts the refresh token, so readers of the store can't use it.
 */
import type { Bind } from "../bound-environment";
import { digestOf, unguessable } from "../digest";
import type { Away, KeyedStore, ListedEntry, Unknown } from "../keyed-store/keyed-store";

/** A person, by the provider's last answer. */
export interface SignedIn extends Named {
  /** Used to ask the provider whether they may still come in; null if it gave none. */
  readonly refreshToken: string | null;
  /** Whether their claims let them publish templates. */
  readonly mayPublish: boolean;
}

export interface Named {
  /** The provider's ID of the person, which never changes. */
  readonly subject: string;
  readonly name: string;
}

export interface SignInSession extends Named {
  /** Names the person in the quota's turns. It opens nothing. */
  readonly person: string;
  readonly environment: string;
  readonly startedAgoMs: number;
  readonly usedAgoMs: number;
  /** However much it is used. */
  readonly endsInMs: number;
}

export type FoundSession =
  { readonly kind: "found"; readonly session: SignInSession & SignedIn } | Unknown | Away;

/** No method rejects. */
export interface Sessions {
  readonly idleMs: number;
  readonly totalMs: number;
  /** `text` is for the pane. */
  begin(
    environment: string,
    signedIn: SignedIn,
  ): Promise<{ readonly kind: "begun"; readonly text: string } | Away>;
  /** Counts as use. Only the text decrypts the refresh token. */
  find(environment: string, text: string): Promise<FoundSession>;
  /**
   * Whether the provider was last asked at least so long ago. After "due" the caller must ask it; others get "not-due" for a
   * while, because a provider may accept a refresh token only once.
   */
  isDue(person: string, afterMs: number): Promise<"due" | "not-due" | "away">;
  /** Stores that the provider has just let the person in again. */
  confirm(environment: string, text: string, signedIn: SignedIn): Promise<"kept" | "away">;
  isIn(person: string): Promise<"in" | "out" | "away">;
  end(person: string): Promise<{ readonly kind: "ended"; readonly session: SignInSession } | Unknown | Away>;
  /** All current sessions, the latest first. */
  list(): Promise<{ readonly kind: "listed"; readonly sessions: readonly SignInSession[] } | Away>;
}

export interface SessionsOptions {
  readonly store: KeyedStore;
  readonly bind: Bind;
  readonly idleMs: number;
  readonly totalMs: number;
}

export const mostSessions = 10_000;
/** Longer than a request to the provider takes. */
export const askedForMs = 45_000;

const index = { name: "sessions", most: mostSessions };

/** What readers of the store see of a session. */
interface SessionText extends Named {
  readonly person: string;
  readonly environment: string;
  /** The session's age when the provider was last asked. */
  readonly checkedAtAgeMs: number;
}

type Claimed = Pick<SignedIn, "refreshToken" | "mayPublish">;

/** The name of the store's entry, which exists as long as the session. */
export function sessionName(person: string): string {
  return `session ${person}`;
}

export function createSessions({ store, bind, idleMs, totalMs }: SessionsOptions): Sessions {
  const personOf = (environment: string, text: string) =>
    digestOf(`${bind(environment)} ${text}`).slice(0, 16);

  return {
    idleMs,
    totalMs,
    async begin(environment, signedIn) {
      const text = unguessable();
      const person = personOf(environment, text);
      const { subject, name } = signedIn;
      const about: SessionText = { person, environment, subject, name, checkedAtAgeMs: 0 };
      const outcome = await store.put(sessionName(person), {
        text: JSON.stringify(about),
        secret: secretOf(text, signedIn),
        lastsMs: totalMs,
        idleMs,
        indexes: [index],
      });
      return outcome === "away" ? { kind: "away" } : { kind: "begun", text };
    },
    async find(environment, text) {
      const found = await store.get(sessionName(personOf(environment, text)), text);
      if (found.kind !== "found") return found;
      const { refreshToken, mayPublish } = readClaimed(found.secret);
      return { kind: "found", session: { ...sessionOf(found), refreshToken, mayPublish } };
    },
    async isDue(person, afterMs) {
      const found = await store.get(sessionName(person));
      if (found.kind !== "found") return found.kind === "away" ? "away" : "not-due";
      const about = readText(found);
      if (found.ageMs < about.checkedAtAgeMs + afterMs) return "not-due";
      const checkedAtAgeMs = found.ageMs - afterMs + askedForMs;
      const outcome = await store.replace(sessionName(person), {
        expectedText: found.text,
        text: JSON.stringify({ ...about, checkedAtAgeMs }),
      });
      if (outcome === "away") return "away";
      return outcome === "kept" ? "due" : "not-due";
    },
    async confirm(environment, text, signedIn) {
      const name = sessionName(personOf(environment, text));
      const found = await store.get(name);
      if (found.kind !== "found") return found.kind === "away" ? "away" : "kept";
      const about = { ...readText(found), name: signedIn.name, checkedAtAgeMs: found.ageMs };
      const change = { text: JSON.stringify(about), secret: secretOf(text, signedIn) };
      return (await store.replace(name, change)) === "away" ? "away" : "kept";
    },
    async isIn(person) {
      const { kind } = await store.get(sessionName(person));
      if (kind === "away") return "away";
      return kind === "found" ? "in" : "out";
    },
    async end(person) {
      const found = await store.get(sessionName(person));
      if (found.kind !== "found") return found;
      const outcome = await store.delete(sessionName(person));
      return outcome === "deleted" ? { kind: "ended", session: sessionOf(found) } : { kind: outcome };
    },
    async list() {
      const listed = await store.list(index.name);
      if (listed.kind === "away") return listed;
      const sessions = listed.entries.map(sessionOf);
      return {
        kind: "listed",
        sessions: sessions.sort((left, right) => left.startedAgoMs - right.startedAgoMs),
      };
    },
  };
}

function secretOf(key: string, { refreshToken, mayPublish }: Claimed) {
  return { key, text: JSON.stringify({ refreshToken, mayPublish }) };
}

function readClaimed(secret: string | null): Claimed {
  return secret === null ? { refreshToken: null, mayPublish: false } : (JSON.parse(secret) as Claimed);
}

function readText({ text }: ListedEntry): SessionText {
  return JSON.parse(text) as SessionText;
}

function sessionOf(entry: ListedEntry): SignInSession {
  const { person, environment, subject, name } = readText(entry);
  const { ageMs: startedAgoMs, usedAgoMs, endsInMs } = entry;
  return { person, environment, subject, name, startedAgoMs, usedAgoMs, endsInMs };
}
