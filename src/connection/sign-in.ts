/**
 * The pane's part of a sign-in. It keeps a verifier, passes the verifier's digest to the sign-in window, and
 * exchanges the returned code for a session. Invariant: the verifier leaves this page only together with the
 * code, and only to this server.
 */
import type { Transport } from "../api/transport";
import * as z from "../domain/zod";
import type { Environment, SessionCredentials } from "../domain/environment";
import { InvError } from "../domain/errors";
import type { Clock } from "../engine/clock";

export interface StartedSignIn {
  /** Returns the window's address, for a dialog of Office or a browser window. */
  address(via: "dialog" | "popup"): string;
  /**
   * Rejects with an InvError. `signed-out` means that the code is wrong and the person may try another one.
   */
  exchange(code: string): Promise<SessionCredentials>;
}

export interface SignInParts {
  readonly environment: Environment;
  readonly transport: Transport;
  readonly crypto: Pick<Crypto, "subtle" | "getRandomValues">;
  readonly clock: Pick<Clock, "now">;
  /**
   * Whether the provider should ask which account to use, because the person signed out. Asked for each address: a pane
   * starts the next sign-in before the sign-out.
   */
  readonly asksForAccount: () => boolean;
}

const sessionAnswer = z.object({
  session: z.string().check(z.minLength(1)),
  name: z.string(),
  expires_in: z.number(),
});

export async function startSignIn(parts: SignInParts): Promise<StartedSignIn> {
  const { environment, crypto } = parts;
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const challenge = base64url(new Uint8Array(digest));
  return {
    address(via) {
      const url = new URL(environment.signIn?.url ?? "");
      url.search = new URLSearchParams({ challenge, via }).toString();
      if (parts.asksForAccount()) url.searchParams.set("account", "choose");
      return url.href;
    },
    async exchange(code) {
      const answer = await post(parts, "session", { code, verifier });
      if (answer.status >= 500) {
        throw new InvError(
          "service-down",
          "INV's server can't accept the code now. Sign in again in a minute.",
        );
      }
      if (!answer.ok) {
        throw new InvError(
          "signed-out",
          "This code is wrong or has expired. Compare it with the window, or sign in again.",
        );
      }
      const read = z.safeParse(sessionAnswer, await answer.json().catch(() => null));
      if (!read.success) {
        throw new InvError("bad-answer", "INV couldn't read its server's response. Sign in again.");
      }
      const { session, name, expires_in } = read.data;
      return { session, person: name, endsAtMs: parts.clock.now() + expires_in * 1_000 };
    },
  };
}

/** Ends the session everywhere. Rejects with an InvError if the server can't be reached. */
export async function endSession(
  parts: Pick<SignInParts, "environment" | "transport">,
  { session }: SessionCredentials,
): Promise<void> {
  await post(parts, "end", { session });
}

function post(
  { environment, transport }: Pick<SignInParts, "environment" | "transport">,
  what: "session" | "end",
  fields: Readonly<Record<string, string>>,
): Promise<Response> {
  return postToServer(transport, new URL(`../${what}/${environment.id}`, environment.signIn?.url), fields);
}

/** Sends the fields as JSON to INV's server. Rejects with an InvError if it can't be reached. */
export function postToServer(
  transport: Transport,
  url: URL,
  fields: Readonly<Record<string, unknown>>,
): Promise<Response> {
  const request = new Request(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(fields),
    cache: "no-store",
  });
  return transport(request).catch((cause: unknown) => {
    const message = "INV's server can't be reached. Check your network connection, then try again.";
    throw new InvError("unreachable", message, { cause });
  });
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
