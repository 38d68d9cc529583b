/**
 * Sign-ins under way. First a person is at the provider: the state that comes back finds the flow, and the cookie says
 * that it is the same browser. Then they are back: a short code waits for the pane that began, which shows by its
 * verifier that it did. Each is used once; all of it is bounded, in all and for an address, and soon over.
 * Callers know the interface alone: a provider may send somebody back to another server than the one that began.
 */
import { randomInt } from "node:crypto";
import type { SteadyClock } from "../shared-quota/clock";
import { digestOf, isEqual, unguessable } from "../digest";
import { createPending } from "./pending";
import type { Away, SignedIn, Unknown } from "./sessions";

export interface Flow {
  /** Where the window is: an address, or the network of one. */
  readonly address: string;
  readonly environment: string;
  /** The digest of the verifier that the pane keeps (PKCE's S256). */
  readonly challenge: string;
  /** What shows the sign-in: Office's dialog, or a window that the pane opened. */
  readonly via: "dialog" | "popup";
  readonly nonce: string;
  /** For the provider; nothing to do with the pane's. */
  readonly codeVerifier: string;
}

/** None of it rejects. */
export interface Flows {
  /** The state for the provider and the mark for the browser's cookie. */
  begin(
    flow: Flow,
  ): Promise<{ readonly kind: "begun"; readonly state: string; readonly browser: string } | Away>;
  /** The flow that comes back in the same browser; unknown for any other, which ends it too. */
  back(
    state: string,
    browser: string | null,
  ): Promise<{ readonly kind: "back"; readonly flow: Flow } | Unknown | Away>;
  /** Somebody is signed in: the code for the pane that began. */
  offer(flow: Flow, signedIn: SignedIn): Promise<{ readonly kind: "offered"; readonly code: string } | Away>;
  /** Whose code it is, where the verifier is the pane's that began. */
  take(
    environment: string,
    code: string,
    verifier: string,
  ): Promise<{ readonly kind: "taken"; readonly signedIn: SignedIn } | Unknown | Away>;
}

/** A second factor takes its time. */
export const atProviderMs = 600_000;
/** To be typed, where it must be. */
export const offeredMs = 300_000;
export const triesAtCode = 5;

/** Without those that look or sound like others. */
const letters = "ABCDEFGHJKMNPQRSTVWXYZ23456789";
const codeLetters = 8;

interface Offer {
  readonly code: string;
  readonly signedIn: SignedIn;
  triesLeft: number;
}

export function createFlows(clock: SteadyClock): Flows {
  const atProvider = createPending<{ readonly flow: Flow; readonly browserDigest: string }>({
    clock,
    lastsMs: atProviderMs,
  });
  /** By environment and the pane's challenge. */
  const offers = createPending<Offer>({ clock, lastsMs: offeredMs });

  function take(key: string, code: string): SignedIn | null {
    const offer = offers.get(key);
    if (offer === null) return null;
    offer.triesLeft -= 1;
    const isRight = isEqual(code, offer.code);
    if (isRight || offer.triesLeft === 0) offers.delete(key);
    return isRight ? offer.signedIn : null;
  }

  return {
    begin(flow) {
      const [state, browser] = [unguessable(), unguessable()];
      atProvider.set(flow.address, state, { flow, browserDigest: digestOf(browser) });
      return Promise.resolve({ kind: "begun", state, browser });
    },
    back(state, browser) {
      const found = atProvider.get(state);
      atProvider.delete(state);
      const isSame = found !== null && browser !== null && isEqual(found.browserDigest, digestOf(browser));
      return Promise.resolve(isSame ? { kind: "back", flow: found.flow } : { kind: "unknown" });
    },
    offer({ environment, challenge, address }, signedIn) {
      const code = newCode();
      offers.set(address, keyOf(environment, challenge), { code, signedIn, triesLeft: triesAtCode });
      return Promise.resolve({ kind: "offered", code });
    },
    take(environment, code, verifier) {
      const signedIn = take(keyOf(environment, digestOf(verifier)), asTyped(code));
      return Promise.resolve(signedIn === null ? { kind: "unknown" } : { kind: "taken", signedIn });
    },
  };
}

export function newCode(): string {
  return Array.from({ length: codeLetters }, () => letters[randomInt(letters.length)]).join("");
}

function keyOf(environment: string, challenge: string): string {
  return `${environment} ${challenge}`;
}

/** However people type it. */
export function asTyped(code: string): string {
  return code.toUpperCase().replace(/[^A-Z0-9]/g, "");
}
