/**
 * Sign-ins in progress. First a person is at the provider: the returned state finds the flow, and the browser's cookie opens
 * it. Then a short code waits for the pane that began, which proves that with its verifier; challenge and code open what the
 * provider said. Each works once and expires soon. Their number is limited in all and for each address.
 */
import { randomInt } from "node:crypto";
import type { Bind } from "../bound-environment";
import { digestOf, unguessable } from "../digest";
import type { Away, KeyedStore, NewEntry, Unknown } from "../keyed-store/keyed-store";
import type { SignedIn } from "./sessions";

export interface Flow {
  /** The window's address, or its network. */
  readonly address: string;
  readonly environment: string;
  /** The digest of the pane's verifier (S256 of PKCE). */
  readonly challenge: string;
  /** What shows the sign-in: Office's dialog, or a window that the pane opened. */
  readonly via: "dialog" | "popup";
  readonly nonce: string;
  /** For the provider. The pane has its own. */
  readonly codeVerifier: string;
}

/** No method rejects. */
export interface Flows {
  /** Returns the state for the provider and the value of the browser's cookie. */
  begin(
    flow: Flow,
  ): Promise<{ readonly kind: "begun"; readonly state: string; readonly browser: string } | Away>;
  /** Returns the flow, if it comes back in the same browser. Any other browser gets "unknown", and ends the flow too. */
  back(
    state: string,
    browser: string | null,
  ): Promise<{ readonly kind: "back"; readonly flow: Flow } | Unknown | Away>;
  /** Returns the code for the pane that began. */
  offer(flow: Flow, signedIn: SignedIn): Promise<{ readonly kind: "offered"; readonly code: string } | Away>;
  /** Returns whose code it is, if the verifier is that of the pane that began. */
  take(
    environment: string,
    code: string,
    verifier: string,
  ): Promise<{ readonly kind: "taken"; readonly signedIn: SignedIn } | Unknown | Away>;
}

/** Time for a second factor. */
const atProviderMs = 600_000;
/** Time to type the code, if the window can't hand it over. */
const offeredMs = 300_000;
const triesAtCode = 5;

/** Without letters that look or sound alike. */
const letters = "ABCDEFGHJKMNPQRSTVWXYZ23456789";
const codeLetters = 8;

const most = 10_000;
/** Enough for an office that starts work at the same time behind one address. */
const mostOfAnAddress = 500;

export function createFlows({ store, bind }: { readonly store: KeyedStore; readonly bind: Bind }): Flows {
  const challengeName = (environment: string, challenge: string) =>
    `code ${digestOf(`${bind(environment)} ${challenge}`)}`;

  return {
    async begin(flow) {
      const [state, browser] = [unguessable(), unguessable()];
      const outcome = await store.put(`flow ${digestOf(state)}`, {
        text: "",
        secret: { key: browser, text: JSON.stringify({ flow, bound: bind(flow.environment) }) },
        lastsMs: atProviderMs,
        tries: 1,
        indexes: indexesOf("flows", flow.address),
      });
      return outcome === "kept" ? { kind: "begun", state, browser } : { kind: "away" };
    },
    async back(state, browser) {
      const found = await store.get(`flow ${digestOf(state)}`, browser ?? "");
      if (found.kind === "away") return found;
      if (found.kind === "unknown" || found.secret === null) return { kind: "unknown" };
      const { flow, bound } = JSON.parse(found.secret) as { readonly flow: Flow; readonly bound: string };
      return bound === bind(flow.environment) ? { kind: "back", flow } : { kind: "unknown" };
    },
    async offer({ environment, challenge, address }, signedIn) {
      const code = newCode();
      const outcome = await store.put(challengeName(environment, challenge), {
        text: "",
        secret: { key: `${challenge} ${code}`, text: JSON.stringify(signedIn) },
        lastsMs: offeredMs,
        // The last try deletes the entry, so its code can't be taken.
        tries: triesAtCode + 1,
        indexes: indexesOf("codes", address),
      });
      return outcome === "kept" ? { kind: "offered", code } : { kind: "away" };
    },
    async take(environment, code, verifier) {
      const challenge = digestOf(verifier);
      const name = challengeName(environment, challenge);
      const found = await store.get(name, `${challenge} ${normalized(code)}`);
      if (found.kind !== "found") return found;
      if (found.secret === null) return { kind: "unknown" };
      // Only one of two requests at once gets it.
      const outcome = await store.delete(name);
      if (outcome === "away") return { kind: "away" };
      return outcome === "deleted"
        ? { kind: "taken", signedIn: JSON.parse(found.secret) as SignedIn }
        : { kind: "unknown" };
    },
  };
}

function indexesOf(kind: string, address: string): NewEntry["indexes"] {
  return [
    { name: kind, most },
    { name: `${kind} at ${digestOf(address)}`, most: mostOfAnAddress },
  ];
}

function newCode(): string {
  return Array.from({ length: codeLetters }, () => letters[randomInt(letters.length)]).join("");
}

/** People may type lower case, blanks and dashes. */
function normalized(code: string): string {
  return code.toUpperCase().replace(/[^A-Z0-9]/g, "");
}
