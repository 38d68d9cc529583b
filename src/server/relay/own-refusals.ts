/**
 * Refusals by the relay itself, before a call reaches the service or the quota. The header `inv-refusal`
 * tells the engine the reason, because the credentials may still be right.
 */
import { unavailableRefusal } from "../shared-quota/headers";
import { type RelayedAnswer, refusal } from "../answer";

/**
 * The token is missing, has ended, predates a restart, or belongs to somebody else. The page then requests a
 * new one.
 */
export function unknownToken(): RelayedAnswer {
  return withReason(refusal(401, "This access token isn't valid here. Request a new one."), "token");
}

/** The session has ended or belongs to another environment. The person must sign in again. */
export function sessionEnded(): RelayedAnswer {
  return withReason(refusal(401, "The session has ended. Sign in again."), "session");
}

/** Only the administrator can fix this. */
export function refusedCredentials(): RelayedAnswer {
  return withReason(refusal(401, "The service refuses the server's credentials."), "credentials");
}

/** The call's header names a different consumer than its token. */
export function otherConsumer(): RelayedAnswer {
  return refusal(403, "The token was issued to another consumer than the one that the call names.");
}

const awayMs = 5_000;

export function awayRefusal(): RelayedAnswer {
  return unavailableRefusal(awayMs);
}

function withReason(answer: RelayedAnswer, reason: string): RelayedAnswer {
  return { ...answer, headers: { ...answer.headers, "inv-refusal": reason } };
}
