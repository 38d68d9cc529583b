/**
 * Refusals of a data call that the relay makes itself, before the service or a quota has seen it. The mark tells the
 * engine that nothing is wrong with the credentials.
 */
import { memoryRefusal } from "../shared-quota/headers";
import { type RelayedAnswer, refusal } from "../answer";

/** None, one from before a restart, one that has ended, or somebody else's: a new one will do. */
export function unknownToken(): RelayedAnswer {
  return marked(refusal(401, "The server does not know this token. A new one will do."), "token");
}

/** The session has ended, was ended, or is none of this environment: only signing in again helps. */
export function sessionEnded(): RelayedAnswer {
  return marked(refusal(401, "The session has ended. Sign in again."), "session");
}

/** The credentials that the server holds are refused by the service: nobody before a page can mend that. */
export function refusedCredentials(): RelayedAnswer {
  return marked(refusal(401, "The service refuses the server's credentials."), "credentials");
}

/** The token is another consumer's: the call's header and its token contradict each other. */
export function otherConsumer(): RelayedAnswer {
  return refusal(403, "The token was issued to another consumer than the call names.");
}

const awayMs = 5_000;

/** What is asked for is not known, because the store cannot be asked. */
export function awayRefusal(): RelayedAnswer {
  return memoryRefusal(awayMs);
}

function marked(answer: RelayedAnswer, mark: string): RelayedAnswer {
  return { ...answer, headers: { ...answer.headers, "inv-refusal": mark } };
}
