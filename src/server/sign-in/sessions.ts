/**
 * Sign-in sessions. A session is an opaque text in one person's panes, and gives access to one environment.
 * It ends after an idle time, and at the latest after a total time. Its store name is the person's ID, a
 * digest of the text and the environment's addresses. The text encrypts the refresh token, so readers of the
 * store can't use it.
 */
import type { Bind } from "../environments";
import { digestOf, unguessable } from "../digest";
import type { Away, KeyedStore, ListedEntry, Unknown } from "../keyed-store/keyed-store";

export interface SignedIn extends Named {
  /** Used to ask the provider whether the person is still allowed. Null if the provider issued none. */
  readonly refreshToken: string | null;
  readonly mayPublish: boolean;
}

export interface Named {
  /** The provider's ID of the person, which never changes. */
  readonly subject: string;
  readonly name: string;
}

export interface SignInSession extends Named {
  /** Identifies the person in the quota's turns. It grants no access. */
  readonly person: string;
  readonly environment: string;
  readonly startedAgoMs: number;
  readonly usedAgoMs: number;
  /** Time left even if the session stays in use. */
  readonly endsInMs: number;
}

type FoundSession = { readonly kind: "found"; readonly session: SignInSession & SignedIn } | Unknown | Away;

/** No method rejects. */
export interface Sessions {
  readonly totalMs: number;
  /** `text` goes to the pane. */
  begin(
    environment: string,
    signedIn: SignedIn,
  ): Promise<{ readonly kind: "begun"; readonly text: string } | Away>;
  /** Counts as use. Only `text` decrypts the refresh token. */
  find(environment: string, text: string): Promise<FoundSession>;
  /**
   * Returns whether the provider was last asked at least `afterMs` ago. After "due", the caller must ask it.
   * Other callers get "not-due" for a while, because a provider may accept a refresh token only once.
   */
  isDue(person: string, afterMs: number): Promise<"due" | "not-due" | "away">;
  confirm(environment: string, text: string, signedIn: SignedIn): Promise<"kept" | "away">;
  end(person: string): Promise<{ readonly kind: "ended"; readonly session: SignInSession } | Unknown | Away>;
  /** Lists all current sessions, newest first. */
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
const askedForMs = 45_000;

/** A person's devices and workbooks; one more ends the session that was used least recently. */
const mostOfPerson = 20;

const index = { name: "sessions", maxEntries: mostSessions };

/** The part of a session that readers of the store can see. */
interface SessionText extends Named {
  readonly person: string;
  readonly environment: string;
  readonly checkedAtAgeMs: number;
}

type Claimed = Pick<SignedIn, "refreshToken" | "mayPublish">;

/** Returns the name of the store's entry, which exists as long as the session. */
export function sessionName(person: string): string {
  return `session ${person}`;
}

export function createSessions({ store, bind, idleMs, totalMs }: SessionsOptions): Sessions {
  const personOf = (environment: string, text: string) =>
    digestOf(`${bind(environment)} ${text}`).slice(0, 16);

  return {
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
        indexes: [
          index,
          { name: `sessions of ${digestOf(`${bind(environment)} ${subject}`)}`, maxEntries: mostOfPerson },
        ],
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
      const { checkedAtAgeMs } = readText(found);
      if (found.ageMs < checkedAtAgeMs + afterMs) return "not-due";
      // After an answer, the name is a new one, so that the provider can be asked again at once.
      const outcome = await store.claim(`asked ${person} ${checkedAtAgeMs}`, askedForMs);
      if (outcome === "away") return "away";
      return outcome === "claimed" ? "due" : "not-due";
    },
    async confirm(environment, text, signedIn) {
      const name = sessionName(personOf(environment, text));
      const found = await store.get(name);
      if (found.kind !== "found") return found.kind === "away" ? "away" : "kept";
      const about = { ...readText(found), name: signedIn.name, checkedAtAgeMs: found.ageMs };
      const change = { text: JSON.stringify(about), secret: secretOf(text, signedIn) };
      return (await store.replace(name, change)) === "away" ? "away" : "kept";
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
