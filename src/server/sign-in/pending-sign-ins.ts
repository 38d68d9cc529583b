/**
 * Sign-ins in progress, in two steps. While a person is at the provider, nothing is stored: the state that the provider gives back
 * contains the pending sign-in, sealed with a random key of this process (with Redis, of all servers) and with the browser's cookie. So nobody can
 * push out a sign-in, however many they begin, in the same browser either. What has returned is stored, so that each works once. After
 * that, a short code waits for the pane that started the sign-in. The pane proves itself with its verifier. The challenge and the code
 * together decrypt the provider's answer. The number of waiting codes is limited in total and for each person.
 */
import { randomInt } from "node:crypto";
import type { Bind } from "../environments";
import { digestOf } from "../digest";
import { type Away, type KeyedStore, openSecret, sealSecret, type Unknown } from "../keyed-store/keyed-store";
import type { SignedIn } from "./sessions";

export interface PendingSignIn {
  readonly environment: string;
  /** The digest of the pane's verifier (S256 of PKCE). */
  readonly challenge: string;
  /** Whether Office's dialog shows the sign-in, or a window that the pane opened. */
  readonly via: "dialog" | "popup";
  readonly nonce: string;
  /** The verifier for the provider. The pane has its own. */
  readonly codeVerifier: string;
  /** What the provider must ask even if it knows the person (OpenID Connect Core, 3.1.2.1). Null: only what it has to. */
  readonly prompt: "select_account" | "login" | null;
}

export interface PendingSignIns {
  /** Returns the state for the provider. `browser` is the browser's cookie. No method rejects. */
  begin(
    pending: PendingSignIn,
    browser: string,
  ): Promise<{ readonly kind: "begun"; readonly state: string } | Away>;
  /** Returns the pending sign-in once, if the same browser comes back in time. */
  back(
    state: string,
    browser: string,
  ): Promise<{ readonly kind: "back"; readonly pending: PendingSignIn } | Unknown | Away>;
  offer(
    pending: PendingSignIn,
    signedIn: SignedIn,
  ): Promise<{ readonly kind: "offered"; readonly code: string } | Away>;
  /** Returns the signed-in person if the verifier is that of the pane that started the sign-in. */
  take(
    environment: string,
    code: string,
    verifier: string,
  ): Promise<{ readonly kind: "taken"; readonly signedIn: SignedIn } | Unknown | Away>;
}

const keyName = "sign-in key";
const sealedAs = "flow";

/** Leaves time for a second factor. */
const atProviderMs = 600_000;
/** Leaves time to type the code, if the window can't hand it over. */
const offeredMs = 300_000;
const triesAtCode = 5;

/** Excludes letters that look or sound alike. */
const letters = "ABCDEFGHJKMNPQRSTVWXYZ23456789";
const codeLetters = 8;

const mostCodes = 10_000;
const mostCodesOfPerson = 20;

export interface PendingSignInsOptions {
  readonly store: KeyedStore;
  readonly bind: Bind;
  /** Milliseconds since 1970. Another server may have begun it, so this is no monotonic clock. */
  readonly wallNow?: () => number;
}

export function createPendingSignIns({
  store,
  bind,
  wallNow = Date.now,
}: PendingSignInsOptions): PendingSignIns {
  const challengeName = (environment: string, challenge: string) =>
    `code ${digestOf(`${bind(environment)} ${challenge}`)}`;

  function openState(state: string, key: string): PendingSignIn | null {
    const text = openSecret(sealedAs, key, Buffer.from(state, "base64url"));
    if (text === null || text === "") return null;
    const { pending, bound, untilMs } = JSON.parse(text) as SealedSignIn;
    return bound === bind(pending.environment) && wallNow() < untilMs ? pending : null;
  }

  return {
    async begin(pending, browser) {
      const shared = await store.shared(keyName);
      if (shared.kind === "away") return shared;
      const sealed: SealedSignIn = {
        pending,
        bound: bind(pending.environment),
        untilMs: wallNow() + atProviderMs,
      };
      const secret = { key: `${shared.text} ${browser}`, text: JSON.stringify(sealed) };
      return { kind: "begun", state: sealSecret(sealedAs, secret).toString("base64url") };
    },
    async back(state, browser) {
      const shared = await store.shared(keyName);
      if (shared.kind === "away") return shared;
      const pending = openState(state, `${shared.text} ${browser}`);
      if (pending === null) return { kind: "unknown" };
      // Not the state: the same bytes have several spellings.
      const claim = await store.claim(`used ${digestOf(pending.nonce)}`, atProviderMs);
      if (claim === "away") return { kind: "away" };
      return claim === "claimed" ? { kind: "back", pending } : { kind: "unknown" };
    },
    async offer({ environment, challenge }, signedIn) {
      const code = newCode();
      const outcome = await store.put(challengeName(environment, challenge), {
        text: "",
        secret: { key: `${challenge} ${code}`, text: JSON.stringify(signedIn) },
        lastsMs: offeredMs,
        // The store deletes the entry at its last try, before the code can be taken.
        tries: triesAtCode + 1,
        indexes: [
          { name: "codes", maxEntries: mostCodes },
          {
            name: `codes of ${digestOf(`${bind(environment)} ${signedIn.subject}`)}`,
            maxEntries: mostCodesOfPerson,
          },
        ],
      });
      return outcome === "kept" ? { kind: "offered", code } : { kind: "away" };
    },
    async take(environment, code, verifier) {
      const challenge = digestOf(verifier);
      const name = challengeName(environment, challenge);
      const found = await store.get(name, `${challenge} ${normalized(code)}`);
      if (found.kind !== "found") return found;
      if (found.secret === null) return { kind: "unknown" };
      // If two requests arrive at once, only one gets the code.
      const outcome = await store.delete(name);
      if (outcome === "away") return { kind: "away" };
      return outcome === "deleted"
        ? { kind: "taken", signedIn: JSON.parse(found.secret) as SignedIn }
        : { kind: "unknown" };
    },
  };
}

interface SealedSignIn {
  readonly pending: PendingSignIn;
  readonly bound: string;
  readonly untilMs: number;
}

function newCode(): string {
  return Array.from({ length: codeLetters }, () => letters[randomInt(letters.length)]).join("");
}

/** Accepts lowercase letters, spaces and dashes, because people type the code. */
function normalized(code: string): string {
  return code.toUpperCase().replace(/[^A-Z0-9]/g, "");
}
