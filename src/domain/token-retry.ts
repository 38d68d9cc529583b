/**
 * What a refused token means. A service's data host may learn of a new token late. So a token that is refused within seconds of its
 * issue is tried once more two seconds later. A page does this for its own token, a team's server for the one that all pages share.
 */

/** A token that is refused at this age can't have expired. */
const newForMs = 3_000;
export const secondTryAfterMs = 2_000;

/** No call carries a token for longer than this after its issue, if the service refuses it. */
export const retriedForMs = newForMs + secondTryAfterMs;

interface RefusedToken {
  readonly issuedAtMs: number;
  /** When it was or is tried again; null before it was refused. */
  readonly secondTryAtMs: number | null;
}

/** Whether a call that carried the token was sent too early for it to have expired. */
export function isNewToken({ issuedAtMs, secondTryAtMs }: RefusedToken, sentAtMs: number): boolean {
  return sentAtMs - (secondTryAtMs ?? issuedAtMs) <= newForMs;
}

/** Returns when to try a refused token again; null if the refusal counts. */
export function secondTryAtMs(
  token: RefusedToken,
  {
    sentAtMs,
    nowMs,
    hasWorked,
  }: { readonly sentAtMs: number; readonly nowMs: number; readonly hasWorked: boolean },
): number | null {
  const mayBeUnknown = isNewToken(token, sentAtMs) && !hasWorked && token.secondTryAtMs === null;
  return mayBeUnknown ? nowMs + secondTryAfterMs : null;
}
