/**
 * The token operation for an environment whose credentials the server has. The page sends a session instead
 * of a secret, and gets one of the relay's tokens, which ends with the session. All pages share the service's
 * token, which `held` keeps.
 */
import { randomBytes } from "node:crypto";
import { jsonAnswer, type RelayedAnswer, refusal } from "../answer";
import type { HeldCredentials } from "./held-credentials";
import { awayRefusal, refusedCredentials, sessionEnded } from "./own-refusals";
import { type PageRequest, readForm } from "./page-request";
import type { PageTokens } from "./page-tokens";

/** The session is checked again each time that a page renews its token. */
const lifetimeSeconds = 900;

export function createSessionOperation(
  tokens: PageTokens,
): (request: PageRequest, held: HeldCredentials) => Promise<RelayedAnswer> {
  return async (request, held) => {
    const session = readSession(request);
    if (session === null) {
      return refusal(400, "The request must be a form with grant_type and session, each once.");
    }
    const admitted = await held.admit(session);
    if (admitted.kind === "away") return awayRefusal();
    if (admitted.kind === "out") return sessionEnded();
    const service = await held.token();
    if (service.kind === "refused") return refusedCredentials();
    if (service.kind === "away") return service.answer;
    const seconds = Math.max(1, Math.min(lifetimeSeconds, Math.floor(admitted.endsInMs / 1_000)));
    const token = randomBytes(32).toString("base64url");
    const kept = await tokens.keep(request.target.id, token, {
      consumerId: held.consumerId,
      person: admitted.person,
      newcomer: null,
      // `held` keeps the service's token, and renews it for all pages.
      serviceToken: "",
      isBySession: true,
      lifetimeMs: seconds * 1_000,
    });
    if (kept === "away") return awayRefusal();
    return jsonAnswer(200, { access_token: token, token_type: "Bearer", expires_in: seconds });
  };
}

function readSession(request: PageRequest): string | null {
  const form = readForm(request);
  if (form === null || [...form.keys()].sort().join(" ") !== "grant_type session") return null;
  return form.get("grant_type") === "session" ? form.get("session") : null;
}
