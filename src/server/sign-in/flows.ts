/**
 * Sign-ins in progress, in two steps. While a person is at the provider, the returned state identifies the
 * flow, and the browser's cookie decrypts it. After that, a short code waits for the pane that started the
 * sign-in. The pane proves itself with its verifier. The challenge and the code together decrypt the
 * provider's answer. Each entry works once and expires soon. The number of entries is limited in total and
 * for each address.
 */
import { randomInt } from "node:crypto";
import type { Bind } from "../environments";
import { digestOf, unguessable } from "../digest";
import type { Away, KeyedStore, NewEntry, Unknown } from "../keyed-store/keyed-store";
import type { SignedIn } from "./sessions";

export interface Flow {
  /** The window's IP address, or its network. */
  readonly address: string;
  readonly environment: string;
  /** The digest of the pane's verifier (S256 of PKCE). */
  readonly challenge: string;
  /** Whether Office's dialog shows the sign-in, or a window that the pane opened. */
  readonly via: "dialog" | "popup";
  readonly nonce: string;
  /** The verifier for the provider. The pane has its own. */
  readonly codeVerifier: string;
}

/** No method rejects. */
export interface Flows {
  /** Returns the state for the provider and the value of the browser's cookie. */
  begin(
    flow: Flow,
  ): Promise<{ readonly kind: "begun"; readonly state: string; readonly browser: string } | Away>;
  /** Returns the flow if the same browser comes back. Any other browser gets "unknown", and the flow ends. */
  back(
    state: string,
    browser: string | null,
  ): Promise<{ readonly kind: "back"; readonly flow: Flow } | Unknown | Away>;
  offer(flow: Flow, signedIn: SignedIn): Promise<{ readonly kind: "offered"; readonly code: string } | Away>;
  /** Returns the signed-in person if the verifier is that of the pane that started the sign-in. */
  take(
    environment: string,
    code: string,
    verifier: string,
  ): Promise<{ readonly kind: "taken"; readonly signedIn: SignedIn } | Unknown | Away>;
}

/** Leaves time for a second factor. */
const atProviderMs = 600_000;
/** Leaves time to type the code, if the window can't hand it over. */
const offeredMs = 300_000;
const triesAtCode = 5;

/** Excludes letters that look or sound alike. */
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
        // The store deletes the entry at its last try, before the code can be taken.
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
      // If two requests arrive at once, only one gets the code.
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

/** Accepts lowercase letters, spaces and dashes, because people type the code. */
function normalized(code: string): string {
  return code.toUpperCase().replace(/[^A-Z0-9]/g, "");
}
