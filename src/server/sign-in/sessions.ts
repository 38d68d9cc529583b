/**
 * Who is signed in. A session is an opaque text in the panes of one person, and opens one environment. It ends when it isn't
 * used for a time, and in any case after a longer one. The store finds it by the person's id, which is a digest of the text and
 * of the environment's addresses. The text is the key of what the provider said, so the store can't use the refresh token.
 */
import type { Bind } from "../bound-environment";
import { digestOf, unguessable } from "../digest";
import type { Away, KeyedStore, ListedEntry, Unknown } from "../keyed-store/keyed-store";

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
  readonly store: KeyedStore;
  readonly bind: Bind;
  readonly idleMs: number;
  readonly totalMs: number;
}

export const mostSessions = 10_000;
/** Longer than a request to the provider takes. */
export const askedForMs = 45_000;

const index = { name: "sessions", most: mostSessions };

/** What the store may read of a session. */
interface SessionText extends Named {
  readonly person: string;
  readonly environment: string;
  /** The session's age when the provider was last asked. */
  readonly checkedAtAgeMs: number;
}

type Claimed = Pick<SignedIn, "refreshToken" | "mayPublish">;

/** Names the store's entry, which exists as long as the session. */
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
